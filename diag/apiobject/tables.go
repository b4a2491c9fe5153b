package apiobject

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// placed are the pods with a namespace for those of a table of one namespace, which does not name it. A row of a table
// is left out where its pod is known from elsewhere, which knows more.
func (p *Piece) placed() []*corev1.Pod {
	if !slices.ContainsFunc(p.Pods, ofRow) {
		return p.Pods
	}
	whole := map[string]bool{}
	for _, pod := range p.Pods {
		if !ofRow(pod) {
			whole[pod.Name], whole[pod.Namespace+"/"+pod.Name] = true, true
		}
	}
	spoken := map[string]string{}  // the namespaces in which events name pods
	uids := map[string]types.UID{} // and the only UID that they have for each, "" for several
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
		if !ofRow(pod) || pod.Namespace != "" && !whole[pod.Namespace+"/"+pod.Name] {
			out = append(out, pod)
			continue
		}
		if pod.Namespace != "" || whole[pod.Name] {
			continue
		}
		row := *pod
		row.Namespace = cmp.Or(spoken[pod.Name], evidence.UsualNamespace(pod.Name))
		row.UID = cmp.Or(uids[row.Namespace+"/"+row.Name],
			types.UID(evidence.Row+spoken[pod.Name]+"/"+row.Name)) // without one that is a guess
		out = append(out, &row)
	}
	return out
}

// ofRow tells a pod of which nothing but a row of a table is known.
func ofRow(pod *corev1.Pod) bool {
	return strings.HasPrefix(string(pod.UID), evidence.Row)
}
