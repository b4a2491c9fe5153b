package predict

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// inputs is what the state that the kubelet saw is made from. They are cheap to compute: equal ones share an outcome.
type inputs struct {
	profile *kubelet.Profile
	object  *podobject.Object
	restart *timeline.Restart
	now     time.Time
	box     *timeline.Sandbox // nil when unknown
	// ended are the exit codes of the regular containers that had ended before, by index; else running.
	ended [maxContainers]int16
	// guessed: for some neighbour it is unknown whether it ran.
	guessed bool
}

// maxContainers is the largest pod that is predicted.
const maxContainers = 32

// crowded reports whether a pod is too large: comparing with each of its containers is quadratic.
func crowded(r *timeline.Restart) bool {
	s := r.Pod.Object.Spec
	return len(s.Containers)+len(s.InitContainers)+len(s.EphemeralContainers) > maxContainers ||
		len(r.Lives()) > 4*maxContainers
}

// running replaces the exit code of a container that had not ended.
const running = -1

// inputsOf returns the pod right before the end of the item's old instance. ok is false where the spec is unknown, or
// where it depends on unknown gates.
func inputsOf(t *timeline.History, f *finding.Findings, profile *kubelet.Profile) (inputs, bool) {
	r := f.R
	if r.Pod == nil || r.Pod.Object == nil || crowded(r) || gated(profile, r.Pod.Object.Spec) ||
		r.ContainerKind == evidence.KindEphemeral || sim.Container(r.Pod.Object.Spec, r.Container) == nil {
		return inputs{}, false
	}
	g := inputs{profile: profile, object: r.Pod.Object, restart: r, now: decidedAt(f)}
	if r.From.SandboxID != "" {
		g.box = t.SandboxOf(r.From)
	}
	lives := r.Lives()
	for i := range g.object.Spec.Containers {
		g.ended[i] = running
		name := g.object.Spec.Containers[i].Name
		if name == r.Container {
			continue
		}
		in := aliveAt(lives, name, g.now)
		g.guessed = g.guessed || in == nil
		if in != nil && in.Exited() && !in.Finished.IsZero() && in.Finished.Before(g.now.Add(-tolerance.Slack)) &&
			in.ExitCode != nil {
			g.ended[i] = int16(min(max(*in.ExitCode, 0), 255))
		}
	}
	return g, true
}

// profileOf returns the profile of the kubelet that decided, nil when its version is unknown.
func profileOf(version string) *kubelet.Profile {
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		return nil
	}
	if p, err := kubelet.ProfileFor(v); err == nil {
		return &p
	}
	return nil
}

// gated reports whether the decision depends on a gate that is off by default in the minor: since the API server
// accepted the field, someone turned one on, but it is unknown where.
func gated(p *kubelet.Profile, spec *corev1.PodSpec) bool {
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; decide.IsSidecar(c) && !p.Gates.On(kubelet.SidecarContainers) && p.Minor < 33 ||
			len(c.RestartPolicyRules) > 0 && !p.Gates.On(kubelet.RestartAllContainersOnContainerExits) {
			return true
		}
	}
	for i := range spec.Containers {
		if c := &spec.Containers[i]; c.RestartPolicy != nil && !p.Gates.On(kubelet.ContainerRestartRules) ||
			len(c.RestartPolicyRules) > 0 && !p.Gates.On(kubelet.RestartAllContainersOnContainerExits) {
			return true
		}
	}
	return false
}

// decidedAt returns when the kubelet decided, as far as that is known.
func decidedAt(f *finding.Findings) time.Time {
	for _, t := range []time.Time{f.Kill.DecidedAt, f.Kill.At} {
		if !t.IsZero() {
			return t
		}
	}
	return f.R.End()
}

// aliveAt returns the newest instance of a container that had begun by then, nil when none is known.
func aliveAt(lives []timeline.Lineage, name string, at time.Time) *timeline.Instance {
	i := slices.IndexFunc(lives, func(l timeline.Lineage) bool { return l.Container == name })
	if i < 0 {
		return nil
	}
	all := lives[i].Instances
	for n := len(all) - 1; n >= 0; n-- {
		if in := all[n]; !in.Started.IsZero() && !in.Started.After(at.Add(-tolerance.Slack)) {
			return in
		}
	}
	return nil
}
