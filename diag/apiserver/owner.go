package apiserver

import (
	"context"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// ownerImages notes the images that the ReplicaSet of a pod has in its template: what
// the pod was made with, whoever edited the pod since. Other controllers' templates
// move on without their pods. The events must have been read before.
func (r *run) ownerImages(ctx context.Context, p *corev1.Pod) {
	name := replicaSetOf(p)
	if !r.o.Owners || name == "" {
		return
	}
	set, err := r.replicaSet(ctx, p.Namespace, name)
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

func (r *run) replicaSet(ctx context.Context, namespace, name string) (*appsv1.ReplicaSet, error) {
	set, err := kube.Get[appsv1.ReplicaSet](ctx, r.client, kube.ReplicaSets, namespace, name)
	if err == nil {
		r.addOwner(ofReplicaSet, &set.ObjectMeta)
	}
	return set, err
}

// The types of controllers that have a controller.
var (
	ofReplicaSet = metav1.TypeMeta{Kind: "ReplicaSet", APIVersion: "apps/v1"}
	ofJob        = metav1.TypeMeta{Kind: "Job", APIVersion: "batch/v1"}
)

// addOwner keeps who controls a controller, and nothing else of it.
func (r *run) addOwner(of metav1.TypeMeta, m *metav1.ObjectMeta) {
	kept := redact.Owner(of, m)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.piece.putOwner(kept)
}

// readOwners reads the ReplicaSets and Jobs above pods that restarted: they name
// the Deployment or CronJob. Many are not asked for one by one, and who may not
// read them misses nothing else: the workload is then known by a label or a name,
// which the report says.
func (r *run) readOwners(ctx context.Context) {
	wanted := map[ownerKey]bool{}
	for _, p := range r.piece.pods {
		c := metav1.GetControllerOfNoCopy(p)
		if c == nil || !hasEnded(p) {
			continue
		}
		ours := c.Kind == "ReplicaSet" && strings.HasPrefix(c.APIVersion, "apps/") || c.Kind == "Job" && strings.HasPrefix(c.APIVersion, "batch/")
		if key := (ownerKey{p.Namespace, c.Kind, c.Name}); ours && r.piece.owners[key] == nil && !r.asked[key] {
			wanted[key] = true
		}
	}
	if len(wanted) > eachAtMost {
		return
	}
	var keys []ownerKey
	for key := range wanted {
		keys = append(keys, key)
	}
	each(keys, func(key ownerKey) {
		if key.kind == "ReplicaSet" {
			_, err := r.replicaSet(ctx, key.namespace, key.name)
			r.notFound(key, err)
			return
		}
		job, err := kube.Get[batchv1.Job](ctx, r.client, kube.Jobs, key.namespace, key.name)
		if err == nil {
			r.addOwner(ofJob, &job.ObjectMeta)
		}
		r.notFound(key, err)
	})
}

// notFound remembers a controller that need not be asked for again.
func (r *run) notFound(key ownerKey, err error) {
	if err == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[key] = true
}

// hasEnded tells whether the pod, or a container of it, has ended before.
func hasEnded(p *corev1.Pod) bool {
	ended := p.Status.Phase == corev1.PodFailed || p.DeletionTimestamp != nil
	eachStatus(&p.Status, func(s *corev1.ContainerStatus) {
		ended = ended || s.RestartCount > 0 || s.State.Terminated != nil || s.LastTerminationState.Terminated != nil
	})
	return ended
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
