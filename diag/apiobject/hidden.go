package apiobject

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mask"
)

// unhide removes masked ids from objects that someone anonymized: the same mask in every pod would merge them all into
// one. A UID shared by two names is not valid, whatever it looks like.
func (p *Piece) unhide() {
	of, hidden := make(map[types.UID]types.NamespacedName, len(p.Pods)), map[types.UID]bool{}
	for _, pod := range p.Pods {
		name := types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
		if had, ok := of[pod.UID]; pod.UID != "" && (ok && had != name || mask.ID(string(pod.UID))) {
			hidden[pod.UID] = true
		}
		of[pod.UID] = name
	}
	for i, pod := range p.Pods {
		if hidden[pod.UID] {
			p.Pods[i] = pod.DeepCopy()
			p.Pods[i].UID = ""
			for s := range Statuses(&p.Pods[i].Status) {
				drop(&s.ContainerID)
				for _, state := range []corev1.ContainerState{s.State, s.LastTerminationState} {
					if state.Terminated != nil {
						drop(&state.Terminated.ContainerID)
					}
				}
			}
		}
	}
	for i, e := range p.Events {
		if hidden[e.InvolvedObject.UID] || mask.ID(string(e.InvolvedObject.UID)) {
			p.Events[i] = e.DeepCopy()
			p.Events[i].InvolvedObject.UID = ""
		}
	}
}

func drop(id *string) {
	if _, bare, _ := strings.Cut(*id, "://"); mask.ID(bare) {
		*id = ""
	}
}
