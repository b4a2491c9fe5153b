package decide

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// PodSandboxChanged returns whether the pod needs another sandbox, the attempt of the sandbox that will run, and the ID
// of the present one (util/util.go PodSandboxChanged, 1.25+; kuberuntime_manager.go podSandboxChanged before).
func PodSandboxChanged(p kubelet.Profile, pod *corev1.Pod, s *Status) (changed bool, attempt uint32, id string) {
	if len(s.Sandboxes) == 0 {
		return true, 0, ""
	}
	newest := &s.Sandboxes[0]
	ready := 0
	for i := range s.Sandboxes {
		if s.Sandboxes[i].Ready {
			ready++
		}
	}
	switch {
	case ready > 1, !newest.Ready:
		return true, newest.Attempt + 1, newest.ID
	case (newest.Network == NamespaceNode) != pod.Spec.HostNetwork:
		return true, newest.Attempt + 1, ""
	}
	return false, newest.Attempt, newest.ID
}
