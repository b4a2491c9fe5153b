package basis

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// YesNo is the answer of the evidence to a question.
type YesNo int

// The answers. NoTrace: there is no event of it although events reach back far enough.
const (
	Unknown YesNo = iota
	NoTrace
	No
	Yes
)

// Point is the answer to one question, with its time and the ids of the observations behind it.
type Point struct {
	Answer   YesNo
	At       time.Time
	Evidence []string
}

// Found returns a yes.
func Found(at time.Time, evidence ...string) Point { return Point{Yes, at, evidence} }

// Cites reports whether a point cites an observation: a kill that never succeeds is logged thousands of times.
func (p *Point) Cites() func(id string) bool {
	if len(p.Evidence) < 32 {
		return func(id string) bool { return slices.Contains(p.Evidence, id) }
	}
	cited := make(map[string]bool, len(p.Evidence))
	for _, id := range p.Evidence {
		cited[id] = true
	}
	return func(id string) bool { return cited[id] }
}

// IDs returns the ids of the observations that are not nil.
func IDs(obs ...*evidence.Observation) []string {
	out := make([]string, 0, len(obs))
	for _, o := range obs {
		if o != nil {
			out = append(out, o.ID)
		}
	}
	return out
}

// Doubt is something that does not fit with the rest of the evidence: no verdict with a doubt is proven.
type Doubt struct {
	Text     string
	Evidence []string
}

// Doubt adds a doubt, unless one with this text exists.
func (f *Basis) Doubt(text string, evidence ...string) {
	if !slices.ContainsFunc(f.Doubts, func(d Doubt) bool { return d.Text == text }) {
		f.Doubts = append(f.Doubts, Doubt{text, evidence})
	}
}
