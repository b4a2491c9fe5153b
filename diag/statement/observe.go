package statement

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mask"
)

// observe completes what the parsers say with node and source.
func (r *Router) observe(kind evidence.SourceKind) func(evidence.Observation) {
	return func(o evidence.Observation) {
		if _, boot := o.Fact.(evidence.KernelBooted); boot && r.back {
			return
		}
		o.Subject.Node = r.o.Node
		unhide(&o.Subject)
		o.Source = evidence.Source{Kind: kind, Node: r.o.Node, Where: r.o.Where,
			Origin: r.origin, Vouched: r.sure, Dated: r.dated, Inside: o.Source.Inside}
		r.b.Observe(o)
	}
}

// unhide takes out the ids that somebody hid before strangers see them: what stands in their place stands for every
// pod, and would make one of all of them. What the line names tells more; of a pod's containers that none of its lines
// tells apart one is made, of that pod.
func unhide(s *evidence.Subject) {
	if mask.ID(s.PodUID) {
		s.PodUID = ""
	}
	if mask.ID(s.SandboxID) {
		s.SandboxID = ""
	}
	switch {
	case !mask.ID(s.ContainerID):
	case s.Container != "":
		s.ContainerID = ""
	case s.Pod != "":
		s.ContainerID += " of " + s.Namespace + "/" + s.Pod
	}
}
