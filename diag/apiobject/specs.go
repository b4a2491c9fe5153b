package apiobject

import (
	"reflect"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// specs holds the specs of redacted pods, each once: pods of a workload have the same but for the node's name. It is
// safe for concurrent use.
type specs struct {
	mu   sync.Mutex
	safe map[string]*corev1.PodSpec // by the encoded spec
}

const (
	// maxSpecs is how many specs are remembered: a spec repeats soon or not at all.
	maxSpecs = 1 << 12
	// fewContainers is the most containers of a pod that is packed. The status of a large pod would be decoded for each of
	// its containers.
	fewContainers = 32
)

// object returns a redacted pod as snapshots hold it, safe to print.
func (s *specs) object(p *corev1.Pod) *podobject.Object {
	if len(p.Spec.Containers)+len(p.Spec.InitContainers)+len(p.Spec.EphemeralContainers) > fewContainers {
		return podobject.Of(safeObject(p))
	}
	spec := p.Spec
	spec.NodeName = ""
	key, err := spec.Marshal()
	if err != nil {
		return podobject.Of(safeObject(p))
	}
	s.mu.Lock()
	safe := s.safe[string(key)]
	s.mu.Unlock()
	if safe == nil {
		safe = spec.DeepCopy()
		eachString(reflect.ValueOf(safe), safetext.Ident)
		s.mu.Lock()
		if s.safe == nil || len(s.safe) >= maxSpecs {
			s.safe = map[string]*corev1.PodSpec{}
		}
		s.safe[string(key)] = safe
		s.mu.Unlock()
	}
	if node := p.Spec.NodeName; safetext.Ident(node) != node ||
		!eachString(reflect.ValueOf(&p.ObjectMeta), nil) || !eachString(reflect.ValueOf(&p.Status), nil) {
		p = safeObject(p)
	}
	return podobject.Packed(p, safe)
}
