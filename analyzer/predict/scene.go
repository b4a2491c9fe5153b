package predict

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
)

// Hashes that stand for the one that the kubelet computes and for another one.
const (
	sameHash  = 1
	otherHash = 2
)

// scene is the pod as the kubelet saw it when it decided.
type scene struct {
	profile kubelet.Profile
	pod     *corev1.Pod // shares the spec of the evidence; only its head may be changed
	status  decide.Status
	now     time.Time
	who     string // the container whose end is asked about
	assumed []string
}

// sceneOf is the pod right before the end of the item's old instance. ok is false where spec or version is not known, or
// where gates decide that nobody has told.
func sceneOf(t *timeline.Timeline, r *timeline.Restart, f *finding.Findings) (*scene, bool) {
	profile, ok := profileOf(f)
	if !ok || r.Pod == nil || r.Pod.Object == nil || gated(profile, r.Pod.Object) {
		return nil, false
	}
	pod := *r.Pod.Object
	pod.DeletionTimestamp = nil // of when it was collected
	x := &scene{profile: profile, pod: &pod, now: decidedAt(f), who: r.Container}
	if x.container(r.Container) == nil {
		return nil, false
	}
	box := decide.Sandbox{ID: "sandbox", Ready: true, NetworkReported: true, IP: "known"}
	if known := t.Sandboxes[r.From.SandboxID]; known != nil && r.From.SandboxID != "" {
		box.ID, box.Attempt, box.CreatedAt = known.ID, uint32(max(known.Attempt, 0)), known.Created
	} else {
		x.assumed = append(x.assumed, "the pod's sandbox is taken to be its first")
	}
	if pod.Spec.HostNetwork {
		box.Network = decide.NamespaceNode
	}
	x.status = decide.Status{
		Sandboxes: []decide.Sandbox{box}, Liveness: map[string]decide.ProbeResult{}, Startup: map[string]decide.ProbeResult{},
		Resources: map[string]corev1.ResourceRequirements{},
	}
	x.cast(t.Lives(r.PodUID), r)
	mine := x.record(r.Container)
	if mine == nil {
		return nil, false // the spec and the timeline disagree about what it is
	}
	mine.RestartCount = max(r.From.Attempt, 0)
	return x, true
}

func profileOf(f *finding.Findings) (kubelet.Profile, bool) {
	v, err := kubelet.ParseVersion(f.Versions.At)
	if err != nil {
		return kubelet.Profile{}, false
	}
	p, err := kubelet.ProfileFor(v)
	return p, err == nil
}

// gated tells pods whose decision hangs on a gate that is off by default in the minor: that the API server let the field
// in says that somebody turned one on, and not where.
func gated(p kubelet.Profile, pod *corev1.Pod) bool {
	for i := range pod.Spec.InitContainers {
		if c := &pod.Spec.InitContainers[i]; isSidecar(c) && !p.Gates.On(kubelet.SidecarContainers) && p.Minor < 33 ||
			len(c.RestartPolicyRules) > 0 && !p.Gates.On(kubelet.RestartAllContainersOnContainerExits) {
			return true
		}
	}
	for i := range pod.Spec.Containers {
		if c := &pod.Spec.Containers[i]; c.RestartPolicy != nil && !p.Gates.On(kubelet.ContainerRestartRules) ||
			len(c.RestartPolicyRules) > 0 && !p.Gates.On(kubelet.RestartAllContainersOnContainerExits) {
			return true
		}
	}
	return false
}

// decidedAt is when the kubelet decided, as far as that is known.
func decidedAt(f *finding.Findings) time.Time {
	for _, t := range []time.Time{f.Kill.DecidedAt, f.Kill.At} {
		if !t.IsZero() {
			return t
		}
	}
	return f.R.End()
}

