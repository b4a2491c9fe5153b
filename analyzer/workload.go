package analyzer

import (
	"cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/controller"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// workloads knows what pods belong to: from the API server, else from the names of pods.
type workloads struct {
	s    *evidence.Snapshot
	pods map[name]evidence.Workload // by the pod's name
	// direct and top are keyed by the name of a pod's direct controller, and of its workload.
	direct, top map[name]evidence.Workload
	// said holds the workloads as items name them, so that all items share one string.
	said map[[2]string]string
}

type name struct{ namespace, name string }

func newWorkloads(s *evidence.Snapshot) *workloads {
	return &workloads{s: s, said: map[[2]string]string{}}
}

// learn indexes the pods of the API by name: that is asked for only by pods that it no longer has.
func (w *workloads) learn() {
	if w.pods != nil {
		return
	}
	w.pods = make(map[name]evidence.Workload, len(w.s.Pods))
	w.direct, w.top = map[name]evidence.Workload{}, map[name]evidence.Workload{}
	for i := range w.s.Pods {
		p := &w.s.Pods[i]
		w.pods[name{p.Namespace, p.Name}] = p.Workload
		switch p.Workload.Kind {
		case "", "pod":
			continue
		case "static-pod": // its controller is the node
		default:
			w.direct[name{p.Namespace, p.Owner.Name}] = p.Workload
		}
		w.top[name{p.Namespace, p.Workload.Name}] = p.Workload
	}
}

// fill sets an item's workload. For a pod that the API server no longer has, only the name is left: the workload is
// that of another pod whose name has the same form, or the name without what controllers append.
func (w *workloads) fill(it *report.Item, x *timeline.Restart) {
	if x.Pod != nil && x.Pod.Workload.Kind != "" {
		it.Workload, it.WorkloadFrom = w.say(x.Pod.Workload), string(x.Pod.Workload.Basis)
		return
	}
	if it.Pod == "" {
		return
	}
	w.learn()
	g := controller.Of(it.Pod, it.Node)
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
