package preflight

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/replay"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// podView is one pod under the new kubelet.
type podView struct {
	n   *node
	p   *evidence.Pod
	o   *corev1.Pod // nil where it was not read
	out *replay.Takeover
	// cgroup: the new kubelet expects the pod's cgroup elsewhere.
	cgroup bool
	// static: the pod is a static one whose UID the kubelet computes.
	static bool
}

// judgement is a prediction with its reason; whose it is comes last.
type judgement = report.PreflightItem

// assumedSandbox is what is assumed if the runtime was not read.
const assumedSandbox = "one ready sandbox: the runtime's sandboxes were not read"

func (n *node) pod(items []report.PreflightItem, p *evidence.Pod, o *corev1.Pod) []report.PreflightItem {
	v := &podView{n: n, p: p, o: o}
	whole := v.prepare()
	for i := range p.Containers {
		c := &p.Containers[i]
		var j judgement
		if whole != nil {
			j = *whole
		} else {
			j = v.judge(c)
		}
		j.Node, j.Namespace, j.Pod, j.PodUID = n.report.Node, n.of.shared(p.Namespace), p.Name, p.UID
		j.Container, j.Kind = n.of.shared(c.Name), string(c.Kind)
		items = append(items, j)
	}
	return items
}

// prepare decides about the pod; its result applies to all of the pod's containers.
func (v *podView) prepare() *judgement {
	n, p := v.n, v.p
	switch {
	case !n.known:
		return &judgement{Prediction: report.Undetermined, Rule: ruleNoVersion, Because: n.whyNot}
	case v.o == nil:
		return &judgement{Prediction: report.Undetermined, Rule: ruleNoObject, Because: "the pod is known from logs only"}
	}
	switch phase := v.o.Status.Phase; {
	case phase == corev1.PodSucceeded || phase == corev1.PodFailed:
		return &judgement{Prediction: report.Stays, Rule: ruleEnds, Because: "the pod has ended"}
	case v.o.DeletionTimestamp != nil:
		return &judgement{Prediction: report.Stays, Rule: ruleEnds,
			Because: "the pod is being deleted: it ends with either kubelet"}
	}
	v.cgroup = n.crosses(qosSinceInit) && qosDiffers(v.o)
	v.static = p.Mirror && (len(n.static) > 0 || n.staticUnknown) && !n.facts.ownUIDs[p.ConfigHash] &&
		computedUID(p.ConfigHash)
	var with []sim.Hypothesis
	if v.cgroup {
		with = append(with, sim.CgroupMissing)
	}
	if n.unrecorded {
		with = append(with, sim.NoRecords)
	}
	out, err := n.of.index.Upgrade(p, &n.change, with...)
	if err != nil {
		return &judgement{Prediction: report.Undetermined, Rule: ruleNoObject, Because: err.Error()}
	}
	v.out = out
	if out.Actions.Stage == decide.StageTerminated {
		return &judgement{Prediction: report.Stays, Rule: ruleEnds,
			Because: "the pod's work is done or its deadline has passed: it ends with either kubelet"}
	}
	return nil
}

// computedUID reports whether a static pod's UID is one that kubelets compute, 128 bits in hex. One that a manifest
// sets is kept by every version; people write those with dashes.
func computedUID(uid string) bool {
	return len(uid) == 32 && strings.Trim(uid, "0123456789abcdef") == ""
}

func (v *podView) judge(c *evidence.Container) judgement {
	n := v.n
	assumed := n.assumedOfStart()
	if !v.out.SandboxRead {
		assumed = append(assumed, assumedSandbox)
	}
	if v.out.Placed != "" {
		assumed = append(assumed, n.text("assumed-placed", func() string { return v.out.Placed }))
	}
	j, settled := v.apart(c)
	if !settled {
		h := v.hash(c.Name)
		checked := c.Kind == evidence.KindApp || c.Kind == evidence.KindSidecar && n.change.To.HashesSidecars
		if checked && h != nil && !h.Read && h.StoredKnown {
			assumed = append(assumed, n.text("assumed-hash", func() string {
				return "the stored hash is the one that " + n.from.MinorString() +
					" computes for the present spec: the runtime was not read"
			}))
		}
		if j, settled = v.killed(c, h, checked); !settled {
			j = v.survivor(c, h, checked)
		}
	}
	j.Assumed = assumed
	return j
}

