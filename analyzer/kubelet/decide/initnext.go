package decide

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// usesInitActions reports whether this version handles this pod's init containers with computeInitContainerActions.
func (d *decision) usesInitActions() bool {
	switch d.p.Rules.InitPath {
	case kubelet.InitActions:
		return true
	case kubelet.InitByGate:
		return d.gate(kubelet.SidecarContainers)
	case kubelet.InitBySidecar:
		return d.gate(kubelet.SidecarContainers) && d.hasSidecar()
	case kubelet.InitUnlessLegacy:
		return !d.gate(kubelet.LegacySidecarContainers) || d.hasSidecar()
	case kubelet.InitNext:
	}
	return false
}

func (d *decision) hasSidecar() bool {
	for i := range d.pod.Spec.InitContainers {
		if IsSidecar(&d.pod.Spec.InitContainers[i]) {
			return true
		}
	}
	return false
}

// initContainers decides about init containers and returns whether initialization is over.
func (d *decision) initContainers() bool {
	if d.usesInitActions() {
		return d.initActions()
	}
	last, next, done := d.nextInit()
	if done || next < 0 {
		return done
	}
	name := d.pod.Spec.InitContainers[next].Name
	if last != nil && d.ask(&bNextMayNot, !d.mayRestart(), name,
		func() string { return "the pod's restartPolicy is " + policyName(d.pod) }) {
		d.a.KillPod = true
		return false
	}
	if last != nil && d.p.Rules.UnknownIsKilled &&
		d.ask(&bNextUnknown, last.State == StateUnknown, name, func() string { return d.describe(name) }) {
		d.kill(last.ID, name, ReasonUnknown, unknownInitText(last.State))
	}
	d.a.InitContainersToStart = []int{next}
	return false
}

// nextInit is findNextInitContainerToRun: the record of the last init container that failed, the index of the one to
// run next (-1: none now), and whether initialization is over.
func (d *decision) nextInit() (failed *Container, next int, done bool) {
	inits := d.pod.Spec.InitContainers
	if len(inits) == 0 {
		return nil, -1, true
	}
	if d.p.Rules.RunningIsInitialized && d.ask(&bNextRunning, d.regularIn(StateRunning), "", d.whyRegular) {
		return nil, -1, true
	}
	for i, c := range slices.Backward(inits) {
		if st := d.s.find(c.Name); st != nil &&
			d.ask(&bNextFailed, d.initFailed(st), c.Name, func() string { return d.describe(c.Name) }) {
			return st, i, false
		}
	}
	for i, c := range slices.Backward(inits) {
		st := d.s.find(c.Name)
		if st == nil {
			continue
		}
		what := func() string { return d.describe(c.Name) }
		if d.ask(&bNextWaits, st.State == StateRunning, c.Name, what) {
			return nil, -1, false
		}
		if d.ask(&bNextDone, st.State == StateExited, c.Name, what) {
			if i == len(inits)-1 {
				return nil, -1, true
			}
			return nil, i + 1, false
		}
	}
	d.ask(&bNextNoRecord, true, "", func() string { return "none of them has a record that counts" })
	return nil, 0, false
}

// initFailed is isInitContainerFailed (isContainerFailed up to 1.13).
func (d *decision) initFailed(st *Container) bool {
	return d.p.Rules.OOMKilledInitFails && st.Reason == "OOMKilled" ||
		st.State == StateExited && st.ExitCode != 0 ||
		d.p.Rules.UnknownIsKilled && st.State == StateUnknown
}
