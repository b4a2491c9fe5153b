package finding

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file looks for requests to stop what the old instance lived in: its sandbox, the systemd
// unit that its processes were in. Its process is asked to end with that, and leaves whatever code
// it chooses. The kubelet asks for neither before the containers have ended (kubelet v1.5–v1.36
// kuberuntime_container.go killContainersWithSyncResult, kuberuntime_manager.go killPodWithSyncResult).

// outerStops takes such requests that came before the end.
func (f *Findings) outerStops() {
	if box := f.boxStop(f.R.From); box != nil && f.Stop.Answer != Yes {
		f.Stop, f.StopBox, f.stopGrace = Point{Yes, box.At, ids(box.Obs)}, true, -1
		f.StopDated, _ = f.Node.Covered(evidence.SourceRuntimeLog, box.At, f.R.From.Finished, box.Obs.Source.Origin.Same)
	}
	if unit := f.unitStop(f.R.From); unit != nil {
		f.UnitStop = Point{Yes, unit.At, ids(unit.Obs)}
	}
	f.endedTogether()
}

// endedTogether doubts where the sandbox ended at the container's own moment, the kubelet killed neither and nobody
// had asked for its end: one of them may be what became of the other, or of both. What is dead is taken down later.
func (f *Findings) endedTogether() {
	box := f.T.SandboxOf(f.R.From)
	if box == nil || len(box.Died) == 0 || f.Kill.Answer == Yes || f.R.From.Finished.IsZero() {
		return
	}
	for _, asked := range box.StopRequested {
		if !asked.At.After(box.Died[0].At) {
			return
		}
	}
	if died := box.Died[0]; died.At.Sub(f.R.From.Finished).Abs() <= tolerance.SandboxWith {
		f.Sandbox.Together = true
		f.doubt("its sandbox ended at the same moment, and nothing tells who ended it", ids(died.Obs)...)
	}
}

// cutShort doubts a silence of the runtime's log about a stop where that log lost what came behind the end: that the
// sandbox ended too or that the daemon was started would change the verdict. A log that reaches further has to tell
// that the next container was made, if it told that of this one.
func (f *Findings) cutShort() {
	end, next := f.R.From.Finished, f.R.To
	if f.Stop.Answer != No || f.Kill.Answer == Yes || f.OOM.Answer == Yes || end.IsZero() {
		return
	}
	until := end.Add(tolerance.SandboxWith)
	if next != nil && begun(next).After(end) {
		until = end.Add(min(begun(next).Sub(end), tolerance.RuntimeStart))
	}
	ok, _ := f.Node.Covered(evidence.SourceRuntimeLog, end, until, f.testifies(evidence.SourceRuntimeLog))
	switch {
	case !ok:
		f.doubt("the runtime's log breaks off right behind the end: its next lines could tell what ended the container")
	case next != nil && next.ID != "" && !until.Before(begun(next)) && maker(f.R.From) != nil && maker(next) == nil:
		f.doubt("the runtime's log says that this container was made and not that the next one was: it lost lines")
	}
}

// twoStops doubts a kill at whose moment the runtime was asked more often than the kubelet says that it kills: somebody
// else asked, too, and may have been first.
func (f *Findings) twoStops(kills int) {
	var asked []string
	for _, m := range f.R.From.MarksWith(timeline.HasStop) {
		stop, ok := m.Obs.Fact.(evidence.StopRequested)
		if ok && stop.Signal == "" && m.At.Sub(f.killFirst).Abs() <= tolerance.Asks {
			asked = append(asked, m.Obs.ID)
		}
	}
	if kills > 0 && len(asked) > kills {
		f.doubt("the runtime was asked to stop it more often at that moment than the kubelet says that it kills", asked...)
	}
}

// boxStop is the request to stop the sandbox that came in an instance's life: the runtime stops all that is in it.
func (f *Findings) boxStop(in *timeline.Instance) *timeline.Occurrence {
	if box := f.T.SandboxOf(in); box != nil {
		for i := range box.StopRequested {
			if f.inLife(in, box.StopRequested[i].At) {
				return &box.StopRequested[i]
			}
		}
	}
	return nil
}

// unitStop is systemd's word, from an instance's life, that it began to stop its unit.
func (f *Findings) unitStop(in *timeline.Instance) *timeline.Occurrence {
	m := f.stopOfUnit(in, f.beganBy(in))
	switch {
	case m == nil:
		return nil
	case f.inLife(in, m.At):
		return m
	case f.perhapsInLife(in, m.At):
		f.doubt("systemd began to stop the unit that it ran in within the second of its end: which came first is not known",
			m.Obs.ID)
	}
	return nil
}

// stopOfUnit is systemd's first word since a time that it began to stop the scope of a container, the slice of its pod
// or one above all pods.
func (f *Findings) stopOfUnit(in *timeline.Instance, since time.Time) *timeline.Occurrence {
	if f.Node == nil || in.Finished.IsZero() {
		return nil
	}
	marks := timeline.Since(f.Node.AdminActions, since)
	for i := range marks {
		m := &marks[i]
		if m.At.After(in.Finished.Add(tolerance.PodEndLag)) {
			break
		}
		unit, ok := m.Obs.Fact.(evidence.UnitChanged)
		if !ok || unit.Change != "stopping" {
			continue
		}
		s := &m.Obs.Subject
		above := s.ContainerID == "" && s.PodUID == "" && strings.HasPrefix(unit.Unit, "kubepods")
		if above || s.ContainerID != "" && s.ContainerID == in.ID || s.ContainerID == "" && f.isPod(s.PodUID) {
			return m
		}
	}
	return nil
}

// inLife tells a moment at which an instance surely ran: what ends a container also stops its unit, right behind the
// end.
func (f *Findings) inLife(in *timeline.Instance, at time.Time) bool {
	end := in.Finished
	if exact, ok := f.exactEnd(); ok && in == f.R.From {
		end = exact
	}
	return !at.IsZero() && at.Before(end) && !at.Before(f.beganBy(in))
}

// perhapsInLife tells a moment in the second in which the old instance ended, where nothing dates that better and the
// runtime had not told of it yet.
func (f *Findings) perhapsInLife(in *timeline.Instance, at time.Time) bool {
	end, exact := f.exactEnd()
	if exact || in != f.R.From || !at.Before(end.Add(time.Second)) {
		return false
	}
	return !slices.ContainsFunc(in.Marks, func(m timeline.Occurrence) bool {
		_, told := m.Obs.Fact.(evidence.TaskExited)
		return told && !m.At.After(at)
	})
}

// beganBy is when an instance surely ran: from its beginning on, or, where that is not known, as long before its end as
// it takes to stop.
func (f *Findings) beganBy(in *timeline.Instance) time.Time {
	if began := begun(in); !began.IsZero() {
		return began
	}
	return in.Finished.Add(-f.longest() - tolerance.StopLag)
}
