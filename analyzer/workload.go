package analyzer

import (
	"cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// workloads says what pods belong to: as the API server has it, and else as the
// names of pods tell.
type workloads struct {
	pods map[name]evidence.Workload // by the pod's name
	// direct and top are by the name of a pod's own controller, and of the workload.
	direct, top map[name]evidence.Workload
	// said are the workloads as items name them: one text for all items of each.
	said map[[2]string]string
}

type name struct{ namespace, name string }

func newWorkloads(s *evidence.Snapshot) *workloads {
	w := &workloads{pods: make(map[name]evidence.Workload, len(s.Pods)), direct: map[name]evidence.Workload{},
		top: map[name]evidence.Workload{}, said: map[[2]string]string{}}
	for i := range s.Pods {
		p := &s.Pods[i]
		w.pods[name{p.Namespace, p.Name}] = p.Workload
		switch p.Workload.Kind {
		case "", "pod":
			continue
		case "static-pod": // its controller is its node
		default:
			w.direct[name{p.Namespace, p.Owner.Name}] = p.Workload
		}
		w.top[name{p.Namespace, p.Workload.Name}] = p.Workload
	}
	return w
}

// fill says in an item what its pod belongs to. Of a pod that the API server does
// not have any more the name is all there is: what another pod belongs to whose name
// was made in the same way, or the name without what controllers append.
func (w *workloads) fill(it *report.Item, x *timeline.Restart) {
	if x.Pod != nil && x.Pod.Workload.Kind != "" {
		it.Workload, it.WorkloadFrom = w.say(x.Pod.Workload), string(x.Pod.Workload.Basis)
		return
	}
	if it.Pod == "" {
		return
	}
	g := timeline.ControllerOf(it.Pod, it.Node)
	known := w.pods[name{it.Namespace, it.Pod}] // an earlier pod of the same name
	if known.Kind == "" && g.Direct != "" {
		known = w.direct[name{it.Namespace, g.Direct}]
	}
	if known.Kind == "" && g.Top != "" {
		known = w.top[name{it.Namespace, g.Top}]
	}
	it.WorkloadFrom = report.FromName
	switch {
	case known.Kind != "":
		it.Workload = w.say(known)
	default:
		it.Workload = cmp.Or(g.Top, g.Direct, it.Pod)
	}
}

func (w *workloads) say(of evidence.Workload) string {
	key := [2]string{of.Kind, of.Name}
	text, ok := w.said[key]
	if !ok {
		text = of.Kind + "/" + of.Name
		w.said[key] = text
	}
	return text
}