// apart predicts what does not depend on the new kubelet's decision about the container.
func (v *podView) apart(c *evidence.Container) (j judgement, settled bool) {
	n := v.n
	if running, known := v.out.Running(c.Name); !running {
		if !known && !v.waiting(c.Name) {
			return judgement{Prediction: report.Undetermined, Rule: ruleNoStatus,
				Because: "the pod's status does not mention the container"}, true
		}
		return judgement{Prediction: report.Stays, Rule: ruleNotRunning,
			Because: "the container does not run: there is nothing to restart"}, true
	}
	if j, refused := v.refused(); refused {
		return j, true
	}
	computed := "its UID " + v.p.ConfigHash + " is one that the kubelet computed"
	switch {
	case n.dockershim():
		return judgement{Prediction: report.MayRestart, Rule: ruleRuntime,
			Because: "dockershim is gone in v1.24: with containerd or CRI-O every container is recreated; cri-dockerd may " +
				"take over running ones"}, true
	case v.static && n.staticUnknown:
		return judgement{Prediction: report.MayRestart, Rule: ruleStatic, Because: n.text(ruleStatic, n.whyStaticUnknown),
			Proof: computed, Function: "applyDefaults"}, true
	case v.static:
		return judgement{Prediction: report.Restarts, Rule: ruleStatic, Because: n.text(ruleStatic, n.whyStatic),
			Proof: computed, Function: "applyDefaults"}, true
	}
	return judgement{}, false
}

// killed says why the new kubelet's decision ends the container.
func (v *podView) killed(c *evidence.Container, h *replay.Hash, checked bool) (judgement, bool) {
	a := &v.out.Actions
	if a.KillPod {
		switch {
		case a.Stage == decide.StageCgroupMissing:
			return judgement{Prediction: report.Restarts, Rule: ruleCgroup, Function: "syncPod",
				Because: "init containers count for the QoS class since v1.16, so the kubelet looks for the pod's cgroup " +
					"elsewhere and kills the pod"}, true
		case a.CreateSandbox:
			return judgement{Prediction: report.Restarts, Rule: ruleSandbox,
				Because:  "the pod's sandbox must be replaced: the whole pod is recreated",
				Function: v.function("sandbox-changed", "")}, true
		}
		return judgement{Prediction: report.Restarts, Rule: ruleDecision,
			Because: "the kubelet stops the pod: nothing in it is left to run"}, true
	}
	for i := range a.ContainersToKill {
		k := &a.ContainersToKill[i]
		if k.Name != c.Name {
			continue
		}
		if checked && h != nil && h.ExpectedKnown && h.StoredKnown && h.Stored != h.Expected {
			return v.hashed(c, h), true
		}
		if strings.HasSuffix(k.Message, "resize requires restart") {
			return judgement{Prediction: report.Restarts, Rule: ruleResize, Function: v.function("resize-restart", c.Name),
				Because: "the new kubelet has no record of the container's resources, and its resize policy requires a restart " +
					"for a change"}, true
		}
		return judgement{Prediction: report.Restarts, Rule: ruleDecision,
			Because: "the kubelet's decision about the container as it is now", Proof: k.Message}, true
	}
	return judgement{}, false
}

// hashed explains a stored hash that is not the new kubelet's.
func (v *podView) hashed(c *evidence.Container, h *replay.Hash) judgement {
	n := v.n
	source := "as " + n.from.MinorString() + " computes it from the spec"
	if h.Read {
		source = "read from the runtime"
	}
	j := judgement{Prediction: report.Restarts, Rule: ruleHash,
		Proof: fmt.Sprintf("stored hash %x (%s), %s computes %x", h.Stored, source, n.to.MinorString(), h.Expected)}
	branch := "hash-differs"
	sidecar := c.Kind == evidence.KindSidecar
	if sidecar {
		branch = "sidecar-hash-differs"
	}
	j.Function = v.function(branch, c.Name)
	switch {
	case sidecar && !n.change.From.HashesSidecars:
		j.Because = n.text("hash-sidecar", func() string {
			return "kubelets since v1.32 compare the hashes of sidecars, which " +
				n.from.MinorString() + " did not, and this container's stored hash is different"
		})
	case h.Read && h.OldKnown && h.Stored != h.Old:
		j.Rule = ruleOtherHash
		j.Because = "the stored hash does not match the present spec with the present kubelet either: a change of the spec " +
			"has not been applied yet"
	default:
		j.Because = n.text(ruleHash, n.whyHash)
	}
	return j
}

