package finding

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// sandbox finds out whether the pod got a new sandbox in this restart, and
// whether the old one ended before anybody asked for it.
func (f *Findings) sandbox() {
	r, s := f.R, &f.Sandbox
	s.Changed.Answer = f.silence()
	if r.To != nil && r.From.SandboxID != "" && r.To.SandboxID != "" {
		s.Changed.Answer = No
		if r.From.SandboxID != r.To.SandboxID {
			s.Changed = Fact{Answer: Yes, Evidence: slices.Concat(r.From.Records, r.To.Records)}
		}
	}
	same := s.Changed.Answer == No && r.To != nil && r.From.SandboxID != "" && r.To.SandboxID != ""
	began := r.From.Created
	if began.IsZero() {
		began = r.From.Started
	}
	if began.IsZero() && r.Prev != nil && r.Prev.To == r.From {
		began = r.Prev.From.Finished // it was made after the one before had ended
	}
	for _, m := range r.PodMarks {
		if !began.IsZero() && m.At.Before(began.Truncate(time.Second)) {
			continue // about the sandbox that the old instance itself ran in
		}
		switch fact := m.Obs.Fact.(type) {
		case evidence.SandboxJudged:
			if same {
				continue
			}
			if s.Reason == "" {
				s.Reason = fact.Reason
			}
			s.Changed = Fact{Yes, m.At, append(s.Changed.Evidence, m.Obs.ID)}
		case evidence.SandboxChanged:
			if !same {
				s.Changed = Fact{Yes, m.At, append(s.Changed.Evidence, m.Obs.ID)}
			}
		}
	}
	if s.Changed.Answer == Yes {
		f.sandboxDeath()
	}
}

// sandboxDeath looks for the end of the old sandbox. It counts as its own death
// only if it came before the kubelet's first kill in the pod and before any
// request to stop the sandbox: a pod that is taken down loses its containers
// first and its sandbox last.
func (f *Findings) sandboxDeath() {
	r, s := f.R, &f.Sandbox
	asked := f.firstKillInPod()
	for _, sb := range f.T.Sandboxes {
		if !f.ofPod(sb) || r.From.SandboxID != "" && sb.ID != r.From.SandboxID || len(sb.Died) == 0 {
			continue
		}
		died := sb.Died[0]
		if end := r.End(); died.At.Before(end.Add(-2*time.Minute)) || died.At.After(end.Add(slack)) {
			continue
		}
		if len(sb.StopRequested) > 0 && sb.StopRequested[0].At.Before(died.At) {
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
		s.DiedFirst = Fact{Yes, died.At, []string{died.Obs.ID}}
		s.ID, s.Certain = sb.ID, sb.Known
	}
}

func (f *Findings) ofPod(sb *timeline.Sandbox) bool {
	if sb.PodUID == "" {
		return sb.ID == f.R.From.SandboxID && sb.ID != ""
	}
	return sb.PodUID == f.R.PodUID || f.R.Pod != nil && sb.PodUID == f.R.Pod.RuntimeUID()
}

// firstKillInPod is when the kubelet first asked for the end of any container of
// the pod in this restart.
func (f *Findings) firstKillInPod() time.Time {
	var first time.Time
	look := func(in *timeline.Instance) {
		for _, m := range in.Marks {
			switch m.Obs.Fact.(type) {
			case evidence.KillStarted, evidence.KillDecided:
				// Events carry whole seconds and cannot order what happens within one.
				if m.Obs.Source.Kind == evidence.SourceAPI || f.R.End().Sub(m.At) > 2*time.Minute {
					continue
				}
				if first.IsZero() || m.At.Before(first) {
					first = m.At
				}
			}
		}
	}
	look(f.R.From)
	for _, s := range f.R.Siblings {
		look(s.From)
	}
	return first
}
