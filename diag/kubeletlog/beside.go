package kubeletlog

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// lastWords is how long after its successor's start a process's last lines may come.
const lastWords = 5 * time.Second

// own is when a line was written: a stalled journal receives it later.
func own(e *evidence.Entry) time.Time {
	if t, ok, _ := klogline.Written(e); ok && t.Before(e.Time) {
		return t
	}
	return e.Time
}

// beside detects that some lines may not be from the node's kubelet. One case: a process keeps writing long after
// another one reported its start, or wrote without reporting any; a process that reuses an earlier PID reports its own
// start first. Other case: a log driver wrote the line. Whose container that was is in fields that a container's author
// may choose (see package journal), and package journal names the unit of such a kubelet after the container.
func (p *Parser) beside(e *evidence.Entry, emit func(evidence.Observation)) {
	r, since := p.run, p.run.by
	switch {
	case e.Writer == evidence.Vouched && e.Unit == "kubelet" && !p.claimed:
		p.claimed, since = true, own(e)
	case r.back.IsZero():
		return
	case r.toldAt.After(r.by):
		r.back = time.Time{}
		return
	case !r.proven:
		return
	case r.heir && (own(e).Sub(r.by) <= lastWords || own(e).Sub(r.back) <= lastWords/5):
		return
	default:
		r.back = time.Time{}
	}
	emit(evidence.Observation{Time: since, Fact: evidence.KubeletStarted{PID: r.pid, Beside: true},
		Text: safetext.Clean(e.Message)})
}
