package report

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
)

// Eliminated is a cause that a fact contradicts.
type Eliminated struct {
	Cause    string   `json:"cause"`
	Because  string   `json:"because"`
	Evidence []string `json:"evidence"`
}

// Eliminations are the causes that facts contradict, the most telling first. The
// zero value is empty.
//
// One fact rules out many causes, and most restarts are told from the same rivals:
// so this is kept as the few facts that are the verdict's own and, shared between verdicts
// (Pool), which cause falls to which of them. It reads, and is written as JSON, as a list
// of Eliminated.
type Eliminations struct {
	shape *shape // nil: nothing is eliminated
	own   []contradiction
}

// shape is which cause falls to which fact, in order, and the facts that cite nothing: they
// are the same in every verdict.
type shape struct {
	causes []fallen
	shared []*contradiction
}

// fallen is one cause and the place of the fact that contradicts it: in the verdict's own
// facts, or, counted down from -1, in those of the shape.
type fallen struct {
	cause string
	fact  int
}

type contradiction struct {
	because  string
	evidence []string
}

// Eliminate makes Eliminations of a list, in its order.
func Eliminate(list ...Eliminated) Eliminations {
	var p Pool
	return p.Eliminate(list)
}

// Len returns how many causes are eliminated.
func (e Eliminations) Len() int { return len(e.fallen()) }

func (e Eliminations) fallen() []fallen {
	if e.shape == nil {
		return nil
	}
	return e.shape.causes
}

// At returns one of them; its evidence is never nil and belongs to the report.
func (e Eliminations) At(i int) Eliminated {
	c := e.shape.causes[i]
	if c.fact < 0 {
		return Eliminated{Cause: c.cause, Because: e.shape.shared[-c.fact-1].because, Evidence: nothing}
	}
	f := &e.own[c.fact]
	return Eliminated{Cause: c.cause, Because: f.because, Evidence: list(f.evidence)}
}

// All goes over them in order.
func (e Eliminations) All() iter.Seq2[int, Eliminated] {
	return func(yield func(int, Eliminated) bool) {
		for i := range e.Len() {
			if !yield(i, e.At(i)) {
				return
			}
		}
	}
}

// Of returns the elimination of a cause, and whether there is one.
func (e Eliminations) Of(cause string) (Eliminated, bool) {
	i := slices.IndexFunc(e.fallen(), func(f fallen) bool { return f.cause == cause })
	if i < 0 {
		return Eliminated{}, false
	}
	return e.At(i), true
}

// Cited goes over the evidence of each fact that cites any, once.
func (e Eliminations) Cited() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for i := range e.own {
			if !yield(e.own[i].evidence) {
				return
			}
		}
	}
}

// Equal tells whether both list the same, whatever they share.
func (e Eliminations) Equal(o Eliminations) bool {
	if e.Len() != o.Len() {
		return false
	}
	for i, x := range e.All() {
		if y := o.At(i); x.Cause != y.Cause || x.Because != y.Because || !slices.Equal(x.Evidence, y.Evidence) {
			return false
		}
	}
	return true
}

// MarshalJSON writes the list.
func (e Eliminations) MarshalJSON() ([]byte, error) {
	all := make([]Eliminated, 0, e.Len())
	for _, x := range e.All() {
		all = append(all, x)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // who encodes the report decides
	if err := enc.Encode(all); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Eliminations) UnmarshalJSON(data []byte) error {
	var all []Eliminated
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	*e = Eliminate(all...)
	return nil
}
