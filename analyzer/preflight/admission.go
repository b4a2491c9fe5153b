package preflight

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A kubelet that starts admits every pod of its node again, in the order of creation and along with those that it has
// admitted before (pkg/kubelet/kubelet.go HandlePodAdditions). What it refuses fails for good.
const admits = "HandlePodAdditions"

// Minors of admission.
const (
	// nodeAwaited is the first minor whose pods from the API server wait until the node's labels are known
	// (pkg/kubelet/config/apiserver.go NewSourceApiserver). Static pods wait for nothing.
	nodeAwaited = 18
	// refusesTaints is the first minor that refuses pods for NoExecute taints (lifecycle/predicate.go generalFilter).
	refusesTaints = 24
	// Kubelets from asksSidecars to asksSidecarsUntil refuse sidecars if the gate SidecarContainers is off
	// (lifecycle/predicate.go Admit).
	asksSidecars, asksSidecarsUntil = 28, 32
)

// ownLabels are those that a kubelet sets again when it starts (kubelet_node_status.go updateDefaultLabels), before or
// after it admits pods.
var ownLabels = []string{
	corev1.LabelHostname, corev1.LabelTopologyZone, corev1.LabelTopologyRegion,
	corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion,
	corev1.LabelInstanceTypeStable, corev1.LabelInstanceType, corev1.LabelOSStable,
	corev1.LabelArchStable, corev1.LabelWindowsBuild,
	"beta.kubernetes.io/os", "beta.kubernetes.io/arch",
}

// refused reports whether admission refuses the pod because of what it requires of its node.
func (v *podView) refused() (judgement, bool) {
	n, r := v.n, v.p.Readmission
	j := judgement{Prediction: report.Restarts, Rule: ruleAdmission, Function: admits}
	// If 1.28 runs them, its gate is on.
	if n.from.Minor != asksSidecars && n.to.Minor >= asksSidecars && n.to.Minor <= asksSidecarsUntil &&
		!n.change.To.Gates.On(kubelet.SidecarContainers) && v.hasSidecar() {
		j.Because = "a kubelet without the gate SidecarContainers rejects pods with sidecars when it admits them again: " +
			"the pod fails permanently"
		return j, true
	}
	switch {
	case r == nil:
		return j, false
	case len(r.Unmatched) > 0:
		j.Because = "the node no longer matches the pod's node selector or required node affinity, and a starting kubelet " +
			"rejects the pod: it fails permanently"
		j.Proof = "required labels that the node lacks: " + strings.Join(r.Unmatched, ", ")
		switch {
		case v.p.Mirror || n.to.Minor < nodeAwaited:
			j.Prediction = report.MayRestart
			j.Because = "the node no longer matches the pod's node selector or required node affinity: the kubelet rejects " +
				"the pod if it knows the node's labels by then"
		case !slices.ContainsFunc(r.Unmatched, func(key string) bool { return !slices.Contains(ownLabels, key) }):
			j.Prediction = report.MayRestart
			j.Because = "the node lacks labels that the pod requires and that a kubelet sets itself: whether it rejects the " +
				"pod depends on which of the two it does first"
		}
		return j, true
	case len(r.Untolerated) > 0 && n.to.Minor >= refusesTaints && !v.p.Mirror:
		j.Because = "the node has a NoExecute taint that the pod does not tolerate, and a starting kubelet v1.24 or newer " +
			"rejects the pod: it fails permanently"
		j.Proof = "taints: " + strings.Join(r.Untolerated, ", ")
		return j, true
	}
	return j, false
}

func (v *podView) hasSidecar() bool {
	return slices.ContainsFunc(v.p.Containers, func(c evidence.Container) bool { return c.Kind == evidence.KindSidecar })
}

// claim is what an admitted pod uses of its node, and the range of its items in the node's items.
type claim struct {
	created     int64 // Unix time
	amounts     [claimed]int64
	critical    bool // the kubelet makes room for it and does not refuse it (pkg/kubelet/preemption)
	first, last int
}

// The resources that the kubelet counts for every pod (noderesources Fits).
const (
	claimCPU    = iota // in thousandths
	claimMemory        // in bytes
	claimStorage
	claimPods
	claimed
)

var claimNames = [claimed]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory,
	corev1.ResourceEphemeralStorage, corev1.ResourcePods}

// systemCritical is the lowest priority for which the kubelet makes room (scheduling SystemCriticalPriority).
const systemCritical = 2_000_000_000

// claims records what a pod uses; what has ended or is being deleted uses nothing.
func (n *node) claims(p *evidence.Pod, o *corev1.Pod, first, last int) {
	if n.room == nil || o.DeletionTimestamp != nil || o.Status.Phase == corev1.PodSucceeded ||
		o.Status.Phase == corev1.PodFailed {
		return
	}
	c := claim{created: p.CreatedAt.Unix(), amounts: requests(o), first: first, last: last, critical: p.Mirror}
	c.critical = c.critical || o.Spec.Priority != nil && *o.Spec.Priority >= systemCritical
	n.admitted = append(n.admitted, c)
}

