package decide

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// PodSandboxChanged returns whether the pod needs another sandbox, the attempt of the sandbox that will run, and the ID
// of the present one (util/util.go PodSandboxChanged, 1.25+; kuberuntime_manager.go podSandboxChanged before). The ID
// is empty when the network mode differs, which is why there is no SandboxChanged event then. The reason is the message
// of the condition PodReadyToStartContainers while it is false (1.37+), empty where nothing changed and before.
func PodSandboxChanged(p kubelet.Profile, pod *corev1.Pod, s *Status) (changed bool,
	attempt uint32, id, reason string) {
	d := decision{p: &p, pod: orEmpty(pod), s: orEmpty(s)}
	changed, attempt, id, why := d.sandboxChanged()
	if !p.Rules.SandboxReasons {
		why = ""
	}
	return changed, attempt, id, why
}

// The messages of PodSandboxChanged (kubelet/types/constants.go, 1.37+).
const (
	noSandboxText   = "no pod sandbox exists"
	manyReadyText   = "multiple pod sandboxes are ready and need to be reconciled"
	notReadyText    = "pod sandbox is not ready"
	networkModeText = "network namespace mode changed and sandbox needs to be recreated"
	noAddressText   = "pod sandbox has no IP address"
)

func (d *decision) sandboxChanged() (changed bool, attempt uint32, id, reason string) {
	boxes, rules := d.s.Sandboxes, &d.p.Rules
	if d.ask(&bNoSandbox, len(boxes) == 0, "", func() string {
		return fmt.Sprintf("the runtime knows %s", plural(len(boxes), "sandbox", "sandboxes"))
	}) {
		return true, 0, "", noSandboxText
	}
	newest, ready := &boxes[0], 0
	for i := range boxes {
		if boxes[i].Ready {
			ready++
		}
	}
	if d.ask(&bManyReady, ready > 1, "", func() string { return fmt.Sprintf("ready are %d of %d", ready, len(boxes)) }) {
		return true, newest.Attempt + 1, newest.ID, manyReadyText
	}
	if d.ask(&bNotReady, !newest.Ready, "", func() string {
		return fmt.Sprintf("attempt %d is %s", newest.Attempt, readiness(newest.Ready))
	}) {
		return true, newest.Attempt + 1, newest.ID, notReadyText
	}
	if d.ask(&bNetworkMode, d.networkModeDiffers(newest), "", func() string {
		return fmt.Sprintf("the sandbox has mode %s, the spec wants hostNetwork: %t", newest.mode(), d.pod.Spec.HostNetwork)
	}) {
		return true, newest.Attempt + 1, "", networkModeText
	}
	if rules.SandboxNeedsIP {
		noIP := !d.pod.Spec.HostNetwork && newest.IP == "" && (newest.NetworkReported || !rules.SandboxIPMayBeUnreported)
		if d.ask(&bNoIP, noIP, "", func() string { return d.describeIP(newest) }) {
			return true, newest.Attempt + 1, newest.ID, noAddressText
		}
	}
	return false, newest.Attempt, newest.ID, ""
}

// networkModeDiffers reports whether the sandbox has another network mode than the spec. Up to 1.9 CRI had a boolean
// for host networking, so that only that was compared.
func (d *decision) networkModeDiffers(box *Sandbox) bool {
	wanted := NamespacePod
	if d.pod.Spec.HostNetwork {
		wanted = NamespaceNode
	}
	if d.p.Rules.NamespaceModes {
		return box.mode() != wanted
	}
	return (box.mode() == NamespaceNode) != d.pod.Spec.HostNetwork
}

func (d *decision) describeIP(box *Sandbox) string {
	switch {
	case d.pod.Spec.HostNetwork:
		return "the pod uses the node's network"
	case box.IP != "":
		return "its address is " + box.IP
	case box.NetworkReported:
		return "the runtime reports an empty address"
	}
	return "the runtime reports no network at all"
}

func (b *Sandbox) mode() NamespaceMode {
	if b.Network == "" {
		return NamespacePod
	}
	return b.Network
}

func readiness(ready bool) string {
	if ready {
		return "ready"
	}
	return "not ready"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
