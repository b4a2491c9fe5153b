package replay

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// loseRecords takes the records of resources away that are supposed to be missing. A file without them lacks the whole
// pod; since 1.37 that is another thing than an entry that lacks one container.
func (st *state) loseRecords(profile kubelet.Profile) {
	if len(st.unrecorded) == 0 {
		return
	}
	if profile.Rules.RecordsMade {
		st.status.Resources, st.status.PodResources = nil, nil
		st.assumed = append(st.assumed, "the whole pod has no records of its resources; an entry that lacks only "+
			strings.Join(st.unrecorded, ", ")+" would still count as a change")
		return
	}
	for _, name := range st.unrecorded {
		delete(st.status.Resources, name)
	}
}

// sandboxAssumed says what is assumed of the containers' sandboxes, where this kubelet judges initialization by them.
func (st *state) sandboxAssumed(profile kubelet.Profile) string {
	if !st.placed || !profile.Rules.ActiveSandboxOnly || len(st.pod.Spec.InitContainers) == 0 {
		return ""
	}
	return "containers whose records were not read belong to the newest sandbox, and from that " +
		profile.ModelledAs + " judges initialization"
}