// cast gives every container its record: what ran beside the item's container, what had ended before, and which init
// containers had done their work.
func (x *scene) cast(lives []timeline.Life, r *timeline.Restart) {
	initializing, reached := r.ContainerKind == "init", true
	for i := range x.pod.Spec.InitContainers {
		c := &x.pod.Spec.InitContainers[i]
		switch {
		case c.Name == x.who:
			x.run(c, r.From.ID)
			reached = reached && !initializing
		case !reached: // its turn had not come
		case isSidecar(c):
			x.run(c, "")
		default:
			x.status.Containers = append(x.status.Containers, decide.Container{ID: "of-" + c.Name, Name: c.Name, State: decide.StateExited, Hash: sameHash, HashWithoutResources: sameHash})
		}
	}
	for i := range x.pod.Spec.EphemeralContainers {
		c := (*corev1.Container)(&x.pod.Spec.EphemeralContainers[i].EphemeralContainerCommon)
		x.run(c, "")
	}
	if initializing {
		return
	}
	guessed := 0
	for i := range x.pod.Spec.Containers {
		c := &x.pod.Spec.Containers[i]
		if c.Name == x.who {
			x.run(c, r.From.ID)
			continue
		}
		in := aliveAt(lives, c.Name, x.now)
		if in == nil {
			guessed++
		}
		x.run(c, "")
		if in != nil && in.Exited() && !in.Finished.IsZero() && in.Finished.Before(x.now.Add(-slack)) && in.ExitCode != nil {
			mine := &x.status.Containers[len(x.status.Containers)-1]
			x.end(mine, int(*in.ExitCode))
			mine.FinishedAt = in.Finished
		}
	}
	if guessed > 0 {
		x.assumed = append(x.assumed, "the pod's other containers are taken to have run")
	}
}

// slack is how much two sources may disagree about one moment.
const slack = 2 * time.Second

// aliveAt returns the newest instance of a container that had begun by then, nil when none is known.
func aliveAt(lives []timeline.Life, name string, at time.Time) *timeline.Instance {
	i := slices.IndexFunc(lives, func(l timeline.Life) bool { return l.Container == name })
	if i < 0 {
		return nil
	}
	for _, in := range slices.Backward(lives[i].Instances) {
		if !in.Started.IsZero() && !in.Started.After(at.Add(-slack)) {
			return in
		}
	}
	return nil
}

// run adds a running record whose probes pass and whose resources are the spec's.
func (x *scene) run(c *corev1.Container, id string) {
	if id == "" {
		id = "of-" + c.Name
	}
	x.status.Containers = append(x.status.Containers, decide.Container{ID: id, Name: c.Name, State: decide.StateRunning, Hash: sameHash, HashWithoutResources: sameHash})
	x.status.Resources[c.Name] = c.Resources
	x.pass(c, id)
}

func (x *scene) pass(c *corev1.Container, id string) {
	if c.LivenessProbe != nil {
		x.status.Liveness[id] = decide.ProbeSuccess
	}
	if c.StartupProbe != nil {
		x.status.Startup[id] = decide.ProbeSuccess
	}
}

// end makes a record one of a container that has ended.
func (x *scene) end(c *decide.Container, code int) {
	c.State, c.ExitCode, c.FinishedAt = decide.StateExited, code, x.now
}

func (x *scene) record(name string) *decide.Container {
	for i := range x.status.Containers {
		if x.status.Containers[i].Name == name {
			return &x.status.Containers[i]
		}
	}
	return nil
}

// container returns a container of the spec that the kubelet may start again, nil when there is none of the name.
func (x *scene) container(name string) *corev1.Container {
	for _, list := range [][]corev1.Container{x.pod.Spec.InitContainers, x.pod.Spec.Containers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// clone is a scene that can be changed without this one.
func (x *scene) clone() *scene {
	c := *x
	pod := *x.pod
	c.pod = &pod
	c.status.Sandboxes = slices.Clone(x.status.Sandboxes)
	c.status.Containers = slices.Clone(x.status.Containers)
	c.status.Liveness, c.status.Startup = maps.Clone(x.status.Liveness), maps.Clone(x.status.Startup)
	c.status.Resources = maps.Clone(x.status.Resources)
	return &c
}

// isSidecar: an init container with restartPolicy Always (api/v1/pod IsRestartableInitContainer).
func isSidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}
