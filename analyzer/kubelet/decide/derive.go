package decide

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// NodeFacts are reasons of a node against a pod.
type NodeFacts struct {
	// NoAppArmor: the kernel or the runtime of the node cannot enforce AppArmor profiles.
	NoAppArmor bool
}

// DeriveBefore fills in what a pod's own object, its records and its node say about what comes before its containers:
// the phase, the deadline and soft admission. What b already has is kept.
func DeriveBefore(p kubelet.Profile, pod *corev1.Pod, s *Status, now time.Time, node NodeFacts, b Before) Before {
	d := decision{p: &p, pod: orEmpty(pod), s: orEmpty(s), o: &Options{}}
	if b.Phase != corev1.PodFailed && b.Phase != corev1.PodSucceeded {
		if phase := d.endPhase(); phase != "" {
			b.Phase = phase
		}
	}
	b.DeadlineExceeded = b.DeadlineExceeded || pastDeadline(d.pod, now)
	if b.NotRunnable == "" && node.NoAppArmor && d.pod.Status.Phase == corev1.PodPending && d.wantsAppArmor() {
		b.NotRunnable = "Cannot enforce AppArmor: AppArmor is not enabled on the host"
	}
	return b
}

// pastDeadline is active_deadline.go pastActiveDeadline.
func pastDeadline(pod *corev1.Pod, now time.Time) bool {
	seconds, start := pod.Spec.ActiveDeadlineSeconds, pod.Status.StartTime
	if seconds == nil || start.IsZero() {
		return false
	}
	// In seconds: the deadline as a Duration could overflow.
	return now.Sub(start.Time).Seconds() >= float64(*seconds)
}

// endPhase is the part of kubelet_pods.go getPhase that ends a pod: Failed, Succeeded, or empty when it continues. A
// container without a record leaves it open, because the kubelet then uses an earlier status.
func (d *decision) endPhase() corev1.PodPhase {
	for i := range d.pod.Spec.InitContainers {
		c := &d.pod.Spec.InitContainers[i]
		st := d.s.find(c.Name)
		switch {
		case st == nil:
		case d.gate(kubelet.SidecarContainers) && IsSidecar(c):
			if st.State != StateExited {
				return ""
			}
		case st.State != StateExited:
			return ""
		case st.ExitCode != 0 && !d.mayRunAgain(c, st):
			return corev1.PodFailed
		}
	}
	if len(d.pod.Spec.Containers) == 0 {
		return ""
	}
	succeeded := 0
	for i := range d.pod.Spec.Containers {
		c := &d.pod.Spec.Containers[i]
		st := d.s.find(c.Name)
		if st == nil || st.State != StateExited || d.mayRunAgain(c, st) {
			return ""
		}
		if st.ExitCode == 0 {
			succeeded++
		}
	}
	if succeeded == len(d.pod.Spec.Containers) {
		return corev1.PodSucceeded
	}
	return corev1.PodFailed
}

// mayRunAgain reports whether policy, and rules where they are on, allow an ended container to run again (api/v1/pod
// ContainerShouldRestart, 1.34+; the pod's policy before).
func (d *decision) mayRunAgain(c *corev1.Container, st *Container) bool {
	if d.gate(kubelet.ContainerRestartRules) && c.RestartPolicy != nil {
		if again, decided := d.ownPolicy(c, st.ExitCode); decided {
			return again
		}
	}
	switch d.pod.Spec.RestartPolicy {
	case corev1.RestartPolicyNever:
		return false
	case corev1.RestartPolicyOnFailure:
		return st.ExitCode != 0
	}
	return true
}

// appArmorAnnotation is the prefix of the annotation with a container's profile, which every kubelet up to 1.30 reads.
const appArmorAnnotation = "container.apparmor.security.beta.kubernetes.io/"

// wantsAppArmor reports whether the pod requests a profile (pkg/security/apparmor isRequired). The API's field is read
// since 1.30.
func (d *decision) wantsAppArmor() bool {
	for key, profile := range d.pod.Annotations {
		if strings.HasPrefix(key, appArmorAnnotation) && profile != "" && profile != "unconfined" {
			return true
		}
	}
	if d.p.Minor < 30 {
		return false
	}
	confined := func(a *corev1.AppArmorProfile) bool {
		return a != nil && a.Type != corev1.AppArmorProfileTypeUnconfined
	}
	if sc := d.pod.Spec.SecurityContext; sc != nil && confined(sc.AppArmorProfile) {
		return true
	}
	for _, list := range [][]corev1.Container{d.pod.Spec.InitContainers, d.pod.Spec.Containers} {
		for i := range list {
			if sc := list[i].SecurityContext; sc != nil && confined(sc.AppArmorProfile) {
				return true
			}
		}
	}
	return false
}
