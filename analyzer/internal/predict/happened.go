package predict

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// happened is what is known to have happened to the pod. What is unknown is never No.
type happened struct {
	// started: the container was restarted, with evidence.
	started         bool
	startedEvidence []string
	// sandbox: the old and the new instance ran in different sandboxes (Yes), or in the same one (No).
	sandbox         finding.YesNo
	sandboxEvidence []string
	// soon: the sandbox was replaced, or the first init container ran again, within one sync of the end, so that one
	// decision did both.
	soon bool
	// initAgain is an ordinary init container that ran again between the end and the new start; initKept is one whose
	// record shows that none did.
	initAgain finding.Point
	initKept  *ran
	// ranOn are other containers with one instance that outlived the restart.
	ranOn []ran
}

// ran is one instance of a container with the ids of its records.
type ran struct {
	name     string
	evidence []string
}

// observe collects what is known about the pod around a restart.
func observe(t *timeline.History, r *timeline.Restart, f *finding.Findings) happened {
	h := happened{started: r.To != nil}
	if r.To == nil {
		return h
	}
	h.startedEvidence = r.To.Records
	if r.From.SandboxID != "" && r.To.SandboxID != "" {
		h.sandbox, h.sandboxEvidence = finding.No, slices.Concat(r.From.Records, r.To.Records)
		if r.From.SandboxID != r.To.SandboxID {
			h.sandbox = finding.Yes
		}
	}
	end, again := r.From.Finished, r.To.Made()
	if end.IsZero() || again.IsZero() {
		return h
	}
	if box := t.SandboxOf(r.To); h.sandbox == finding.Yes && box != nil {
		h.soon = within(box.Created, end)
	}
	h.initAgain = f.InitAgain
	h.soon = h.soon || f.AtOnce(f.InitAgain)
	for _, l := range r.Lives() {
		if l.Container == r.Container || len(l.Instances) == 0 {
			continue
		}
		switch kindOf(r, l.Container) {
		case evidence.KindInit:
			h.init(&l, f)
		case evidence.KindApp, evidence.KindSidecar:
			if in := spans(&l, r.From, end, again, f.T.Snapshot.CollectedAt); in != nil {
				h.ranOn = append(h.ranOn, ran{l.Container, in.Records})
			}
		}
	}
	return h
}

// init checks whether an ordinary init container ran between the end and the new start.
func (h *happened) init(l *timeline.Lineage, f *finding.Findings) {
	newest, r := l.Instances[len(l.Instances)-1], f.R
	if r.ContainerKind == evidence.KindInit || f.InitAgain.Answer == finding.Yes {
		return
	}
	// The newest one is from before the end, and the pod has started again since: none ran in between. It must also
	// have begun before the old instance: if the clock was set back in between, that order still holds.
	if at := newest.Made(); r.Next == nil && !at.IsZero() && at.Before(r.From.Made()) && present(newest) {
		h.initKept = &ran{l.Container, newest.Records}
	}
}

// spans returns the instance of a container that existed before the end and still after the new start. One that
// replaced another while the old instance ran is left out: after a step of the clock it may be younger than it looks.
func spans(l *timeline.Lineage, old *timeline.Instance, end, again, now time.Time) *timeline.Instance {
	for i, in := range l.Instances {
		started := in.Started
		if started.IsZero() || !started.Before(end.Add(-tolerance.Slack)) {
			continue
		}
		if i > 0 {
			if before := l.Instances[i-1].Finished; before.IsZero() || !before.Before(old.Made()) {
				continue
			}
		} else if in.Attempt > 0 {
			continue // the end of the previous one is unknown
		}
		until := in.Finished
		if until.IsZero() && in.State == evidence.StateRunning && i == len(l.Instances)-1 && present(in) {
			until = now
		}
		if until.After(again.Add(tolerance.Slack)) {
			return in
		}
	}
	return nil
}

// present reports whether the API or the runtime has the instance as its newest one at the time of the snapshot. A log
// may have ended before something that came later.
func present(in *timeline.Instance) bool {
	for _, m := range in.Marks {
		if r, ok := m.Obs.Fact.(evidence.ContainerRecord); ok && !r.Last &&
			(m.Obs.Source.Kind == evidence.SourceAPI || m.Obs.Source.Kind == evidence.SourceCRI) {
			return true
		}
	}
	return false
}

func within(at, end time.Time) bool {
	return !at.IsZero() && at.After(end.Add(-tolerance.Slack)) && at.Before(end.Add(tolerance.OneSync))
}

func kindOf(r *timeline.Restart, container string) evidence.ContainerKind {
	for i := range r.Pod.Containers {
		if r.Pod.Containers[i].Name == container {
			return r.Pod.Containers[i].Kind
		}
	}
	return ""
}
