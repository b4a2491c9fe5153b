package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// The largest version differences that the project supports (the version skew policy of Kubernetes).
const (
	skewSince28  = 3
	skewBefore28 = 2
)

// findings returns the problems of the node itself, worst first. What the present kubelet would fail on as well is not
// because of the change: it runs.
func (n *node) findings() []report.Finding {
	if !n.known {
		return []report.Finding{{Level: report.FindingCheck, Rule: ruleNoVersion, Text: n.whyNot, Do: advice[ruleNoVersion]}}
	}
	var all []report.Finding
	for _, find := range []func(*node) []report.Finding{
		(*node).extrapolationFindings, (*node).gateFindings, (*node).runtimeFindings,
		(*node).cgroupFindings, (*node).checkpointFindings, (*node).versionFindings, (*node).flagFindings,
		(*node).admissionFindings, (*node).readinessFindings, (*node).memoryFindings,
		(*node).settingFindings, (*node).evictionFindings,
	} {
		all = append(all, find(n)...)
	}
	if n.ready == "False" || n.ready == "Unknown" {
		all = append(all, report.Finding{Level: report.FindingCheck, Rule: "node-not-ready",
			Text: "the node is not ready: the data about its containers may be old",
			Do:   "check the node before you touch its kubelet"})
	}
	levels := report.FindingLevels()
	slices.SortStableFunc(all, func(a, b report.Finding) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
	return all
}

// gateFindings: a gate that is unknown, or set against its lock, stops the kubelet (featuregate Set).
func (n *node) gateFindings() (out []report.Finding) {
	for _, name := range slices.Sorted(maps.Keys(n.facts.gates)) {
		span, listed := gates()[name]
		value := n.facts.gates[name]
		came := cameWith(name)
		switch {
		case came > n.to.Minor && came <= n.from.Minor:
			out = append(out, report.Finding{Level: report.FindingBlocker, Rule: "feature-gate-unknown",
				Text: fmt.Sprintf("feature gate %s is set in %s, but kubelets before v1.%d do not know it",
					name, n.facts.gatesFrom, came), Do: "remove the gate from the kubelet's configuration and flags"})
		case !listed:
		case span.Last != 0 && n.to.Minor > span.Last && n.from.Minor <= span.Last:
			out = append(out, report.Finding{Level: report.FindingBlocker, Rule: "feature-gate-removed",
				Text: fmt.Sprintf("feature gate %s is set in %s, but kubelet v1.%d and newer do not know it",
					name, n.facts.gatesFrom, span.Last+1), Do: "remove the gate from the kubelet's configuration and flags"})
		case span.Locked != 0 && n.crosses(span.Locked) && value != span.Value:
			out = append(out, report.Finding{Level: report.FindingBlocker, Rule: "feature-gate-locked",
				Text: fmt.Sprintf("feature gate %s=%t is set in %s, but kubelet v1.%d and newer lock it to %t",
					name, value, n.facts.gatesFrom, span.Locked, span.Value),
				Do: "remove the gate from the kubelet's configuration and flags"})
		}
	}
	return out
}

// cameWith returns the minor that introduced a gate, 0 if that was before 1.25 or is unknown.
func cameWith(gate string) int {
	for minor, gates := range newGates() {
		if slices.Contains(gates, gate) {
			return minor
		}
	}
	return 0
}

// runtimeFindings: what the new kubelet requires of the runtime.
func (n *node) runtimeFindings() (out []report.Finding) {
	name, version, known := n.runtime()
	switch {
	case n.dockershim():
		out = append(out, report.Finding{Level: report.FindingRisk, Rule: "dockershim-removed",
			Text: "the containers were created through dockershim, which kubelet v1.24 and newer do not have",
			Do:   advice[ruleRuntime]})
	case name == "containerd" && known && n.crosses(26) && (version.Major < 1 || version.Major == 1 && version.Minor < 6):
		out = append(out, report.Finding{Level: report.FindingBlocker, Rule: "cri-api-removed",
			Text: fmt.Sprintf("containerd %d.%d has no CRI v1, and kubelet v1.26 and newer require it",
				version.Major, version.Minor), Do: "upgrade containerd to 1.6 or newer first"})
	case name == "" && (n.crosses(24) || n.crosses(26)):
		out = append(out, report.Finding{Level: report.FindingCheck, Rule: "runtime-unknown",
			Text: "the node's container runtime is not known: v1.24 does not support dockershim, v1.26 requires CRI v1"})
	}
	return out
}

// cgroupFindings: kubelets refuse cgroup v1 by default since 1.35 (failCgroupV1).
func (n *node) cgroupFindings() []report.Finding {
	if n.windows() {
		return nil
	}
	var out []report.Finding
	if refuses := n.facts.failCgroupV1; n.crosses(35) && (refuses == nil || *refuses) {
		switch n.facts.cgroup {
		case 1:
			out = append(out, report.Finding{Level: report.FindingBlocker, Rule: "cgroup-v1-refused",
				Text: "the node has cgroup v1, and kubelet v1.35 and newer do not start on it by default",
				Do:   "boot the node with cgroup v2, or set failCgroupV1: false"})
		case 0:
			out = append(out, report.Finding{Level: report.FindingCheck, Rule: "cgroup-version-unknown",
				Text: "the node's cgroup version was not read; kubelet v1.35 and newer do not start on cgroup v1 by default",
				Do:   "stat -fc %T /sys/fs/cgroup prints cgroup2fs for v2; --evidence pod reads it"})
		}
	}
	if n.driverDiffers() {
		out = append(out, report.Finding{Level: report.FindingRisk, Rule: ruleDriver,
			Text: fmt.Sprintf("the kubelet uses the cgroup driver %s, its runtime %s; kubelet v1.31 and newer use the driver "+
				"that the runtime reports (containerd 2.0, CRI-O 1.28)", n.facts.kubeletDriver, n.facts.pathDriver),
			Do: advice[ruleDriver]})
	}
	return out
}

// innerSince is the first minor that writes the cpu and memory managers' state twice and reads the second one
// (cm/cpumanager/state/checkpoint.go VerifyChecksum).
const innerSince = 37

// checkpointFindings: a state file that cannot be read stops the kubelet.
func (n *node) checkpointFindings() (out []report.Finding) {
	broken := slices.DeleteFunc(slices.Clone(n.facts.unreadable), func(name string) bool {
		return n.to.Minor >= innerSince && n.facts.innerGood[name]
	})
	for _, name := range slices.Sorted(maps.Keys(n.facts.innerBad)) {
		if n.facts.innerBad[name] && n.to.Minor >= innerSince && !slices.Contains(broken, name) {
			broken = append(broken, name)
		}
	}
	for _, name := range broken {
		resources := name == "actuated_pods_state" || name == "allocated_pods_state"
		if !resources && name != "cpu_manager_state" && name != "memory_manager_state" ||
			resources && n.to.Minor < actuatedSince {
			continue
		}
		out = append(out, report.Finding{Level: report.FindingBlocker, Rule: "checkpoint-unreadable",
			Text: "the kubelet's state file " + name + " cannot be read", Do: "drain the node and remove the file"})
	}
	return out
}

// versionFindings: what the project does not support.
func (n *node) versionFindings() (out []report.Finding) {
	risk := func(rule, text, do string) {
		out = append(out, report.Finding{Level: report.FindingRisk, Rule: rule, Text: text, Do: do})
	}
	switch steps := n.to.Minor - n.from.Minor; {
	case n.to.Compare(n.from) < 0 && n.to.Minor != n.from.Minor:
		risk("downgrade", fmt.Sprintf("%s is older than %s: a kubelet is not designed to read files that a newer one wrote",
			n.to, n.from), "drain the node first")
	case steps > skewSince28:
		risk("minors-skipped", fmt.Sprintf("%s is %d minor versions newer than %s: no API server supports both (at most %d "+
			"apart)", n.to.MinorString(), steps, n.from.MinorString(), skewSince28), "upgrade in steps, control plane first")
	case steps > 0:
		risk("minor-in-place", fmt.Sprintf("Kubernetes does not support changing the kubelet's minor version under running "+
			"pods (%s to %s)", n.from.MinorString(), n.to.MinorString()), "drain the node first")
	}
	api := n.of.apiServer
	if api.Major == 0 {
		return out
	}
	allowed := skewBefore28
	if api.Minor >= 28 {
		allowed = skewSince28
	}
	switch behind := api.Minor - n.to.Minor; {
	case behind < 0:
		risk("newer-than-api-server", fmt.Sprintf("kubelet %s would be newer than its API server %s",
			n.to.MinorString(), api), "upgrade the control plane first")
	case behind > allowed:
		risk("older-than-api-server",
			fmt.Sprintf("kubelet %s would be %d minor versions older than its API server %s; %d are supported",
				n.to.MinorString(), behind, api, allowed), "use a newer kubelet")
	}
	return out
}

// flagFindings: an unknown flag stops the kubelet (cmd/kubelet/app/server.go NewKubeletCommand). If the node's command
// line was not read, the removed flags are listed.
func (n *node) flagFindings() []report.Finding {
	var gone []string
	for minor := n.from.Minor + 1; minor <= n.to.Minor; minor++ {
		gone = append(gone, removedFlags()[minor]...)
	}
	given := slices.DeleteFunc(slices.Clone(gone), func(name string) bool {
		// The present command line says more than the log of an earlier start.
		return !slices.Contains(n.facts.flags, name) && (n.facts.flags != nil || !n.facts.given[name])
	})
	switch {
	case len(given) > 0:
		return []report.Finding{{Level: report.FindingBlocker, Rule: "flag-removed",
			Text: fmt.Sprintf("the kubelet has the flag --%s, which kubelet %s no longer knows: it exits at once",
				strings.Join(given, ", --"), n.to.MinorString()),
			Do: "remove the flag from the kubelet's command line (unit and drop-ins, kubeadm-flags.env)"}}
	case len(gone) == 0 || n.facts.flags != nil:
		return nil
	}
	return []report.Finding{{Level: report.FindingCheck, Rule: "flags-removed",
		Text: fmt.Sprintf("kubelet %s exits at once if it gets a flag that it no longer knows: --%s",
			n.to.MinorString(), strings.Join(gone, ", --")),
		Do: "check the kubelet's command line (unit and drop-ins, kubeadm-flags.env)"}}
}

// readinessFindings counts the containers that are not ready for a while although nothing restarts them: up to 1.34 a
// kubelet that starts has no readiness results (prober/prober_manager.go UpdatePodStatus).
func (n *node) readinessFindings() []report.Finding {
	rules, err := probe.RulesFor(n.to)
	if err != nil || rules.KeepsOverRestart {
		return nil
	}
	if n.probed == 0 {
		return nil
	}
	return []report.Finding{{Level: report.FindingNote, Rule: "readiness-flip",
		Text: fmt.Sprintf("up to v1.34, a starting kubelet has lost the results of readiness probes: containers with one "+
			"(%d here) may be not ready, and get no traffic, until it passes again; nothing restarts because of this",
			n.probed)}}
}
