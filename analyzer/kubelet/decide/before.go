package decide

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// before evaluates what kubelet.go checks about a pod before its containers: 1.22+ in the pod worker and SyncPod,
// before that in syncPod alone. The order of the first three makes no difference to the outcome.
func (d *decision) before() Stage {
	b := &d.s.Before
	if d.rejected() {
		return StageRejected
	}
	phase := func() string { return "the pod's phase is " + phaseName(b.Phase) }
	if d.ask(&bDeleted, d.pod.DeletionTimestamp != nil, "", d.whyDeleted) ||
		d.ask(&bDeadline, b.DeadlineExceeded, "", d.whyDeadline) ||
		d.ask(&bTerminal, b.Phase == corev1.PodFailed || b.Phase == corev1.PodSucceeded, "", phase) {
		return StageTerminated
	}
	// Soft admission was removed in 1.31.
	if d.p.Minor <= 30 && d.ask(&bNotAllowed, b.NotRunnable != "", "", func() string {
		if b.NotRunnable == "" {
			return "nothing prevents it"
		}
		return b.NotRunnable
	}) {
		return StageNotRunnable
	}
	if d.ask(&bNetwork, b.NetworkNotReady && !d.pod.Spec.HostNetwork, "", func() string {
		return fmt.Sprintf("network not ready: %s, host network: %s", yesNo(b.NetworkNotReady), yesNo(d.pod.Spec.HostNetwork))
	}) {
		return StageNetwork
	}
	running := d.regularIn(StateRunning)
	// Pods have their own cgroups by default since 1.6.
	if d.p.Minor >= 6 && d.ask(&bCgroup, b.CgroupMissing && running, "", func() string {
		return fmt.Sprintf("cgroup missing: %s, a regular container runs: %s", yesNo(b.CgroupMissing), yesNo(running))
	}) {
		return StageCgroupMissing
	}
	return StageActions
}

// rejected evaluates what HandlePodAdditions checks when a kubelet that has just started finds a pod again: it is
// admitted again, along with the pods before it, and may be refused although it runs. A refused pod is Failed for good:
// its containers are killed and never started again.
func (d *decision) rejected() bool {
	b := &d.s.Before
	if !b.Readmitted {
		return false
	}
	d.ask(&bReadmitted, true, "", func() string { return "the kubelet has just started" })
	ended := b.APIPhase == corev1.PodFailed || b.APIPhase == corev1.PodSucceeded
	if d.ask(&bSpared, ended && d.p.Rules.EndedSkipsAdmission, "", func() string {
		return fmt.Sprintf("its phase in the API is %s; this version spares ended pods: %s",
			phaseName(b.APIPhase), yesNo(d.p.Rules.EndedSkipsAdmission))
	}) {
		return false
	}
	return d.ask(&bRejected, b.Rejected != "", "", func() string {
		if b.Rejected == "" {
			return "nothing prevents it"
		}
		return b.Rejected
	})
}

// runsOnlyOnce reports whether nothing in the pod may ever be restarted: if it is killed because of its cgroup, it is
// not started again.
func (d *decision) runsOnlyOnce() bool {
	once := !d.mayRestart()
	if d.gate(kubelet.ContainerRestartRules) {
		for i := range d.pod.Spec.Containers {
			once = once && !d.restartable(&d.pod.Spec.Containers[i])
		}
	}
	return d.ask(&bCgroupOnce, once, "", func() string { return "the pod's restartPolicy is " + policyName(d.pod) })
}

// restartable reports what api/v1/pod IsContainerRestartable (1.34+) does.
func (d *decision) restartable(c *corev1.Container) bool {
	if c.RestartPolicy == nil {
		return d.mayRestart()
	}
	for i := range c.RestartPolicyRules {
		if c.RestartPolicyRules[i].Action == corev1.ContainerRestartRuleActionRestart {
			return true
		}
	}
	return *c.RestartPolicy != corev1.ContainerRestartPolicyNever
}

func (d *decision) whyDeadline() string {
	if s := d.pod.Spec.ActiveDeadlineSeconds; s != nil {
		return fmt.Sprintf("activeDeadlineSeconds is %d", *s)
	}
	return "the pod has no deadline"
}

func phaseName(p corev1.PodPhase) string {
	if p == "" {
		return "not terminal"
	}
	return string(p)
}
