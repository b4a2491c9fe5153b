package apiserver

import (
	"context"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// readOwners reads the ReplicaSets and Jobs that control pods that restarted: they name the Deployment or CronJob.
// Large numbers are not read one by one. Without the right to read them nothing else is lost: the workload is then
// inferred from a label or a name, which the report says.
func (r *run) readOwners(ctx context.Context) {
	wanted := map[apiobject.OwnerKey]bool{}
	for _, p := range r.piece.Pods {
		c := metav1.GetControllerOfNoCopy(p)
		if c == nil || !hasEnded(p) {
			continue
		}
		ours := apiobject.IsApps(c, "ReplicaSet") || c.Kind == "Job" && strings.HasPrefix(c.APIVersion, "batch/")
		if key := (apiobject.OwnerKey{Namespace: p.Namespace, Kind: c.Kind, Name: c.Name}); ours &&
			r.piece.Owners[key] == nil &&
			!r.asked[key] {
			wanted[key] = true
		}
	}
	if len(wanted) > eachAtMost {
		return
	}
	keys := slices.Collect(maps.Keys(wanted))
	each(keys, func(key apiobject.OwnerKey) {
		m, err := r.ownerMeta(ctx, key)
		r.mu.Lock()
		defer r.mu.Unlock()
		if err != nil {
			r.asked[key] = true // do not retry
			return
		}
		r.piece.PutOwner(redact.Owner(apiobject.TypesOfOwners[key.Kind], m))
	})
}

// ownerMeta gets the metadata of a controller, which names its own controller.
func (r *run) ownerMeta(ctx context.Context, key apiobject.OwnerKey) (*metav1.ObjectMeta, error) {
	if key.Kind == "Job" {
		job, err := kube.Get[batchv1.Job](ctx, r.client, kube.Jobs, key.Namespace, key.Name)
		if err != nil {
			return nil, err
		}
		return &job.ObjectMeta, nil
	}
	set, err := kube.Get[appsv1.ReplicaSet](ctx, r.client, kube.ReplicaSets, key.Namespace, key.Name)
	if err != nil {
		return nil, err
	}
	return &set.ObjectMeta, nil
}

// hasEnded reports whether the pod, or a container of it, has ended before.
func hasEnded(p *corev1.Pod) bool {
	ended := p.Status.Phase == corev1.PodFailed || p.DeletionTimestamp != nil
	for s := range apiobject.Statuses(&p.Status) {
		ended = ended || s.RestartCount > 0 || s.State.Terminated != nil || s.LastTerminationState.Terminated != nil
	}
	return ended
}
