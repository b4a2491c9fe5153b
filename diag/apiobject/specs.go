package apiobject

import (
	"reflect"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// specs holds the specs of redacted pods, each once: pods of a workload have the same but for the node's name. It is
// safe for concurrent use.
type specs struct {
	mu   sync.Mutex
	seen map[string]*shared // by the encoded spec
}

// shared is what pods of one spec have in common, safe to print.
type shared struct {
	spec       *corev1.PodSpec
	containers []evidence.Container
}

const (
	// maxSpecs is how many specs are remembered: a spec repeats soon or not at all.
	maxSpecs = 1 << 12
	// fewContainers is the most containers of a pod that is packed. The status of a large pod would be decoded for each of
	// its containers.
	fewContainers = 32
)

// object returns a redacted pod as snapshots hold it, safe to print, and its containers, which must not be changed.
func (s *specs) object(p *corev1.Pod) (*podobject.Object, []evidence.Container) {
	if len(p.Spec.Containers)+len(p.Spec.InitContainers)+len(p.Spec.EphemeralContainers) > fewContainers {
		return podobject.Of(safeObject(p)), containersOf(&p.Spec)
	}
	spec := p.Spec
	spec.NodeName = ""
	key, err := spec.Marshal()
	if err != nil {
		return podobject.Of(safeObject(p)), containersOf(&p.Spec)
	}
	s.mu.Lock()
	have := s.seen[string(key)]
	s.mu.Unlock()
	if have == nil {
		have = &shared{spec.DeepCopy(), containersOf(&spec)}
		eachString(reflect.ValueOf(have.spec), safetext.Ident)
		s.mu.Lock()
		if s.seen == nil || len(s.seen) >= maxSpecs {
			s.seen = map[string]*shared{}
		}
		s.seen[string(key)] = have
		s.mu.Unlock()
	}
	if node := p.Spec.NodeName; safetext.Ident(node) != node ||
		!eachString(reflect.ValueOf(&p.ObjectMeta), nil) || !eachString(reflect.ValueOf(&p.Status), nil) {
		p = safeObject(p)
	}
	return podobject.Packed(p, have.spec), have.containers
}
