package finding

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// sandbox finds out whether the pod got a new sandbox in this restart, and whether the old one ended before anyone
// requested it.
func (f *Findings) sandbox() {
	r, s := f.R, &f.Sandbox
	s.Changed.Answer = f.Silence()
	if r.To != nil && r.From.SandboxID != "" && r.To.SandboxID != "" {
		s.Changed.Answer = No
		if r.From.SandboxID != r.To.SandboxID {
			s.Changed = Point{Answer: Yes, Evidence: f.BothRecords()}
		}
	}
	same := s.Changed.Answer == No && r.To != nil && r.From.SandboxID != "" && r.To.SandboxID != ""
	began := r.From.Made()
	if began.IsZero() && r.Prev != nil && r.Prev.To == r.From {
		began = r.Prev.From.Finished // it was created after the one before had ended
	}
	var judged, changed time.Time // the kubelet's first line and its first event
	for _, m := range r.PodMarksWith(timeline.HasSandbox | timeline.ToldReadiness) {
		if _, early := m.Obs.Fact.(evidence.ReadinessEarly); early {
			f.EarlyReadiness = basis.Found(m.At, append(f.EarlyReadiness.Evidence, m.Obs.ID)...)
		}
		exact := m.At.Nanosecond() != 0 // events have whole seconds, and so has a start by the API
		if !began.IsZero() && (m.At.Before(began.Truncate(time.Second)) || exact && (m.At.Before(began) ||
			began.Nanosecond() == 0 && m.At.Sub(began) < time.Second)) {
			continue // about the sandbox that the old instance itself ran in
		}
		switch fact := m.Obs.Fact.(type) {
		case evidence.SandboxJudged:
			if same || fact.Reason == evidence.SandboxNone && (exact && f.ranAfter(m.At) || f.FirstSandbox(m.At)) {
				continue
			}
			if s.Reason == "" {
				s.Reason = fact.Reason
			}
			if judged.IsZero() {
				judged = m.At
			}
			s.Changed = basis.Found(m.At, append(s.Changed.Evidence, m.Obs.ID)...)
		case evidence.SandboxUnready:
			if r.To == nil {
				s.Unready, s.Wrong = basis.Found(m.At, m.Obs.ID), fact.Reason
			}
		case evidence.SandboxChanged:
			if !same {
				if changed.IsZero() {
					changed = m.At
				}
				s.Changed = basis.Found(m.At, append(s.Changed.Evidence, m.Obs.ID)...)
			}
		}
	}
	if s.Changed.Answer == Unknown {
		f.newBox()
	}
	if s.Changed.Answer == Yes || s.Unready.Answer == Yes {
		f.sandboxDeath()
		f.killedFirst(judged, changed)
	}
}

// ranAfter reports whether the old instance ran after the kubelet had found no sandbox of its pod at all, so that it
// was created after that: a later relist than the one that saw it run saw it end.
func (f *Findings) ranAfter(judged time.Time) bool {
	for _, m := range f.R.From.MarksWith(timeline.ToldLife) {
		if _, ok := m.Obs.Fact.(evidence.ContainerStarted); ok && m.At.After(judged) {
			return f.R.From.Finished.Sub(m.At) > tolerance.Slack/2
		}
	}
	return false
}

// newBox looks for a record of a sandbox that was not the pod's first and was created between the two instances: after
// the old one began and not before it ended (else it would have run in it), and right before the new one.
func (f *Findings) newBox() {
	from, to := f.R.From, f.R.To
	if to == nil || from.SandboxID != "" {
		return
	}
	made := to.Made()
	for _, sb := range f.Sandboxes() {
		if sb.Record == "" || sb.Attempt <= 0 || sb.Created.IsZero() || made.IsZero() ||
			to.SandboxID != "" && to.SandboxID != sb.ID {
			continue
		}
		exact := tolerance.Slack
		if sb.Coarse {
			exact = tolerance.CoarseSandbox
		}
		began, ended := from.Made(), from.Finished
		inIt := !began.IsZero() && !sb.Created.After(began) || !ended.IsZero() && ended.Sub(sb.Created) > exact
		if late := made.Sub(sb.Created); !inIt && late > -exact && late <= tolerance.SandboxLag {
			f.Sandbox.Changed = basis.Found(sb.Created, sb.Record)
		}
	}
}

