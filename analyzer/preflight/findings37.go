package preflight

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// What begins with 1.37 and concerns the node rather than one container.
const since37 = 37

// formerFactor is the factor that 1.37 accepts in a configuration although the gate is off: the former default
// (apis/config/validation/validation.go previousDefaultMemoryThrottlingFactor).
const formerFactor = 0.9

// off and on report whether a gate was explicitly set so.
func (n *node) off(gate string) bool { on, set := n.facts.gates[gate]; return set && !on }
func (n *node) on(gate string) bool  { return n.facts.gates[gate] }

// memoryFindings: the gate MemoryQoS is on by default, and without a factor it throttles nothing
// (kuberuntime_container_linux.go generateLinuxContainerResources).
func (n *node) memoryFindings() []report.Finding {
	factor := n.facts.settings.MemoryThrottlingFactor
	if !n.crosses(since37) || factor == nil || n.windows() {
		return nil
	}
	switch {
	case n.off("MemoryQoS") && *factor != formerFactor:
		return []report.Finding{{Level: report.FindingBlocker, Rule: "memory-throttling-factor",
			Text: fmt.Sprintf("memoryThrottlingFactor is %g and the feature gate MemoryQoS is off: kubelet v1.37 and newer do "+
				"not start with that", *factor),
			Do: "remove memoryThrottlingFactor from the kubelet's configuration"}}
	case n.off("MemoryQoS"), n.on("MemoryQoS"):
		return nil
	}
	return []report.Finding{{Level: report.FindingRisk, Rule: "memory-qos-on",
		Text: fmt.Sprintf("memoryThrottlingFactor is %g, and the feature gate MemoryQoS is on by default since v1.37: on "+
			"cgroup v2, containers that the new kubelet creates are throttled near their memory limit (memory.high); running "+
			"ones are not affected", *factor),
		Do: "remove memoryThrottlingFactor from the kubelet's configuration, or set MemoryQoS: false with a factor of 0.9 " +
			"or none"}}
}

// settingFindings: settings and gates that 1.37 treats differently from older kubelets.
func (n *node) settingFindings() (out []report.Finding) {
	s := &n.facts.settings
	if s.DefaultPodSysctls && n.to.Minor >= since37 && !n.on("DefaultPodSysctls") {
		out = append(out, report.Finding{Level: report.FindingBlocker, Rule: "default-pod-sysctls",
			Text: "defaultPodSysctls is set without the feature gate DefaultPodSysctls: kubelet v1.37 and newer do not start " +
				"with that", Do: "remove defaultPodSysctls from the kubelet's configuration, or set the gate"})
	}
	if !n.crosses(since37) {
		return append(out, n.runtimeAnnounced()...)
	}
	for _, name := range s.UnsafeSysctls {
		if strings.HasPrefix(name, "user.") || strings.HasPrefix(name, "user/") {
			out = append(out, report.Finding{Level: report.FindingRisk, Rule: "user-sysctls",
				Text: "sysctls user.* are allowed here, but kubelet v1.37 and newer reject them for pods that share the host's " +
					"users: such a pod fails permanently when the kubelet starts",
				Do: "give these pods hostUsers: false, or drain them"})
			break
		}
	}
	if n.off("PreventStaticPodAPIReferences") {
		out = append(out, report.Finding{Level: report.FindingRisk, Rule: "static-pod-references",
			Text: "the feature gate PreventStaticPodAPIReferences is off here: kubelet v1.37 and newer always reject static " +
				"pod manifests that refer to API objects (secrets, config maps, service accounts, claims)",
			Do: "remove such references from the manifests first"})
	}
	if n.podLevel > 0 {
		out = append(out, report.Finding{Level: report.FindingNote, Rule: "static-pod-qos",
			Text: fmt.Sprintf("kubelet v1.37 and newer set no default requests for static pods with pod-level resources "+
				"(here: %d): their QoS class may change", n.podLevel)})
	}
	if q := s.EventRecordQPS; q != nil && *q == 0 {
		out = append(out, report.Finding{Level: report.FindingNote, Rule: "events-unlimited",
			Text: "eventRecordQPS is 0, which means no limit since v1.37 and meant 5 a second before: more events reach the " +
				"API server"})
	}
	if _, set := n.facts.gates["SELinuxMount"]; !set && !n.windows() {
		out = append(out, report.Finding{Level: report.FindingNote, Rule: "selinux-mount",
			Text: "where the node has SELinux: the feature gate SELinuxMount is on since v1.37, so volumes of drivers with " +
				"seLinuxMount are mounted again with the pod's label, and pods with different labels can no longer share one"})
	}
	return append(out, n.runtimeAnnounced()...)
}

// runtimeAnnounced: 1.38 is announced to require a runtime that reports its cgroup driver (CRI's RuntimeConfig;
// containerd 2.0, CRI-O 1.28). 1.37 still works without (metric kubelet_cri_losing_support).
func (n *node) runtimeAnnounced() []report.Finding {
	name, version, known := n.runtime()
	if n.to.Minor < 38 || n.from.Minor >= 38 || !known || name != "containerd" || version.Major >= 2 {
		return nil
	}
	return []report.Finding{{Level: report.FindingRisk, Rule: "cri-runtime-config",
		Text: fmt.Sprintf("containerd %d.%d does not report its cgroup driver, and v1.38 is announced to require a runtime "+
			"that does", version.Major, version.Minor), Do: "upgrade containerd to 2.0 or newer first"}}
}

// evictionFindings: new reasons for evictions in 1.37.
func (n *node) evictionFindings() (out []report.Finding) {
	if !n.crosses(since37) {
		return nil
	}
	// server/stats/summary.go adjustForHugePages
	if n.room != nil && n.room.Hugepages > 0 && !n.off("HugepageAwareEviction") {
		out = append(out, report.Finding{Level: report.FindingRisk, Rule: "hugepage-aware-eviction",
			Text: fmt.Sprintf("the node has huge pages (%s), which kubelet v1.37 and newer no longer count as available "+
				"memory: MemoryPressure and evictions may begin with the change", amount(claimMemory, n.room.Hugepages)),
			Do: "before the change, compare memory.available without the huge pages with the eviction thresholds"})
	}
	// eviction/eviction_manager.go containerEphemeralStorageLimitEviction
	if n.limitedSidecars > 0 {
		out = append(out, report.Finding{Level: report.FindingRisk, Rule: "sidecar-storage-limits",
			Text: fmt.Sprintf("sidecars here have a limit on ephemeral storage (%d), which kubelet v1.37 and newer enforce: "+
				"they evict a pod whose sidecar exceeds it", n.limitedSidecars),
			Do: "compare what the sidecars write with their limits before the change"})
	}
	return out
}
