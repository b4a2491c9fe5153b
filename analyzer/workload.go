package analyzer

import (
	"cmp"
	"strings"

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
	g := guess(it.Pod, it.Node)
	known := w.pods[name{it.Namespace, it.Pod}] // an earlier pod of the same name
	if known.Kind == "" && g.direct != "" {
		known = w.direct[name{it.Namespace, g.direct}]
	}
	if known.Kind == "" && g.top != "" {
		known = w.top[name{it.Namespace, g.top}]
	}
	it.WorkloadFrom = report.FromName
	switch {
	case known.Kind != "":
		it.Workload = w.say(known)
	default:
		it.Workload = cmp.Or(g.top, g.direct, it.Pod)
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

// generated are the letters and digits of names that Kubernetes makes up
// (k8s.io/apimachinery pkg/util/rand: no vowels, no digits that look like them).
const generated = "bcdfghjklmnpqrstvwxz2456789"

// made is what the name of a pod tells: of its own controller, and of what is above
// that. Either is "" where it does not show.
type made struct{ direct, top string }

// guess reads it: a Deployment's pods are NAME-HASH-SUFFIX, those of a CronJob
// NAME-TIME-SUFFIX, of a DaemonSet or Job NAME-SUFFIX, of a StatefulSet NAME-NUMBER,
// and a static pod's is NAME-NODE.
func guess(pod, node string) made {
	if top, ok := strings.CutSuffix(pod, "-"+strings.ToLower(node)); ok && node != "" && top != "" {
		return made{top: top}
	}
	direct, suffix, ok := cutLast(pod)
	switch {
	case !ok:
		return made{}
	case suffix != "" && len(suffix) <= 6 && only(suffix, digits):
		return made{direct: direct}
	case len(suffix) != 5 || !only(suffix, generated):
		return made{}
	}
	// The hash of a ReplicaSet is up to ten of the same characters; the time of a Job is
	// eight digits, ten before v1.21.
	top, middle, ok := cutLast(direct)
	if n := len(middle); ok && (n >= 6 && n <= 10 && only(middle, generated) ||
		(n == 8 || n == 10) && only(middle, digits)) {
		return made{direct, top}
	}
	return made{direct: direct}
}

const digits = "0123456789"

func only(s, of string) bool { return strings.Trim(s, of) == "" }

func cutLast(s string) (head, tail string, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i <= 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
