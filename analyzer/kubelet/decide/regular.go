package decide

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

// regularContainers is the second half of computePodActions.
func (d *decision) regularContainers() {
	keep := 0
	for i := range d.pod.Spec.Containers {
		c := &d.pod.Spec.Containers[i]
		st := d.s.find(c.Name)
		if d.ask(&bNotRunning, st == nil || st.State != StateRunning, c.Name, func() string { return d.describe(c.Name) }) {
			d.startStopped(i, st)
			continue
		}
		if d.killRunning(i, st) {
			continue
		}
		if d.p.Rules.Resize == kubelet.ResizeNever || d.resize(i, KindRegular, st) {
			keep++
		}
	}
	left := keep > 0 || len(d.a.ContainersToStart) > 0
	if d.ask(&bNothingLeft, !left, "", func() string {
		return fmt.Sprintf("%d kept, %d to start", keep, len(d.a.ContainersToStart))
	}) {
		d.a.KillPod = true
		if d.usesInitActions() {
			// Sidecars must not keep a finished pod alive.
			d.a.InitContainersToStart = nil
		}
	}
	if d.gate(kubelet.InPlacePodLevelResourcesVerticalScaling) {
		d.a.UpdatePodLevelResources = amountsOf(d.pod.Spec.Resources) != amountsOf(d.s.PodResources)
	}
	d.resizeForStart(d.pod.Spec.Containers, d.a.ContainersToStart)
}

func (d *decision) startStopped(i int, st *Container) {
	c := &d.pod.Spec.Containers[i]
	if !d.shouldRestart(c) {
		return
	}
	d.a.ContainersToStart = append(d.a.ContainersToStart, i)
	if st != nil && d.p.Rules.UnknownIsKilled &&
		d.ask(&bUnknown, st.State == StateUnknown, c.Name, func() string { return d.describe(c.Name) }) {
		d.kill(st.ID, st.Name, ReasonUnknown, unknownText(st.State))
	}
}

// killRunning kills a running container for the first reason that applies and reports whether there was one.
func (d *decision) killRunning(i int, st *Container) bool {
	c := &d.pod.Spec.Containers[i]
	why, restart := cause{}, d.policyAllows(c)
	switch {
	case d.hashDiffers(&bHash, c, st):
		why, restart = cause{plain: "Container %s definition changed"}, true
		if d.p.Rules.KillText == kubelet.KillTextSentence {
			expected, _ := d.expectedHash(c)
			why.sentence = fmt.Sprintf("Container spec hash changed (%d vs %d).", st.Hash, expected)
		}
	case d.ask(&bLiveness, d.s.Liveness[st.ID] == ProbeFailure, c.Name,
		func() string { return whyProbe(d.s.Liveness, st.ID) }):
		why = cause{ReasonLivenessProbe, "Container %s failed liveness probe", "Container failed liveness probe."}
		d.ask(&bRestartKill, restart, c.Name, func() string { return d.whyPolicy(c) })
	case d.p.Rules.StartupKills &&
		d.ask(&bStartup, d.s.Startup[st.ID] == ProbeFailure, c.Name, func() string { return whyProbe(d.s.Startup, st.ID) }):
		why = cause{reason: ReasonStartupProbe, plain: "Container %s failed startup probe"}
		d.ask(&bRestartKill, restart, c.Name, func() string { return d.whyPolicy(c) })
	default:
		return false
	}
	if restart {
		d.a.ContainersToStart = append(d.a.ContainersToStart, i)
	}
	d.kill(st.ID, st.Name, why.reason, d.text(why, c.Name, restart))
	return true
}

// hashDiffers is containerChanged. A hash that cannot be computed counts as unchanged, and the trace says so.
func (d *decision) hashDiffers(b *branch, c *corev1.Container, st *Container) bool {
	expected, known := d.expectedHash(c)
	differs := known && st.Hash != expected
	if differs && d.p.Rules.HashWithoutResources && d.mayResize() {
		without, ok := d.expectedWithoutResources(c)
		differs = ok && st.HashWithoutResources != without
	}
	return d.ask(b, differs, c.Name, func() string {
		if !known {
			return "it is not known what this kubelet would compute; assumed unchanged"
		}
		return fmt.Sprintf("stored %s, this kubelet computes %s", hexOf(st.Hash), hexOf(expected))
	})
}

func hexOf(sum uint64) string { return strconv.FormatUint(sum, 16) }

func (d *decision) expectedHash(c *corev1.Container) (uint64, bool) {
	if d.o != nil && d.o.ExpectedHash != nil {
		return d.o.ExpectedHash(c)
	}
	r, err := hash.Hash(d.modelled(), c)
	return uint64(r.Sum), err == nil
}

func (d *decision) expectedWithoutResources(c *corev1.Container) (uint64, bool) {
	if d.o != nil && d.o.ExpectedHashWithoutResources != nil {
		return d.o.ExpectedHashWithoutResources(c)
	}
	r, err := hash.WithoutResources(d.modelled(), c)
	return uint64(r.Sum), err == nil
}

func (d *decision) modelled() int { return min(d.p.Minor, kubelet.NewestMinor) }
