package report

import "slices"

// Eliminated is a fact and the causes that it rules out: one fact, such as the exit
// code, often rules out many.
type Eliminated struct {
	Because  string   `json:"because"`
	Evidence []string `json:"evidence"`
	Causes   []string `json:"causes"`
}

// Eliminations are facts with the causes that each rules out, those with evidence first. Each cause is listed under one
// fact only. What cites nothing may be shared by many verdicts.
type Eliminations []*Eliminated

// Count returns how many causes are ruled out.
func (e Eliminations) Count() int {
	n := 0
	for i := range e {
		n += len(e[i].Causes)
	}
	return n
}

// Of returns the fact that rules a cause out, and whether there is one.
func (e Eliminations) Of(cause string) (Eliminated, bool) {
	i := slices.IndexFunc(e, func(x *Eliminated) bool { return slices.Contains(x.Causes, cause) })
	if i < 0 {
		return Eliminated{}, false
	}
	return *e[i], true
}
