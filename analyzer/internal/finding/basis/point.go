package basis

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// YesNo is what the evidence says about a question.
type YesNo int

// The answers. NoTrace means: no event tells of it although events reach back.
const (
	Unknown YesNo = iota
	NoTrace
	No
	Yes
)

// Point is one point in question: an answer with its time and the ids of the observations behind it.
type Point struct {
	Answer   YesNo
	At       time.Time
	Evidence []string
}

// Found is a yes.
func Found(at time.Time, evidence ...string) Point { return Point{Yes, at, evidence} }

// IDs are those of the observations that there are.
func IDs(obs ...*evidence.Observation) []string {
	out := make([]string, 0, len(obs))
	for _, o := range obs {
		if o != nil {
			out = append(out, o.ID)
		}
	}
	return out
}

// Doubt is something that does not fit with the rest of the evidence: no verdict is proven beside it.
type Doubt struct {
	Text     string
	Evidence []string
}

// Doubt adds a doubt, once.
func (f *Basis) Doubt(text string, evidence ...string) {
	if !slices.ContainsFunc(f.Doubts, func(d Doubt) bool { return d.Text == text }) {
		f.Doubts = append(f.Doubts, Doubt{text, evidence})
	}
}
