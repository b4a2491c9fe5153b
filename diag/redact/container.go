package redact

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func container(c *corev1.Container) corev1.Container {
	return corev1.Container{
		Name: c.Name, Image: image(c.Image), ImagePullPolicy: c.ImagePullPolicy,
		Resources:     *withoutClaims(&c.Resources),
		ResizePolicy:  append([]corev1.ContainerResizePolicy(nil), c.ResizePolicy...),
		RestartPolicy: copied(c.RestartPolicy),
		RestartPolicyRules: each(c.RestartPolicyRules, func(r *corev1.ContainerRestartRule) corev1.ContainerRestartRule {
			return *r.DeepCopy()
		}),
		LivenessProbe:          probe(c.LivenessProbe),
		ReadinessProbe:         probe(c.ReadinessProbe),
		StartupProbe:           probe(c.StartupProbe),
		Lifecycle:              lifecycle(c.Lifecycle),
		TerminationMessagePath: c.TerminationMessagePath, TerminationMessagePolicy: c.TerminationMessagePolicy,
	}
}

// image returns the name of an image, without the login that someone wrote into it. No runtime takes such a name.
func image(name string) string {
	if safetext.LogsIn(name) {
		return safetext.Ident(name)
	}
	return name
}

func ephemeral(e *corev1.EphemeralContainer) corev1.EphemeralContainer {
	c := container((*corev1.Container)(&e.EphemeralContainerCommon))
	return corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon(c),
		TargetContainerName: e.TargetContainerName}
}

// withoutClaims keeps amounts; the names of resource claims explain no restarts.
func withoutClaims(r *corev1.ResourceRequirements) *corev1.ResourceRequirements {
	if r == nil {
		return nil
	}
	return &corev1.ResourceRequirements{Limits: r.Limits.DeepCopy(), Requests: r.Requests.DeepCopy()}
}

// probe keeps the schedule and the kind of handler. An exec command may hold a password, a header a token, a path's
// query both.
func probe(p *corev1.Probe) *corev1.Probe {
	if p == nil {
		return nil
	}
	out := &corev1.Probe{
		InitialDelaySeconds: p.InitialDelaySeconds, TimeoutSeconds: p.TimeoutSeconds, PeriodSeconds: p.PeriodSeconds,
		SuccessThreshold: p.SuccessThreshold, FailureThreshold: p.FailureThreshold,
		TerminationGracePeriodSeconds: copied(p.TerminationGracePeriodSeconds),
	}
	switch {
	case p.Exec != nil:
		out.Exec = &corev1.ExecAction{}
	case p.HTTPGet != nil:
		out.HTTPGet = &corev1.HTTPGetAction{Path: path(p.HTTPGet.Path), Port: p.HTTPGet.Port, Scheme: p.HTTPGet.Scheme}
	case p.TCPSocket != nil:
		out.TCPSocket = &corev1.TCPSocketAction{Port: p.TCPSocket.Port}
	case p.GRPC != nil:
		out.GRPC = &corev1.GRPCAction{Port: p.GRPC.Port, Service: copied(p.GRPC.Service)}
	}
	return out
}

// path keeps the path of a URL and drops its query and fragment.
func path(s string) string {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i] + "?" + Mark
	}
	return Text(s)
}

// lifecycle keeps which hooks exist, and their kind.
func lifecycle(l *corev1.Lifecycle) *corev1.Lifecycle {
	if l == nil {
		return nil
	}
	return &corev1.Lifecycle{PostStart: hook(l.PostStart), PreStop: hook(l.PreStop), StopSignal: copied(l.StopSignal)}
}

func hook(h *corev1.LifecycleHandler) *corev1.LifecycleHandler {
	if h == nil {
		return nil
	}
	out := &corev1.LifecycleHandler{Sleep: copied(h.Sleep)}
	switch {
	case h.Exec != nil:
		out.Exec = &corev1.ExecAction{}
	case h.HTTPGet != nil:
		out.HTTPGet = &corev1.HTTPGetAction{Port: h.HTTPGet.Port}
	case h.TCPSocket != nil:
		out.TCPSocket = &corev1.TCPSocketAction{Port: h.TCPSocket.Port}
	}
	return out
}
