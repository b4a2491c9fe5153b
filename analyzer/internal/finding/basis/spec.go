package basis

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	corev1 "k8s.io/api/core/v1"
)

// PodObject is the pod as the API gave it, nil when it is not known.
func (f *Basis) PodObject() *corev1.Pod {
	if f.R.Pod == nil {
		return nil
	}
	return f.R.Pod.Object
}

// ContainerSpec is a container of the pod as the API gave it, nil when it is not known.
func (f *Basis) ContainerSpec(name string) *corev1.Container {
	o := f.PodObject()
	if o == nil {
		return nil
	}
	if len(o.Spec.Containers)+len(o.Spec.InitContainers) > few {
		return f.specs.of(o)[name]
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

// few is how many containers of a pod are gone through, rather than looked up.
const few = 8

// specs are the containers of pods that have many, by name. They are the same for all
// restarts of a snapshot.
type specs map[*corev1.Pod]map[string]*corev1.Container

func (s *specs) of(o *corev1.Pod) map[string]*corev1.Container {
	if *s == nil {
		*s = specs{}
	}
	named, known := (*s)[o]
	if !known {
		named = map[string]*corev1.Container{}
		for _, list := range [...][]corev1.Container{o.Spec.InitContainers, o.Spec.Containers} {
			for i := len(list) - 1; i >= 0; i-- { // of two by one name the first counts
				named[list[i].Name] = &list[i]
			}
		}
		(*s)[o] = named
	}
	return named
}

// RestartPolicy is the policy that holds for the container, its own or the pod's;
// "" when the pod is not known.
func (f *Basis) RestartPolicy() string {
	if c := f.ContainerSpec(f.R.Container); c != nil && c.RestartPolicy != nil {
		return string(*c.RestartPolicy)
	}
	if f.R.Pod == nil {
		return ""
	}
	return f.R.Pod.RestartPolicy
}

// ProbeKind is a probe that kills.
type ProbeKind string

// The probes that kill.
const (
	Liveness ProbeKind = "liveness"
	Startup  ProbeKind = "startup"
)

// ProbeOf is the probe in the spec, nil where there is none or it is not known.
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

// IsPod tells the UID of the pod, in the API or on its node.
func (f *Basis) IsPod(uid string) bool {
	return uid != "" && (uid == f.R.PodUID || f.R.Pod != nil && uid == f.R.Pod.RuntimeUID())
}

// MainPID is the number of the container's first process as the node's kernel counts, 0 where that is not known: the
// runtime of a node that is itself a container, and a pod with a kernel of its own, count otherwise.
func (f *Basis) MainPID() int {
	if f.Node == nil || f.Node.Inside || f.Node.Info.Inside || !f.OnNodesKernel() {
		return 0
	}
	return f.R.From.PID
}

// Sandboxes are those of the pod; the old instance's is one of them even where
// nothing tells whose it is.
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

// BothRecords are the ids of the records of the old and the new instance, which there
// is.
func (f *Basis) BothRecords() []string {
	if f.both == nil {
		f.both = slices.Clip(slices.Concat(f.R.From.Records, f.R.To.Records))
	}
	return f.both
}
