package predict

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
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

// scene builds what the kubelet saw. It is nil where spec and timeline disagree about what the container is.
func (g *setting) scene() *scene {
	pod := *g.object
	pod.DeletionTimestamp = nil // of when it was collected
	x := &scene{profile: *g.profile, pod: &pod, now: g.now, who: g.restart.Container}
	box := decide.Sandbox{ID: "sandbox", Ready: true, NetworkReported: true, IP: "known"}
	if g.box != nil {
		box.ID, box.Attempt, box.CreatedAt = g.box.ID, uint32(max(g.box.Attempt, 0)), g.box.Created
	} else {
		x.assumed = append(x.assumed, "the pod's sandbox is its first one")
	}
	if pod.Spec.HostNetwork {
		box.Network = decide.NamespaceNode
	}
	x.status = decide.Status{
		Sandboxes: []decide.Sandbox{box}, Liveness: map[string]decide.ProbeResult{}, Startup: map[string]decide.ProbeResult{},
		Resources: map[string]corev1.ResourceRequirements{},
	}
	x.cast(g)
	mine := x.record(x.who)
	if mine == nil {
		return nil
	}
	mine.RestartCount = max(g.restart.From.Attempt, 0)
	return x
}

// cast gives every container its record: what ran beside the item's container, what had ended before, and which init
// containers had done their work.
func (x *scene) cast(g *setting) {
	initializing, reached := g.restart.ContainerKind == evidence.KindInit, true
	for i := range x.pod.Spec.InitContainers {
		c := &x.pod.Spec.InitContainers[i]
		switch {
		case c.Name == x.who:
			x.run(c, g.restart.From.ID)
			reached = reached && !initializing
		case !reached: // its turn had not come
		case isSidecar(c):
			x.run(c, "")
		default:
			x.status.Containers = append(x.status.Containers, x.recordOf(c, "of-"+c.Name, decide.StateExited))
		}
	}
	for i := range x.pod.Spec.EphemeralContainers {
		x.run((*corev1.Container)(&x.pod.Spec.EphemeralContainers[i].EphemeralContainerCommon), "")
	}
	if initializing {
		return
	}
	for i := range x.pod.Spec.Containers {
		c := &x.pod.Spec.Containers[i]
		id := ""
		if c.Name == x.who {
			id = g.restart.From.ID
		}
		x.run(c, id)
		if code := g.ended[i]; code != running {
			x.end(&x.status.Containers[len(x.status.Containers)-1], int(code))
		}
	}
	if g.guessed {
		x.assumed = append(x.assumed, "the pod's other containers ran")
	}
}

// run adds a running record whose probes pass and whose resources are the spec's.
func (x *scene) run(c *corev1.Container, id string) {
	if id == "" {
		id = "of-" + c.Name
	}
	x.status.Containers = append(x.status.Containers, x.recordOf(c, id, decide.StateRunning))
	x.status.Resources[c.Name] = c.Resources
	x.pass(c, id)
}

// recordOf is a record in the newest sandbox.
func (x *scene) recordOf(c *corev1.Container, id string, state decide.State) decide.Container {
	r := decide.Container{ID: id, Name: c.Name, State: state, Hash: sameHash, HashWithoutResources: sameHash}
	if len(x.status.Sandboxes) > 0 {
		r.SandboxID = x.status.Sandboxes[0].ID
	}
	return r
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
func (x *scene) container(name string) *corev1.Container { return find(x.pod, name) }

func find(pod *corev1.Pod, name string) *corev1.Container {
	for _, list := range [...][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
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
