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

// output is the last output of a probe that a kubelet printed as it is, which is how those up to 1.20 do it
// (prober.go: `%s probe for %q failed (%v): %s`).
type output struct {
	pod string // its UID
	at  time.Time
}

// printed marks a statement that may be a line of such an output: it has a header because a container wrote one, with
// the kubelet's PID if it knew that. A probe of the pod itself often comes right before its kill, and the line that
// begins a kill names no pod.
func (r *run) printed(o *evidence.Observation, e *evidence.Entry) {
	if uid := o.Subject.PodUID; r.output.pod != "" && uid != "" && uid != r.output.pod {
		within := oneOutput
		if e.Writer == evidence.Unvouched {
			within = chosen
		}
		if since := e.Time.Sub(r.output.at); since.Abs() < within {
			o.Source.Inside = true
		}
	}
	if p, ok := o.Fact.(evidence.ProbeFailed); ok && !p.Errored && o.Subject.PodUID != "" &&
		strings.Contains(e.Message, ` probe for "`) && !o.Source.Inside {
		r.output = output{o.Subject.PodUID, e.Time}
	}
}
