package apiobject

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// unhide takes the ids out of objects that somebody hid before strangers see them: what stands in their place stands
// for every pod, and would make one of all of them. A UID that two names have is none, whatever it looks like.
func (p *Piece) unhide() {
	type name struct{ namespace, name string }
	of, shared := make(map[types.UID]name, len(p.Pods)), map[types.UID]bool{}
	for _, pod := range p.Pods {
		is := name{pod.Namespace, pod.Name}
		if had, ok := of[pod.UID]; ok && had != is {
			shared[pod.UID] = true
		}
		of[pod.UID] = is
	}
	for i, pod := range p.Pods {
		if pod.UID != "" && (shared[pod.UID] || crossedOut(string(pod.UID))) {
			pod = pod.DeepCopy()
			pod.UID, p.Pods[i] = "", pod
			for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses,
				pod.Status.ContainerStatuses, pod.Status.EphemeralContainerStatuses} {
				for j := range list {
					s := &list[j]
					ids := []*string{&s.ContainerID}
					for _, state := range []*corev1.ContainerState{&s.State, &s.LastTerminationState} {
						if state.Terminated != nil {
							ids = append(ids, &state.Terminated.ContainerID)
						}
					}
					for _, id := range ids {
						if _, bare, _ := strings.Cut(*id, "://"); crossedOut(bare) {
							*id = ""
						}
					}
				}
			}
		}
	}
	for i, e := range p.Events {
		if uid := e.InvolvedObject.UID; uid != "" && (shared[uid] || crossedOut(string(uid))) {
			e = e.DeepCopy()
			e.InvolvedObject.UID, p.Events[i] = "", e
		}
	}
}

// crossedOut reports whether no id looks so: "<redacted>", "***", "xxxxxxxx-xxxx".
func crossedOut(id string) bool {
	return strings.ContainsAny(id, "<>[]{}*") || strings.Trim(id, "xX-") == "" || strings.EqualFold(id, "redacted")
}
