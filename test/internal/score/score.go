// Package score compares a report's verdict about a container with what really happened to it, and counts. The lab, the
// corpus and the field incidents all use it, so that their figures mean the same.
//
// It may import the report's types. It runs no analysis and reads no files.
package score

import (
	"fmt"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Causes of a truth that are not in the catalogue.
const (
	// None means that nothing restarted, as does an empty cause.
	None = "none"
	// Unknown means that nobody could know.
	Unknown = "unknown"
)

// Truth is what really happened to one container, or to a pod as a whole.
type Truth struct {
	Pod string // namespace/name
	// Untold are the names that the evidence does not have: a report cannot have them either. Then "?" replaces a pod
	// or a container, and any namespace is a guess.
	Untold []string
	// Called: it is the only truth and has no pod's name, so a name that the words of the evidence give is that pod's.
	Called bool
	// Container is empty if the whole pod ended.
	Container string
	// Which says which of the container's exits it was, the oldest being 1; 0 is the newest.
	Which int
	Cause string
	// Also are other causes that mean the same truth; None means that no item is right too.
	Also []string
	// Others are causes that other exits of the container truly had. Proving one of them for another exit is no
	// mistake.
	Others    []string
	Mechanism string // compared if given
	Kind      string // compared if given
}

// Nothing reports whether the truth is that nothing restarted.
func (t Truth) Nothing() bool { return t.Cause == "" || t.Cause == None }

func (t Truth) mayPass() bool { return t.Nothing() || slices.Contains(t.Also, None) }

// Is reports whether a cause is the truth.
func (t Truth) Is(cause string) bool { return cause == t.Cause || slices.Contains(t.Also, cause) }

// Judged is one truth compared with one report.
type Judged struct {
	Truth   Truth
	Outcome Outcome
	// Item is the one that was judged, nil if the report has none.
	Item       *report.Item
	Cause      string // the report's cause, "" if it has no such item
	Confidence string
	Named      bool   // the truth is the verdict's cause or one of its alternatives
	Why        string // for anything but right
}

// All judges every truth by the same items.
func All(truths []Truth, items []report.Item) []Judged {
	out := make([]Judged, len(truths))
	for i, t := range truths {
		out[i] = Judge(t, items)
	}
	return out
}

// Judge compares a truth with the items of a report, which are sorted newest first.
func Judge(t Truth, items []report.Item) Judged {
	ends := endsOf(t, items)
	for _, it := range ends {
		// A wrong certainty is the worst outcome, even for another exit.
		if v := it.Verdict; v.Confidence == report.Proven && claims(t, it) &&
			!t.Is(v.Cause) && !slices.Contains(t.Others, v.Cause) {
			return of(t, it, WrongProven, fmt.Sprintf("%s is called proven: %s", v.Cause, v.Summary))
		}
	}
	it := meant(t, ends)
	switch {
	case it == nil && t.mayPass():
		return Judged{Truth: t, Outcome: Right}
	case it == nil:
		return Judged{Truth: t, Outcome: Silent, Why: "the report does not have it"}
	}
	switch o := outcomeOf(t, it); {
	case o == Right:
		return of(t, it, o, "")
	case o == WrongProven && slices.Contains(t.Others, it.Verdict.Cause):
		// It is true of another exit: the evidence shows that one, and not the one in question.
		return of(t, it, Silent, "has another end only: "+deviation(t, it))
	default:
		return of(t, it, o, deviation(t, it))
	}
}

func of(t Truth, it *report.Item, o Outcome, why string) Judged {
	return Judged{Truth: t, Outcome: o, Item: it, Cause: it.Verdict.Cause,
		Confidence: string(it.Verdict.Confidence), Named: named(t, it), Why: why}
}

// claims reports whether an item says anything that a truth could contradict: an item that itself says that nothing
// restarted claims nothing if nothing did.
func claims(t Truth, it *report.Item) bool { return !t.Nothing() || it.Kind != report.None }

func outcomeOf(t Truth, it *report.Item) Outcome {
	v := it.Verdict
	switch {
	case t.Nothing() && !claims(t, it), v.Confidence != report.Unknown && fits(t, it):
		return Right
	case v.Confidence == report.Proven:
		return WrongProven
	case v.Confidence == report.Likely:
		return Wrong
	case t.mayPass():
		return Honest // an open question does no harm
	case t.Cause == Unknown && v.Cause == Unknown:
		return Right
	case t.Cause == Unknown, named(t, it):
		return Honest
	}
	return Vague
}

func fits(t Truth, it *report.Item) bool {
	return it.Verdict.Cause != "" && t.Is(it.Verdict.Cause) &&
		(t.Mechanism == "" || it.Verdict.Mechanism == t.Mechanism) && (t.Kind == "" || string(it.Kind) == t.Kind)
}

func named(t Truth, it *report.Item) bool {
	return t.Is(it.Verdict.Cause) || slices.ContainsFunc(it.Verdict.Alternatives,
		func(a report.Alternative) bool { return t.Is(a.Cause) })
}

// deviation says how an item differs from the truth.
func deviation(t Truth, it *report.Item) string {
	v := it.Verdict
	switch {
	case !t.Is(v.Cause) || v.Confidence == report.Unknown:
		return fmt.Sprintf("says %s (%s): %s", v.Cause, v.Confidence, v.Summary)
	case t.Mechanism != "" && v.Mechanism != t.Mechanism:
		return fmt.Sprintf("by the mechanism %s (%s)", v.Mechanism, v.Confidence)
	}
	return fmt.Sprintf("as a %s (%s)", it.Kind, v.Confidence)
}

// meant returns the exit that a truth is about, nil if there is none.
func meant(t Truth, ends []*report.Item) *report.Item {
	n := t.Which - 1
	if t.Which == 0 {
		n = len(ends) - 1
	}
	if n < 0 || n >= len(ends) {
		return nil
	}
	return ends[n]
}
