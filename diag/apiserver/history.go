package apiserver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// maxWorkloads is for how many workloads the history is read: two or three requests each.
const maxWorkloads = 16

var manyWorkloads = evidence.Gap{Source: evidence.SourceAPI,
	Why:  fmt.Sprintf("the revisions of more than %d workloads are not read", maxWorkloads),
	Hint: "name one pod: its hashes are then compared with its whole history"}

const withoutHistory = "images and templates of earlier revisions are not tried; docs/rbac/tier0.yaml is the role " +
	"that reads them"

// history returns the revisions of the workload that a pod belongs to, newest first.
// The pods of one workload share it.
func (r *run) history(ctx context.Context, p *corev1.Pod) []apiobject.Revision {
	owner := metav1.GetControllerOf(p)
	if !r.o.History || owner == nil {
		return nil
	}
	if known, ok := r.past[owner.UID]; ok {
		return known
	}
	if len(r.past) >= maxWorkloads {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !slices.Contains(r.gaps, manyWorkloads) {
			r.gaps = append(r.gaps, manyWorkloads)
		}
		return nil
	}
	var found []apiobject.Revision
	switch {
	case apiobject.IsApps(owner, "ReplicaSet"):
		found = r.ofReplicaSets(ctx, p.Namespace, owner)
	case apiobject.IsApps(owner, "StatefulSet"):
		found = r.ofStatefulSet(ctx, p.Namespace, owner)
	case apiobject.IsApps(owner, "DaemonSet"):
		found = r.ofDaemonSet(ctx, p.Namespace, owner)
	case owner.Kind == "Job":
		found = r.ofJob(ctx, p.Namespace, owner)
	case p.Labels[appsv1.ControllerRevisionHashLabelKey] != "":
		// A third-party kind that keeps its history as StatefulSets do, and often edits its pods in place.
		found = r.revisions(ctx, p.Namespace, nil, owner.UID)
	}
	r.past[owner.UID] = found
	return found
}

// ofReplicaSets reads the ReplicaSet of a pod and its siblings.
func (r *run) ofReplicaSets(ctx context.Context, namespace string, owner *metav1.OwnerReference) []apiobject.Revision {
	own, ok := got[appsv1.ReplicaSet](ctx, r, kube.ReplicaSets, namespace, owner.Name)
	if !ok {
		return nil
	}
	parent := metav1.GetControllerOf(own)
	if parent == nil {
		return []apiobject.Revision{apiobject.OfReplicaSet(own)}
	}
	found := []apiobject.Revision{}
	// The selector of a Deployment's ReplicaSets is the Deployment's plus one label.
	selector := own.Spec.Selector.DeepCopy()
	if selector != nil {
		delete(selector.MatchLabels, appsv1.DefaultDeploymentUniqueLabelKey)
		delete(selector.MatchLabels, "rollouts-pod-template-hash")
	}
	listed[appsv1.ReplicaSetList](ctx, r, kube.ReplicaSets, namespace, selector, func(set *appsv1.ReplicaSet) {
		if c := metav1.GetControllerOf(set); c != nil && c.UID == parent.UID && set.UID != own.UID {
			found = append(found, apiobject.OfReplicaSet(set))
		}
	})
	found = apiobject.WithOwn(found, apiobject.OfReplicaSet(own))
	if apiobject.IsApps(parent, "Deployment") {
		if d, ok := got[appsv1.Deployment](ctx, r, kube.Deployments, namespace, parent.Name); ok {
			found = append(found, ofApplied(parent, d.Annotations)...)
		}
	}
	return found
}

func (r *run) ofStatefulSet(ctx context.Context, namespace string, owner *metav1.OwnerReference) []apiobject.Revision {
	set, ok := got[appsv1.StatefulSet](ctx, r, kube.StatefulSets, namespace, owner.Name)
	if !ok {
		return nil
	}
	return append(r.revisions(ctx, namespace, set.Spec.Selector, owner.UID), ofApplied(owner, set.Annotations)...)
}

