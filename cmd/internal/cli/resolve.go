package cli

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
)

// resolve turns the scope into what the API server is asked for. Pods are taken
// by name; workloads are looked up, and their pods selected as the workload's
// controller selects them.
func (s *scope) resolve(ctx context.Context, client kubernetes.Interface) (apiserver.Scope, error) {
	out := apiserver.Scope{Namespace: s.namespace, Selector: s.selector, Nodes: s.nodes}
	for _, t := range s.targets {
		if t.kind == "pod" {
			out.Names = append(out.Names, apiserver.PodRef{Namespace: s.namespace, Name: t.name})
			continue
		}
		selectors, err := podSelectors(ctx, client, s.namespace, t)
		if err != nil {
			return out, err
		}
		if len(s.targets) == 1 && len(selectors) == 1 {
			out.Selector = selectors[0]
			return out, nil
		}
		for _, selector := range selectors {
			pods, err := client.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{LabelSelector: selector})
			if err != nil {
				return out, failed(ctx, "list", "pods", s.namespace, "", err)
			}
			for _, p := range pods.Items {
				out.Names = append(out.Names, apiserver.PodRef{Namespace: p.Namespace, Name: p.Name})
			}
		}
	}
	if len(s.targets) > 0 && len(out.Names) == 0 {
		return out, hint(fmt.Errorf("list pods of %s in %s: it has none now", s.targets[0], s.namespace),
			"pods that are gone left traces in the logs of their nodes only: 'node NODE' reads them")
	}
	return out, nil
}

// podSelectors returns the label selectors of a workload's pods.
func podSelectors(ctx context.Context, client kubernetes.Interface, namespace string, t target) ([]string, error) {
	var selector *metav1.LabelSelector
	var err error
	apps, batch, get := client.AppsV1(), client.BatchV1(), metav1.GetOptions{}
	switch t.kind {
	case "deployment":
		if o, e := apps.Deployments(namespace).Get(ctx, t.name, get); e == nil {
			selector = o.Spec.Selector
		} else {
			err = e
		}
	case "replicaset":
		if o, e := apps.ReplicaSets(namespace).Get(ctx, t.name, get); e == nil {
			selector = o.Spec.Selector
		} else {
			err = e
		}
	case "statefulset":
		if o, e := apps.StatefulSets(namespace).Get(ctx, t.name, get); e == nil {
			selector = o.Spec.Selector
		} else {
			err = e
		}
	case "daemonset":
		if o, e := apps.DaemonSets(namespace).Get(ctx, t.name, get); e == nil {
			selector = o.Spec.Selector
		} else {
			err = e
		}
	case "job":
		if o, e := batch.Jobs(namespace).Get(ctx, t.name, get); e == nil {
			selector = o.Spec.Selector
		} else {
			err = e
		}
	case "cronjob":
		return cronJobSelectors(ctx, client, namespace, t)
	}
	if err != nil {
		return nil, failed(ctx, "get", t.kind+"s", namespace, t.name, err)
	}
	return []string{metav1.FormatLabelSelector(selector)}, nil
}

// cronJobSelectors returns the selector of each job that a cron job has made.
func cronJobSelectors(ctx context.Context, client kubernetes.Interface, namespace string, t target) ([]string, error) {
	if _, err := client.BatchV1().CronJobs(namespace).Get(ctx, t.name, metav1.GetOptions{}); err != nil {
		return nil, failed(ctx, "get", t.kind+"s", namespace, t.name, err)
	}
	jobs, err := client.BatchV1().Jobs(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, failed(ctx, "list", "jobs", namespace, "", err)
	}
	var out []string
	for i := range jobs.Items {
		if ownedBy(&jobs.Items[i], t.name) {
			out = append(out, metav1.FormatLabelSelector(jobs.Items[i].Spec.Selector))
		}
	}
	return out, nil
}

func ownedBy(job *batchv1.Job, cronJob string) bool {
	o := metav1.GetControllerOf(job)
	return o != nil && o.Kind == "CronJob" && o.Name == cronJob
}

// failed words an error of a request that the apiserver package did not make.
func failed(ctx context.Context, verb, resource, namespace, name string, err error) error {
	return &apiserver.AccessError{Verb: verb, Resource: resource, Namespace: namespace, Name: name, Kind: apiserver.Reason(ctx, err), Err: err}
}

// The lists that completion and hints draw from are short: a hint is not worth
// reading a whole cluster.
const hintPage = 500

func listPods(ctx context.Context, client kubernetes.Interface, namespace string) ([]string, error) {
	list, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{Limit: hintPage})
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	return names, nil
}

func listNodes(ctx context.Context, client kubernetes.Interface) ([]string, error) {
	list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{Limit: hintPage})
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	return names, nil
}

func listNamespaces(ctx context.Context, client kubernetes.Interface) ([]string, error) {
	list, err := client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{Limit: hintPage})
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	return names, nil
}
