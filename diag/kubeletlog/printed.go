package kubeletlog

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	// oneOutput is how long after the output of a probe, by the journal's times, its last line may stand.
	oneOutput = oneWrite
	// chosen is the same in a log whose only times are those of the lines: who writes one chooses its time.
	chosen = time.Second
)

// output is the last output of a probe that a kubelet printed as it is: those up to 1.20 do it always (prober.go: `%s
// probe for %q failed (%v): %s`), later ones where it has several lines.
type output struct {
	of evidence.Subject
	at time.Time
}

// printed marks a statement that may be a line of such an output: it has a header because a container wrote one, with
// the kubelet's PID if it knew that. A block of several lines cannot end by what a container prints, but journald
// splits it at each NUL, and an export that left out _LINE_BREAK does not show that; a text log is not believed alone.
// A probe of the pod itself often comes right before its kill, and the line that begins a kill names no pod.
func (r *run) printed(o *evidence.Observation, e *evidence.Entry) {
	if last := &r.output.of; last.PodUID != "" && another(&o.Subject, last) {
		within := oneOutput
		if e.Writer == evidence.Unvouched {
			within = chosen
		}
		if since := e.Time.Sub(r.output.at); since.Abs() < within {
			o.Source.Inside = true
		}
	}
	if p, ok := o.Fact.(evidence.ProbeFailed); !ok || p.Errored || o.Subject.PodUID == "" || o.Source.Inside {
		return
	}
	block := e.Writer != evidence.Unvouched && strings.Contains(e.Message, "=<\n")
	if block || strings.Contains(e.Message, ` probe for "`) {
		r.output = output{o.Subject, e.Time}
	}
}

// another reports whether a statement is about another pod, by its UID or else by its name.
func another(s, than *evidence.Subject) bool {
	if s.PodUID != "" {
		return s.PodUID != than.PodUID
	}
	return s.Pod != "" && than.Pod != "" && (s.Pod != than.Pod || s.Namespace != than.Namespace)
}
