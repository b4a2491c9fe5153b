package collect

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// ErrNoPods says that a workload exists but has no pods.
var ErrNoPods = errors.New("it has none now")

// Resolve converts the scope into the API server's. Pods are used by name; workloads are looked up, and their pods
// selected with the controller's own selector.
func (s *Scope) Resolve(ctx context.Context, client kube.Client) (apiserver.Scope, error) {
	out := apiserver.Scope{Namespace: s.Namespace, Selector: s.Selector, Nodes: s.Nodes}
	for _, t := range s.Targets {
		if t.Kind == "pod" {
			out.Names = append(out.Names, apiserver.PodRef{Namespace: s.Namespace, Name: t.Name})
			continue
		}
		selectors, err := podSelectors(ctx, client, s.Namespace, t)
		if err != nil {
			return out, err
		}
		if len(s.Targets) == 1 && len(selectors) == 1 {
			out.Selector = selectors[0]
			return out, nil
		}
		for _, selector := range selectors {
			pods, err := kube.List[corev1.PodList](ctx, client, kube.Pods, s.Namespace,
				metav1.ListOptions{LabelSelector: selector})
			if err != nil {
				return out, failed(ctx, "list", "pods", s.Namespace, "", err)
			}
			for _, p := range pods.Items {
				out.Names = append(out.Names, apiserver.PodRef{Namespace: p.Namespace, Name: p.Name})
			}
		}
	}
	if len(s.Targets) > 0 && len(out.Names) == 0 {
		return out, fmt.Errorf("list pods of %s in %s: %w", s.Targets[0], s.Namespace, ErrNoPods)
	}
	return out, nil
}

// podSelectors returns the label selectors of the pods that belong to a target.
func podSelectors(ctx context.Context, client kube.Client, namespace string, t Target) ([]string, error) {
	switch t.Kind {
	case "deployment":
		o, err := kube.Get[appsv1.Deployment](ctx, client, kube.Deployments, namespace, t.Name)
		if err == nil {
			return selects(o.Spec.Selector), nil
		}
		return nil, t.refused(ctx, namespace, err)
	case "replicaset":
		o, err := kube.Get[appsv1.ReplicaSet](ctx, client, kube.ReplicaSets, namespace, t.Name)
		if err == nil {
			return selects(o.Spec.Selector), nil
		}
		return nil, t.refused(ctx, namespace, err)
	case "statefulset":
		o, err := kube.Get[appsv1.StatefulSet](ctx, client, kube.StatefulSets, namespace, t.Name)
		if err == nil {
			return selects(o.Spec.Selector), nil
		}
		return nil, t.refused(ctx, namespace, err)
	case "daemonset":
		o, err := kube.Get[appsv1.DaemonSet](ctx, client, kube.DaemonSets, namespace, t.Name)
		if err == nil {
			return selects(o.Spec.Selector), nil
		}
		return nil, t.refused(ctx, namespace, err)
	case "job":
		o, err := kube.Get[batchv1.Job](ctx, client, kube.Jobs, namespace, t.Name)
		if err == nil {
			return selects(o.Spec.Selector), nil
		}
		return nil, t.refused(ctx, namespace, err)
	case "service":
		o, err := kube.Get[corev1.Service](ctx, client, kube.Services, namespace, t.Name)
		if err != nil {
			return nil, t.refused(ctx, namespace, err)
		}
		if len(o.Spec.Selector) == 0 {
			return nil, fmt.Errorf("list pods of %s in %s: it has no label selector", t, namespace)
		}
		return selects(metav1.SetAsLabelSelector(o.Spec.Selector)), nil
	}
	return cronJobSelectors(ctx, client, namespace, t)
}

func selects(s *metav1.LabelSelector) []string { return []string{metav1.FormatLabelSelector(s)} }

// refused wraps an error of the request for a target.
func (t Target) refused(ctx context.Context, namespace string, err error) error {
	return failed(ctx, "get", t.Kind+"s", namespace, t.Name, err)
}

// cronJobSelectors returns the selector of each job that a cron job has made.
func cronJobSelectors(ctx context.Context, client kube.Client, namespace string, t Target) ([]string, error) {
	if _, err := kube.Get[batchv1.CronJob](ctx, client, kube.CronJobs, namespace, t.Name); err != nil {
		return nil, t.refused(ctx, namespace, err)
	}
	jobs, err := kube.List[batchv1.JobList](ctx, client, kube.Jobs, namespace, metav1.ListOptions{})
	if err != nil {
		return nil, failed(ctx, "list", "jobs", namespace, "", err)
	}
	var out []string
	for i := range jobs.Items {
		if ownedBy(&jobs.Items[i], t.Name) {
			out = append(out, metav1.FormatLabelSelector(jobs.Items[i].Spec.Selector))
		}
	}
	return out, nil
}

func ownedBy(job *batchv1.Job, cronJob string) bool {
	o := metav1.GetControllerOf(job)
	return o != nil && o.Kind == "CronJob" && o.Name == cronJob
}

// failed wraps an error of a request that the apiserver package did not make.
func failed(ctx context.Context, verb, resource, namespace, name string, err error) error {
	return &kube.AccessError{Verb: verb, Resource: resource, Namespace: namespace,
		Name: name, Kind: kube.Reason(ctx, err), Err: err}
}
