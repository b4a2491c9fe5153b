package statement

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mask"
)

// observe adds node and source to the parsers' observations.
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

// unhide removes masked ids that someone anonymized: the same mask in every pod would merge them all into one. The
// names in the line identify more; containers of a pod that none of its lines tell apart become one container of that
// pod.
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
