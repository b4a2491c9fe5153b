package decide

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// regularMade reports whether a regular container shows that initialization is over.
func (d *decision) regularMade() bool {
	if !d.p.Rules.ActiveSandboxOnly {
		return d.regularIn(StateCreated, StateRunning) || d.p.Rules.ExitedIsInitialized && d.regularIn(StateExited)
	}
	for i := range d.pod.Spec.Containers {
		if d.initRecord(d.pod.Spec.Containers[i].Name) != nil {
			return true
		}
	}
	return false
}

// initRecord returns the newest record of a name that computeInitContainerActions uses: since 1.37 of the active
// sandbox only (container/runtime.go FindActiveContainerStatusByName).
func (d *decision) initRecord(name string) *Container {
	if !d.p.Rules.ActiveSandboxOnly {
		return d.s.find(name)
	}
	if d.unsorted() {
		return nil
	}
	for i := range d.s.Containers {
		if st := &d.s.Containers[i]; st.Name == name && d.s.active(st) {
			return st
		}
	}
	return nil
}

// unsorted reports whether records come with a sandbox's status: then they are not separated by sandbox
// (kuberuntime_manager.go GetPodStatus).
func (d *decision) unsorted() bool { return d.s.Evented && d.gate(kubelet.EventedPLEG) }

// describeInit describes what initRecord found.
func (d *decision) describeInit(name string) string {
	st := d.initRecord(name)
	if st != nil || d.s.find(name) == nil {
		return describe(st)
	}
	if d.unsorted() {
		return "with EventedPLEG none of its records counts"
	}
	return "its records are of an older sandbox"
}

// whyRegular names the first regular container whose record counts.
func (d *decision) whyRegular() string {
	for i := range d.pod.Spec.Containers {
		if st := d.initRecord(d.pod.Spec.Containers[i].Name); st != nil {
			return fmt.Sprintf("%s is %s", st.Name, st.State)
		}
	}
	return "no regular container has a record" + d.ofSandbox()
}

// ofSandbox says which records count.
func (d *decision) ofSandbox() string {
	if d.p.Rules.ActiveSandboxOnly {
		return " of this sandbox"
	}
	return ""
}