// requests returns the least that a pod requests: what runs at one time, or the largest init container if that is more.
// A container that is being resized counts with the smaller of its allocated and its requested resources. The overhead
// of a runtime class is left out.
func requests(p *corev1.Pod) (sum [claimed]int64) {
	sum[claimPods] = 1
	var peak, sidecars [claimed]int64
	for i := range p.Spec.InitContainers {
		c := &p.Spec.InitContainers[i]
		one := requested(c, p.Status.InitContainerStatuses)
		sidecar := decide.IsSidecar(c)
		for r := range claimPods {
			if sidecar {
				sidecars[r] += one[r]
				sum[r] += one[r]
			}
			peak[r] = max(peak[r], sidecars[r])
			if !sidecar {
				peak[r] = max(peak[r], sidecars[r]+one[r])
			}
		}
	}
	for i := range p.Spec.Containers {
		one := requested(&p.Spec.Containers[i], p.Status.ContainerStatuses)
		for r := range claimPods {
			sum[r] += one[r]
		}
	}
	for r := range claimPods {
		sum[r] = max(sum[r], peak[r])
	}
	return sum
}

func requested(c *corev1.Container, statuses []corev1.ContainerStatus) (out [claimed]int64) {
	out = amountsOf(c.Resources.Requests)
	for i := range statuses {
		if s := &statuses[i]; s.Name == c.Name && s.Resources != nil {
			given := amountsOf(s.Resources.Requests)
			for r := range claimPods {
				out[r] = min(out[r], given[r])
			}
		}
	}
	return out
}

func amountsOf(l corev1.ResourceList) (out [claimed]int64) {
	out[claimCPU] = l.Cpu().MilliValue()
	out[claimMemory], out[claimStorage] = l.Memory().Value(), l.StorageEphemeral().Value()
	return out
}

// overflow admits the node's pods again. If they request more than there is, it reports those that no longer fit, in
// the order of creation; the order between static pods and those of the API server is unknown, so they only may end.
func (n *node) overflow() {
	if n.room == nil {
		return
	}
	room := [claimed]int64{n.room.MilliCPU, n.room.Memory, n.room.EphemeralStorage, n.room.Pods}
	if room[claimStorage] == 0 {
		room[claimStorage] = 1<<63 - 1 // not reported, not counted
	}
	slices.SortStableFunc(n.admitted, func(a, b claim) int { return cmp.Compare(a.created, b.created) })
	var used [claimed]int64
	for _, c := range n.admitted {
		short := -1
		for r := range claimed {
			// A pod that requests nothing fits however full the node is.
			if c.amounts[r] > 0 && used[r]+c.amounts[r] > room[r] {
				short = r
				break
			}
		}
		if short >= 0 && !c.critical {
			n.refusedPods++
			n.shortOf = claimNames[short]
			proof := fmt.Sprintf("%s: requests %s, %s of %s are left", claimNames[short],
				amount(short, c.amounts[short]), amount(short, max(room[short]-used[short], 0)), amount(short, room[short]))
			for i := c.first; i < c.last; i++ {
				crowdOut(&n.items[i], claimNames[short], proof)
			}
			continue
		}
		for r := range claimed {
			used[r] += c.amounts[r]
		}
	}
	n.admitted = nil
}

// crowdOut changes the prediction for a container that runs and would stay.
func crowdOut(it *report.PreflightItem, short corev1.ResourceName, proof string) {
	if it.Prediction != report.Stays && it.Prediction != report.MayRestart ||
		it.Rule == ruleNotRunning || it.Rule == ruleEnds {
		return
	}
	it.Prediction, it.Rule, it.Function, it.Proof = report.MayRestart, ruleAdmission, admits, proof
	it.Because = fmt.Sprintf(
		"the pods on the node request more %s than it has, and a starting kubelet admits the oldest first: this one is "+
			"among those that no longer fit (OutOf%s)", short, short)
}

func amount(r int, v int64) string {
	switch r {
	case claimCPU:
		return resource.NewMilliQuantity(v, resource.DecimalSI).String()
	case claimPods:
		return fmt.Sprint(v)
	}
	return resource.NewQuantity(v, resource.BinarySI).String()
}

// admissionFindings: the effects of admission on all of the node's pods.
func (n *node) admissionFindings() (out []report.Finding) {
	if n.refusedPods > 0 {
		out = append(out, report.Finding{Level: report.FindingRisk, Rule: "node-overcommitted",
			Text: fmt.Sprintf("the pods here request more than the node has for them (%s): a starting kubelet admits the "+
				"oldest first and rejects what no longer fits, pods here: %d", n.shortOf, n.refusedPods),
			Do: advice[ruleAdmission]})
	}
	if n.ended > 0 && !n.change.To.Rules.EndedSkipsAdmission {
		out = append(out, report.Finding{Level: report.FindingRisk, Rule: "ended-admitted-again",
			Text: fmt.Sprintf("kubelet %s runs admission again for pods that have succeeded (%d here), and sets those that it "+
				"rejects to Failed", n.to, n.ended),
			Do: "use a patch release that skips them (1.28.14, 1.29.9, 1.30.5, 1.31.1 or newer)"})
	}
	if len(n.devices) > 0 {
		out = append(out, report.Finding{Level: report.FindingNote, Rule: "devices-register-again",
			Text: fmt.Sprintf("pods here have devices (%s): until their plugins have registered with the new kubelet, a pod "+
				"that is new to the node and requests one is rejected permanently (UnexpectedAdmissionError)",
				strings.Join(slices.Sorted(maps.Keys(n.devices)), ", "))})
	}
	return out
}
