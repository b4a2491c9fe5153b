package basis

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	corev1 "k8s.io/api/core/v1"
)

// PodObject returns the pod from the API, nil when unknown.
func (f *Basis) PodObject() *podobject.Object {
	if f.R.Pod == nil {
		return nil
	}
	return f.R.Pod.Object
}

// WholeSpec reports whether the pod's spec is known in full, so that what it lacks is not set. Outputs for people leave
// out most of it; they never show the restart policy.
func (f *Basis) WholeSpec() bool {
	return f.PodObject() != nil && (!f.R.Pod.Described() || f.PodObject().Spec.RestartPolicy != "")
}

// ContainerSpec returns a container of the pod from the API, nil when unknown.
func (f *Basis) ContainerSpec(name string) *corev1.Container {
	o := f.PodObject()
	if o == nil {
		return nil
	}
	if len(o.Spec.Containers)+len(o.Spec.InitContainers) > few {
		return f.specs.of(o.Spec)[name]
	}
	for _, list := range [...][]corev1.Container{o.Spec.Containers, o.Spec.InitContainers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// few is the most containers of a pod that are searched linearly rather than in a map.
const few = 8

// specs are the containers, by name, of pods with many. They are the same for all restarts of a snapshot.
type specs map[*corev1.PodSpec]map[string]*corev1.Container

func (s *specs) of(o *corev1.PodSpec) map[string]*corev1.Container {
	if *s == nil {
		*s = specs{}
	}
	named, known := (*s)[o]
	if !known {
		named = map[string]*corev1.Container{}
		for _, list := range [...][]corev1.Container{o.InitContainers, o.Containers} {
			for i := len(list) - 1; i >= 0; i-- { // of two with one name the first wins
				named[list[i].Name] = &list[i]
			}
		}
		(*s)[o] = named
	}
	return named
}

// RestartPolicy returns the policy that applies to the container, its own or the pod's; "" when the pod is unknown.
func (f *Basis) RestartPolicy() string {
	if c := f.ContainerSpec(f.R.Container); c != nil && c.RestartPolicy != nil {
		return string(*c.RestartPolicy)
	}
	if f.R.Pod == nil {
		return ""
	}
	return f.R.Pod.RestartPolicy
}

// ProbeKind is a kind of probe whose failure kills.
type ProbeKind string

// The probes that kill.
const (
	Liveness ProbeKind = "liveness"
	Startup  ProbeKind = "startup"
)

// ProbeOf returns the probe in the spec, nil where there is none or the spec is unknown.
func (f *Basis) ProbeOf(k ProbeKind) *evidence.Probe {
	switch s := f.R.Spec; {
	case s == nil:
		return nil
	case k == Startup:
		return s.Startup
	default:
		return s.Liveness
	}
}

// IsPod reports whether a UID is the pod's, in the API or on its node.
func (f *Basis) IsPod(uid string) bool {
	return uid != "" && (uid == f.R.PodUID || f.R.Pod != nil && uid == f.R.Pod.RuntimeUID())
}

// MainPID returns the PID of the container's main process in the node's kernel, 0 where unknown: the runtime of a node
// that is itself a container, and a pod with its own kernel, use other PIDs.
func (f *Basis) MainPID() int {
	if f.Node == nil || f.Node.Inside || f.Node.Info.Inside || !f.OnNodesKernel() {
		return 0
	}
	return f.R.From.PID
}

// Sandboxes returns those of the pod, including the old instance's if its owner is unknown.
func (f *Basis) Sandboxes() []*timeline.Sandbox {
	boxes := f.T.SandboxesOf(f.R.PodUID)
	if p := f.R.Pod; p != nil && p.RuntimeUID() != f.R.PodUID {
		boxes = slices.Concat(boxes, f.T.SandboxesOf(p.RuntimeUID()))
	}
	if sb := f.T.Sandboxes[f.R.From.SandboxID]; sb != nil && sb.PodUID == "" {
		boxes = append(slices.Clip(boxes), sb)
	}
	return boxes
}

// BothRecords returns the ids of the records of the old and the new instance; there must be a new one.
func (f *Basis) BothRecords() []string {
	if f.both == nil {
		f.both = slices.Clip(slices.Concat(f.R.From.Records, f.R.To.Records))
	}
	return f.both
}
