package apiobject

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// joinTwins leaves out the descriptions of pods whose objects are there, too, and gives their events the object's UID:
// what kubectl describe prints is part of the object, and has no UID, so that each end would be two. A description that
// counts other restarts shows the pod at another time and stays.
func (p *Piece) joinTwins() {
	if !slices.ContainsFunc(p.Pods, described) {
		return
	}
	given := map[string]*corev1.Pod{}
	for _, pod := range p.Pods {
		if !strings.HasPrefix(string(pod.UID), evidence.Described) || wholeSpec(pod) {
			given[pod.Namespace+"/"+pod.Name] = pod
		}
	}
	uids := map[types.UID]types.UID{}
	p.Pods = slices.DeleteFunc(slices.Clone(p.Pods), func(pod *corev1.Pod) bool {
		object := given[pod.Namespace+"/"+pod.Name]
		if object == nil || !described(pod) || wholeSpec(pod) || !sameCounts(pod, object) {
			return false
		}
		uids[pod.UID] = object.UID
		return true
	})
	for i, e := range p.Events {
		if uid, twin := uids[e.InvolvedObject.UID]; twin {
			joined := *e
			joined.InvolvedObject.UID = uid
			p.Events[i] = &joined
		}
	}
}

// wholeSpec reports whether a pod has a spec as objects have it, though it may be called described: one that follows
// other text in one paste is not more trusted than that.
func wholeSpec(pod *corev1.Pod) bool { return pod.Spec.RestartPolicy != "" }

// described reports whether a pod is what kubectl describe prints.
func described(pod *corev1.Pod) bool {
	uid := string(pod.UID)
	return strings.HasPrefix(uid, evidence.Described) && !strings.HasPrefix(uid, evidence.Row) &&
		!strings.HasPrefix(uid, evidence.Mentioned)
}

// sameCounts reports whether every container of a description is in the object, with as many restarts, the same id, and
// an earlier end if the description has one.
func sameCounts(described, object *corev1.Pod) bool {
	all := slices.Concat(object.Status.InitContainerStatuses, object.Status.ContainerStatuses)
	some := false
	for _, c := range slices.Concat(described.Status.InitContainerStatuses, described.Status.ContainerStatuses) {
		i := slices.IndexFunc(all, func(o corev1.ContainerStatus) bool { return o.Name == c.Name })
		if i < 0 || all[i].RestartCount != c.RestartCount || c.ContainerID != "" && c.ContainerID != all[i].ContainerID ||
			c.LastTerminationState.Terminated != nil && all[i].LastTerminationState.Terminated == nil { // the object is cut
			return false
		}
		some = some || c.ContainerID != ""
	}
	return some
}