func (r *run) ofDaemonSet(ctx context.Context, namespace string, owner *metav1.OwnerReference) []apiobject.Revision {
	set, ok := got[appsv1.DaemonSet](ctx, r, kube.DaemonSets, namespace, owner.Name)
	if !ok {
		return nil
	}
	return append(r.revisions(ctx, namespace, set.Spec.Selector, owner.UID), ofApplied(owner, set.Annotations)...)
}

// ofJob has one template: a Job's cannot be edited.
func (r *run) ofJob(ctx context.Context, namespace string, owner *metav1.OwnerReference) []apiobject.Revision {
	job, ok := got[batchv1.Job](ctx, r, kube.Jobs, namespace, owner.Name)
	if !ok {
		return nil
	}
	return []apiobject.Revision{{Source: apiobject.Workload(owner), Spec: &job.Spec.Template.Spec}}
}

// revisions reads the ControllerRevisions of a workload. For an unknown kind it has to search all of the namespace.
func (r *run) revisions(ctx context.Context, namespace string, selector *metav1.LabelSelector,
	owner types.UID) []apiobject.Revision {
	found := []apiobject.Revision{}
	listed[appsv1.ControllerRevisionList](ctx, r, kube.Revisions, namespace, selector, func(c *appsv1.ControllerRevision) {
		if by := metav1.GetControllerOf(c); by == nil || by.UID != owner {
			return
		}
		one, err := apiobject.OfControllerRevision(c)
		if errors.Is(err, apiobject.ErrNoTemplate) {
			return // a kind that is not only about pods
		}
		if err != nil {
			r.missing(
				&kube.AccessError{Verb: "read", Resource: "controllerrevisions", Namespace: namespace, Name: c.Name, Kind: err},
				"its images and its template are not tried",
			)
			return
		}
		found = append(found, one)
	})
	return apiobject.Newest(found)
}

// ofApplied returns the images that kubectl applied last to a workload.
func ofApplied(owner *metav1.OwnerReference, annotations map[string]string) []apiobject.Revision {
	if a := apiobject.LastApplied(annotations); len(a.Images()) > 0 {
		return []apiobject.Revision{{Source: "what kubectl applied last to " + apiobject.Workload(owner), Applied: a}}
	}
	return nil
}

// sized is an object that knows its size on the wire.
type sized interface {
	runtime.Object
	metav1.Object
	Size() int
}

// listed visits the objects of a list of the kind L; what cannot be read becomes a gap.
func listed[L any, P interface {
	*L
	page
}, T sized](ctx context.Context, r *run, of kube.Resource, namespace string, selector *metav1.LabelSelector,
	visit func(T)) {
	o := metav1.ListOptions{Limit: r.o.PageSize}
	if chosen, err := metav1.LabelSelectorAsSelector(selector); err == nil && selector != nil {
		o.LabelSelector = chosen.String() // else all are searched
	}
	seen := map[string]bool{} // a list that starts again repeats objects
	_, err := pages(ctx, o, list[L, P](r.client, of, namespace), func(l P) error {
		return meta.EachListItem(l, func(item runtime.Object) error {
			one := item.(T)
			if !r.budget.spend(one.Size()) {
				return errBudget{r.o.MaxBytes}
			}
			if !seen[one.GetName()] {
				seen[one.GetName()] = true
				visit(one)
			}
			return nil
		})
	})
	if err != nil {
		r.missing((&kube.AccessError{Verb: "list", Resource: of.Resource, Namespace: namespace}).Because(ctx, err),
			withoutHistory)
	}
}

// got gets an object of a workload; ok is false if that failed, which is a gap.
func got[T any, P interface {
	*T
	sized
}](ctx context.Context, r *run, of kube.Resource, namespace, name string) (P, bool) {
	into, err := kube.Get[T, P](ctx, r.client, of, namespace, name)
	if err == nil && !r.budget.spend(into.Size()) {
		err = errBudget{r.o.MaxBytes}
	}
	if err != nil {
		r.missing((&kube.AccessError{Verb: "get", Resource: of.Resource, Namespace: namespace, Name: name}).Because(ctx, err),
			withoutHistory)
		return nil, false
	}
	return into, true
}