// killedFirst decides what the kubelet did first: computePodActions checks the sandbox and then kills the pod; syncPod
// kills it for other reasons and finds no sandbox the next time. Both times must come from one source: the log, or
// events, which have whole seconds.
func (f *Findings) killedFirst(judged, changed time.Time) {
	s := &f.Sandbox
	kill := f.firstKill(f.R.From) // a sibling may have been killed for its own reason
	switch {
	case !judged.IsZero() && !kill.IsZero():
		s.KilledFirst = Point{Answer: No, At: judged, Evidence: s.Changed.Evidence}
		if kill.Before(judged) {
			s.KilledFirst = basis.Found(kill, slices.Concat(f.Kill.Evidence, s.Changed.Evidence)...)
		}
	case judged.IsZero() && !changed.IsZero():
		for _, m := range f.R.From.MarksWith(timeline.HasKill) {
			d, ok := m.Obs.Fact.(evidence.KillDecided)
			if ok && d.Reason == evidence.KillPod && m.Obs.Source.Kind == evidence.SourceAPI &&
				m.At.Before(changed) && changed.Sub(m.At) < tolerance.KillLag {
				s.KilledFirst = basis.Found(m.At, slices.Concat([]string{m.Obs.ID}, s.Changed.Evidence)...)
			}
		}
	}
}

// sandboxDeath looks for the end of the old sandbox. It counts as its own death only if it came before the kubelet's
// first kill in the pod and before any request to stop the sandbox: a pod that is torn down loses its containers first
// and its sandbox last.
func (f *Findings) sandboxDeath() {
	r, s := f.R, &f.Sandbox
	if r.Crowded {
		return // the first kill may be of a sibling that is not in the list
	}
	asked := f.firstKillInPod()
	for _, sb := range f.Sandboxes() {
		if r.From.SandboxID != "" && sb.ID != r.From.SandboxID || len(sb.Died) == 0 {
			continue
		}
		died := sb.Died[0]
		if end := r.End(); died.At.Before(end.Add(-tolerance.SandboxDied)) || died.At.After(end.Add(tolerance.Slack)) {
			continue
		}
		latest := died.At
		if latest.Nanosecond() == 0 {
			latest = latest.Add(time.Second) // rounded down
		}
		if len(sb.StopRequested) > 0 && sb.StopRequested[0].At.Before(latest) {
			continue
		}
		if !asked.IsZero() && asked.Before(died.At) {
			continue
		}
		if asked.IsZero() && !f.KubeletLog {
			continue
		}
		if s.DiedFirst.Answer == Yes && s.DiedFirst.At.Before(died.At) {
			continue
		}
		if m := stop.UnitStopping(&f.Basis, &timeline.Instance{ID: sb.ID, Finished: latest}, sb.Created); m != nil &&
			m.At.Before(latest) {
			f.Doubt("systemd began to stop the unit of its sandbox, which ended then", m.Obs.ID)
		}
		s.DiedFirst = basis.Found(died.At, died.Obs.ID)
		s.ID, s.Certain = sb.ID, sb.Known
	}
}

// firstKillInPod returns when the kubelet first requested the end of any container of the pod in this restart.
func (f *Findings) firstKillInPod() time.Time {
	first := f.firstKill(f.R.From)
	for _, s := range f.R.Siblings { // includes itself
		if at := f.firstKill(s.From); first.IsZero() || !at.IsZero() && at.Before(first) {
			first = at
		}
	}
	return first
}

// firstKill returns the time of the first kill of an instance in the kubelet's log in this restart. Events have whole
// seconds and cannot order what happens within one.
func (f *Findings) firstKill(in *timeline.Instance) time.Time {
	line, _ := stop.FirstWords(in, func(m timeline.Occurrence) bool { return f.R.End().Sub(m.At) <= tolerance.KillLag })
	return line
}
