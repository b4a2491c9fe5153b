package apiserver

import (
	"context"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// ownerImages notes the images that the ReplicaSet of a pod has in its template: what
// the pod was made with, whoever edited the pod since. Other controllers' templates
// move on without their pods. The events must have been read before.
func (r *run) ownerImages(ctx context.Context, p *corev1.Pod) {
	name := replicaSetOf(p)
	if !r.o.Owners || name == "" {
		return
	}
	set, err := kube.Get[appsv1.ReplicaSet](ctx, r.client, kube.ReplicaSets, p.Namespace, name)
	if err != nil {
		e := (&AccessError{Verb: "get", Resource: "replicasets", Namespace: p.Namespace, Name: name}).because(ctx, err)
		r.missing(e, "an earlier image that only the ReplicaSet names is not tried")
		return
	}
	for _, list := range [][]corev1.Container{set.Spec.Template.Spec.InitContainers, set.Spec.Template.Spec.Containers} {
		for i := range list {
			r.seen.add(p.Namespace, p.Name, list[i].Name, list[i].Image)
		}
	}
}

// replicaSetOf is the ReplicaSet that controls a pod, "" when there is none.
func replicaSetOf(p *corev1.Pod) string {
	for _, o := range p.OwnerReferences {
		if o.Controller != nil && *o.Controller && o.Kind == "ReplicaSet" && strings.HasPrefix(o.APIVersion, "apps/") {
			return o.Name
		}
	}
	return ""
}
