package apiobject

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// placed returns the pods, with a namespace set for rows of a table that does not name its one namespace. It leaves out
// a row where another source has the pod, unless that shows no restart where the row counts some: it was cut.
func (p *Piece) placed() []*corev1.Pod {
	if !slices.ContainsFunc(p.Pods, ofRow) {
		return p.Pods
	}
	whole, rows := map[string]bool{}, map[string]int{}
	cut := map[string]*corev1.Pod{} // descriptions without any restart, nil for others
	for _, pod := range p.Pods {
		name := pod.Namespace + "/" + pod.Name
		if rows[name]++; ofRow(pod) {
			continue
		}
		only := pod
		if whole[name] || !neverRestarted(pod) {
			only = nil
		}
		cut[pod.Name], cut[name] = only, only
		whole[pod.Name], whole[name] = true, true
	}
	spoken := map[string]string{}  // the namespaces in which events name pods
	uids := map[string]types.UID{} // and their only UID for each, "" for several
	for _, e := range p.Events {
		o := &e.InvolvedObject
		if o.Kind != "Pod" || o.Namespace == "" {
			continue
		}
		spoken[o.Name] = o.Namespace
		if name := o.Namespace + "/" + o.Name; o.UID != "" {
			if uid, seen := uids[name]; seen && uid != o.UID {
				uids[name] = ""
			} else {
				uids[name] = o.UID
			}
		}
	}
	out := make([]*corev1.Pod, 0, len(p.Pods))
	for _, pod := range p.Pods {
		if wellRow(pod) && rows[pod.Namespace+"/"+pod.Name] > 1 {
			continue // another table shows it at another time
		}
		if !ofRow(pod) || pod.Namespace != "" && !whole[pod.Namespace+"/"+pod.Name] {
			out = append(out, pod)
			continue
		}
		if known := cut[strings.TrimPrefix(pod.Namespace+"/"+pod.Name, "/")]; known != nil && countsRestarts(pod) {
			row := *pod
			row.Namespace = known.Namespace
			out = append(out, &row)
			continue
		}
		if pod.Namespace != "" || whole[pod.Name] {
			continue
		}
		row := *pod
		row.Namespace = cmp.Or(spoken[pod.Name], evidence.UsualNamespace(pod.Name))
		row.UID = cmp.Or(uids[row.Namespace+"/"+row.Name],
			types.UID(evidence.Row+spoken[pod.Name]+"/"+row.Name)) // without such an event it is a guess
		out = append(out, &row)
	}
	return out
}

// countsRestarts reports whether it is a row that counts restarts.
func countsRestarts(pod *corev1.Pod) bool {
	all := pod.Status.ContainerStatuses
	return ofRow(pod) && len(all) == 1 && all[0].RestartCount > 0
}

// neverRestarted reports whether a description has nothing of an end.
func neverRestarted(pod *corev1.Pod) bool {
	all := slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
	return strings.HasPrefix(string(pod.UID), evidence.Described) && !ofRow(pod) && pod.DeletionTimestamp == nil &&
		pod.Status.Reason == "" && !slices.ContainsFunc(all, func(c corev1.ContainerStatus) bool {
		return c.RestartCount > 0 || c.State.Terminated != nil || c.LastTerminationState.Terminated != nil
	})
}

// tellNamespace sets the missing namespace of pods and events from tables to that of the other pods of their
// controller, if there is just one.
func (p *Piece) tellNamespace() {
	without := false
	for _, at := range p.named() {
		without = without || *at == ""
	}
	if !without {
		return
	}
	told := map[string]string{} // by the controller's part of the name, "" for several
	for name, at := range p.named() {
		maker := makerOf(name)
		if before, seen := told[maker]; *at != "" && (!seen || before == *at) {
			told[maker] = *at
		} else if *at != "" {
			told[maker] = ""
		}
	}
	for name, at := range p.named() {
		*at = cmp.Or(*at, told[makerOf(name)])
	}
}

// named yields the names and namespaces, which may be "", of pods and of those that events are about.
func (p *Piece) named() iter.Seq2[string, *string] {
	return func(yield func(string, *string) bool) {
		for _, pod := range p.Pods {
			if !yield(pod.Name, &pod.Namespace) {
				return
			}
		}
		for _, e := range p.Events {
			if e.InvolvedObject.Kind == "Pod" && !yield(e.InvolvedObject.Name, &e.InvolvedObject.Namespace) {
				return
			}
		}
	}
}

// drawn is the suffix that controllers add to their names.
var drawn = regexp.MustCompile(`(?:-[0-9a-z]{8,10})?-(?:[0-9a-z]{5}|\d+)$`)

func makerOf(pod string) string { return drawn.ReplaceAllString(pod, "") }

// wellRow reports whether a row is of a pod that runs and never restarted.
func wellRow(pod *corev1.Pod) bool {
	all := pod.Status.ContainerStatuses
	return ofRow(pod) && len(all) == 1 && all[0].Ready && all[0].RestartCount == 0
}

// ofRow reports whether a pod is known only from a table row.
func ofRow(pod *corev1.Pod) bool {
	return strings.HasPrefix(string(pod.UID), evidence.Row)
}