// survivor says what may still end a container that the decision keeps.
func (v *podView) survivor(c *evidence.Container, h *replay.Hash, checked bool) judgement {
	n := v.n
	if checked && h != nil {
		switch {
		case h.Unreadable != "":
			return judgement{Prediction: report.Undetermined, Rule: ruleNoHash,
				Because: "the stored hash is not a hexadecimal number", Proof: "it reads " + safetext.Ident(h.Unreadable)}
		case n.from.Minor == n.to.Minor && !h.Read:
			// The same function computes the same hash for the same spec, whatever it is.
		case !h.StoredKnown || !h.ExpectedKnown:
			return judgement{Prediction: report.Undetermined, Rule: ruleNoHash, Because: n.text(ruleNoHash, func() string {
				return "up to v1.30, the hash covers the whole spec, and environment values are not kept: it was not computed " +
					"when the evidence was collected"
			})}
		case !h.Read && c.Kind == evidence.KindSidecar && !n.change.From.HashesSidecars:
			return judgement{Prediction: report.MayRestart, Rule: ruleHash,
				Because: "kubelets since v1.32 compare the hashes of sidecars: it restarts if a kubelet v1.30 or older created " +
					"it, which only the runtime's record shows"}
		}
	}
	if n.driverDiffers() {
		return judgement{Prediction: report.MayRestart, Rule: ruleDriver,
			Because: "the new kubelet uses the cgroup driver that the runtime reports, and then does not find the pod's cgroup"}
	}
	if n.change.To.StartupProbeReruns && c.Startup != nil && v.started(c.Name) {
		return judgement{Prediction: report.MayRestart, Rule: ruleStartup, Because: n.text(ruleStartup, func() string {
			return "kubelet " + n.to.MinorString() +
				" runs the startup probe again after its start, and kills the container if it fails now"
		}), Proof: "a " + c.Startup.Handler + " probe"}
	}
	if n.change.To.ExecProbeTimeout && !n.change.From.ExecProbeTimeout {
		for _, probe := range []*evidence.Probe{c.Liveness, c.Startup} {
			if probe != nil && probe.Handler == "exec" {
				return judgement{Prediction: report.MayRestart, Rule: ruleExec,
					Because: "an exec probe that takes longer than its timeout fails since v1.20",
					Proof:   fmt.Sprintf("timeoutSeconds is %d", probe.Timeout)}
			}
		}
	}
	if n.losesDevices() && v.hasDevices(c.Name) {
		return judgement{Prediction: report.MayRestart, Rule: ruleAdmission,
			Because: "this patch release rejects pods with devices if their plugin has not registered yet when the kubelet " +
				"starts: they fail permanently"}
	}
	if n.report.Extrapolated {
		return judgement{Prediction: report.Stays, Rule: ruleUnchanged,
			Because: n.text(ruleUnchanged, n.unchangedAsFarAsKnown)}
	}
	return judgement{Prediction: report.Stays, Rule: ruleUnchanged, Because: "the new kubelet finds nothing to change"}
}

func (v *podView) hash(name string) *replay.Hash {
	for i := range v.out.Hashes {
		if v.out.Hashes[i].Container == name {
			return &v.out.Hashes[i]
		}
	}
	return nil
}

// function returns the kubelet's function that takes a branch. One trace for each branch of a node is enough.
func (v *podView) function(branch, container string) string {
	return v.n.text("function "+branch, func() string {
		for _, step := range v.out.Trace() {
			if step.Branch == branch && step.Taken && step.Container == container {
				return step.Function
			}
		}
		return ""
	})
}

func (v *podView) status(name string) *corev1.ContainerStatus {
	s := &v.o.Status
	for _, list := range [][]corev1.ContainerStatus{s.ContainerStatuses, s.InitContainerStatuses,
		s.EphemeralContainerStatuses} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// waiting reports whether the container does not run yet according to the status.
func (v *podView) waiting(name string) bool {
	s := v.status(name)
	return s != nil && s.State.Waiting != nil || s == nil && v.o.Status.Phase == corev1.PodPending
}

func (v *podView) started(name string) bool {
	s := v.status(name)
	return s != nil && s.Started != nil && *s.Started
}

// hasDevices reports whether a container has extended resources.
func (v *podView) hasDevices(name string) bool {
	c := sim.Container(&v.o.Spec, name)
	return c != nil && len(devices(c)) > 0
}

// devicesOf returns the extended resources of a pod's containers, as far as they are a device plugin's.
func devicesOf(s *corev1.PodSpec) (names []string) {
	for _, c := range sim.Containers(s) {
		names = append(names, devices(c)...)
	}
	return names
}

func devices(c *corev1.Container) (names []string) {
	for resource := range c.Resources.Limits {
		if strings.Contains(string(resource), "/") && !strings.Contains(string(resource), "kubernetes.io/") {
			names = append(names, string(resource))
		}
	}
	return names
}
