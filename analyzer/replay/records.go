package replay

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// sandboxAssumed returns what is assumed about the containers' sandboxes, if initialization depends on them for this
// kubelet.
func (st *state) sandboxAssumed(profile kubelet.Profile) string {
	if !st.placed || !profile.Rules.ActiveSandboxOnly || len(st.Pod.Spec.InitContainers) == 0 {
		return ""
	}
	return "containers whose records were not read belong to the newest sandbox; " +
		profile.ModelledAs + " goes by them to see whether init containers are done"
}
