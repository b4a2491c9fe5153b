package stop

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file looks for requests to stop what the old instance lived in: its sandbox, or the systemd unit of its
// processes. These ask its process to end, which then exits with any code. The kubelet requests neither before the
// containers have ended (kubelet v1.5–v1.36 kuberuntime_container.go killContainersWithSyncResult,
// kuberuntime_manager.go killPodWithSyncResult).

// outerStops records such requests from before the end.
func (f *finder) outerStops() {
	if box := OfSandbox(f.Basis, f.R.From); box != nil && f.Stop.Answer != basis.Yes {
		f.Stop, f.StopBox, f.StopGrace = basis.Found(box.At, basis.IDs(box.Obs)...), true, -1
		f.StopDated, _ = f.Node.Covered(evidence.SourceRuntimeLog, box.At, f.R.From.Finished, box.Obs.Source.Origin.Same)
	}
	f.perhapsOuter()
	switch unit := UnitStopping(f.Basis, f.R.From, f.BeganBy(f.R.From)); {
	case unit == nil:
	case f.InLife(f.R.From, unit.At):
		f.UnitStop = basis.Found(unit.At, basis.IDs(unit.Obs)...)
	case f.PerhapsInLife(f.R.From, unit.At):
		f.UnitNear = basis.Found(unit.At, basis.IDs(unit.Obs)...)
		f.Doubt("systemd began to stop the unit that it ran in within the same second as its end, and nothing "+
			"shows which came first", unit.Obs.ID)
	}
}

// perhapsOuter doubts an end before which its sandbox was asked to stop, or systemd began to stop its unit, where the
// start is known only from a later look.
func (f *finder) perhapsOuter() {
	in := f.R.From
	certain, since := f.BeganBy(in), in.Finished.Add(-f.Longest()-tolerance.DecidedBefore)
	early := func(m *timeline.Occurrence) bool {
		return m.At.Before(certain) && !m.At.Before(since) && f.MayLive(in, m.At)
	}
	if box := f.T.SandboxOf(in); box != nil {
		for i := range box.StopRequested {
			if m := &box.StopRequested[i]; early(m) {
				f.Doubt("its sandbox got a stop request before the kubelet saw the container run, and nothing "+
					"shows when it started", m.Obs.ID)
			}
		}
	}
	if m := UnitStopping(f.Basis, in, since); m != nil && early(m) {
		f.Doubt("systemd began to stop its unit before the kubelet saw the container run, and nothing shows when "+
			"it started", m.Obs.ID)
	}
}

// OfSandbox returns the request to stop the sandbox during an instance's life: the runtime stops everything in it.
func OfSandbox(f *basis.Basis, in *timeline.Instance) *timeline.Occurrence {
	if box := f.T.SandboxOf(in); box != nil {
		for i := range box.StopRequested {
			if f.InLife(in, box.StopRequested[i].At) {
				return &box.StopRequested[i]
			}
		}
	}
	return nil
}

// OfUnit returns systemd's message, during an instance's life, that it began to stop its unit.
func OfUnit(f *basis.Basis, in *timeline.Instance) *timeline.Occurrence {
	if m := UnitStopping(f, in, f.BeganBy(in)); m != nil && f.InLife(in, m.At) {
		return m
	}
	return nil
}

// UnitStopping returns systemd's first message since a time that it began to stop the scope of a container, the slice
// of its pod or one above all pods.
func UnitStopping(f *basis.Basis, in *timeline.Instance, since time.Time) *timeline.Occurrence {
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
		if above || s.ContainerID != "" && s.ContainerID == in.ID || s.ContainerID == "" && f.IsPod(s.PodUID) {
			return m
		}
	}
	return nil
}

// foreignGrace reports whether the kubelet would not have asked with this grace period. It gives the pod's, a probe's
// or that of a deletion, less what a preStop hook and the containers before it in the order of the pod's end took, and
// a shorter one for evictions and shutdowns, which end the pod; to a container of a pod that goes on at least two
// seconds (v1.20, v1.31 and v1.37 kuberuntime_container.go killContainer).
func (f *finder) foreignGrace() bool {
	const least = 2
	p := f.R.Pod
	switch {
	case f.StopGrace < 0:
		return false
	case f.StopGrace < least: // v1.22 to v1.27 give a former form of a static pod one second
		return f.R.To != nil && !timeline.ComputedUID(f.R.PodUID) && (p == nil || !p.Mirror)
	}
	return p != nil && p.GraceSeconds >= 0 && f.R.Spec != nil && p.DeletedAt.IsZero() &&
		evidence.Seconds(f.StopGrace) > f.Longest()
}
