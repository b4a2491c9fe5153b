package sim

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Same is a placeholder for the hash that the kubelet computes, where only differences matter.
const Same = 2

// Exit codes in a simulation: of a SIGKILL, and of a process that the runtime lost.
const (
	killed = 137
	lost   = 255
)

// PodState is what the kubelet sees of a pod when it decides.
type PodState struct {
	Profile kubelet.Profile
	// Pod shares its spec with the caller: only its top-level fields may be changed.
	Pod    *corev1.Pod
	Status decide.Status
	Now    time.Time
	// Node is what speaks against the pod on its node.
	Node decide.NodeFacts
	// Restarted: the kubelet that decides has just started.
	Restarted bool
	// Assumed is what the evidence does not contain, or what a hypothesis implies.
	Assumed []string
	// differ are the containers whose stored hash is supposed to differ.
	differ []string
}

// NewStatus returns a status without records.
func NewStatus(sandboxes ...decide.Sandbox) decide.Status {
	return decide.Status{
		Sandboxes: sandboxes, Liveness: map[string]decide.ProbeResult{}, Startup: map[string]decide.ProbeResult{},
		Resources: map[string]corev1.ResourceRequirements{},
	}
}

// NewSandbox returns a sandbox as the kubelet wants it for the pod.
func NewSandbox(pod *corev1.Pod, id string) decide.Sandbox {
	box := decide.Sandbox{ID: id, Ready: true, NetworkReported: true, IP: "assumed"}
	if pod.Spec.HostNetwork {
		box.Network = decide.NamespaceNode
	}
	return box
}

// Record returns the newest record of a container, nil where there is none.
func (s *PodState) Record(name string) *decide.Container {
	for i := range s.Status.Containers {
		if s.Status.Containers[i].Name == name {
			return &s.Status.Containers[i]
		}
	}
	return nil
}

// record is Record; a container without one is assumed to run.
func (s *PodState) record(name string) *decide.Container {
	if r := s.Record(name); r != nil {
		return r
	}
	c := decide.Container{ID: "supposed-" + name, Name: name, State: decide.StateRunning}
	if len(s.Status.Sandboxes) > 0 {
		c.SandboxID = s.Status.Sandboxes[0].ID
	}
	s.Status.Containers = append(s.Status.Containers, c)
	return &s.Status.Containers[len(s.Status.Containers)-1]
}

// running is record for what only a running container can have: one that does not run is assumed to.
func (s *PodState) running(name string) *decide.Container {
	r := s.record(name)
	if r.State != decide.StateRunning {
		r.State = decide.StateRunning
		s.Assumed = append(s.Assumed, "container "+name+" is assumed to run")
	}
	return r
}

// Run adds the record of a container that runs as its spec says, with passing probes. An empty id gets one.
func (s *PodState) Run(c *corev1.Container, id string) {
	if id == "" {
		id = "of-" + c.Name
	}
	s.add(c, id, decide.StateRunning)
	if s.Status.Resources == nil {
		s.Status.Resources = map[string]corev1.ResourceRequirements{}
	}
	s.Status.Resources[c.Name] = c.Resources
	if c.LivenessProbe != nil {
		s.Status.Liveness[id] = decide.ProbeSuccess
	}
	if c.StartupProbe != nil {
		s.Status.Startup[id] = decide.ProbeSuccess
	}
}

// RanOnce adds the record of an init container that has finished its work.
func (s *PodState) RanOnce(c *corev1.Container) { s.add(c, "of-"+c.Name, decide.StateExited) }

func (s *PodState) add(c *corev1.Container, id string, state decide.State) {
	r := decide.Container{ID: id, Name: c.Name, State: state, Hash: Same, HashWithoutResources: Same}
	if len(s.Status.Sandboxes) > 0 {
		r.SandboxID = s.Status.Sandboxes[0].ID
	}
	s.Status.Containers = append(s.Status.Containers, r)
}

// End changes a record to that of a container that has ended now.
func (s *PodState) End(c *decide.Container, code int) {
	c.State, c.ExitCode, c.FinishedAt, c.Reason = decide.StateExited, code, s.Now, ""
}

// Readmit makes the kubelet one that has just started: it has no probe results and knows no earlier crashes.
func (s *PodState) Readmit() {
	s.Restarted, s.Status.Before.Readmitted = true, true
	clear(s.Status.Liveness)
}

// Differs reports whether the stored hash of a container is supposed to differ from what the kubelet computes.
func (s *PodState) Differs(container string) bool { return slices.Contains(s.differ, container) }

// Decide runs the kubelet's decision once.
func (s *PodState) Decide(o decide.Options) (decide.Actions, decide.Trace) {
	o.ExpectedHash = s.expected(o.ExpectedHash)
	if o.ExpectedHashWithoutResources != nil {
		o.ExpectedHashWithoutResources = s.expected(o.ExpectedHashWithoutResources)
	}
	return decide.Decide(s.Profile, s.Pod, &s.Status, s.Now, o)
}

// expected wraps hash: it returns something other than the stored hash where they are supposed to differ.
func (s *PodState) expected(hash func(*corev1.Container) (uint64, bool)) func(*corev1.Container) (uint64, bool) {
	return func(c *corev1.Container) (uint64, bool) {
		if s.Differs(c.Name) {
			return s.record(c.Name).Hash ^ 1, true
		}
		return hash(c)
	}
}

// Containers returns the init, regular and ephemeral containers of a spec, in this order.
func Containers(s *corev1.PodSpec) []*corev1.Container {
	var out []*corev1.Container
	for i := range s.InitContainers {
		out = append(out, &s.InitContainers[i])
	}
	for i := range s.Containers {
		out = append(out, &s.Containers[i])
	}
	for i := range s.EphemeralContainers {
		out = append(out, (*corev1.Container)(&s.EphemeralContainers[i].EphemeralContainerCommon))
	}
	return out
}

// Container returns a container of the spec, nil when there is none of that name.
func Container(s *corev1.PodSpec, name string) *corev1.Container {
	for _, c := range Containers(s) {
		if c.Name == name {
			return c
		}
	}
	return nil
}
