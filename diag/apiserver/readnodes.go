package apiserver

import (
	"context"
	"errors"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

const (
	withoutNodes      = "without the node, its kubelet version and its boot time are unknown"
	withoutNodeEvents = "without the nodes' events, reboots, kubelet starts and out-of-memory of the whole node cannot " +
		"be seen here"
)

// nodeNames returns the nodes of the pods that were read, and those in the scope.
func (r *run) nodeNames() []string {
	names := slices.Clone(r.scope.Nodes)
	for _, p := range r.piece.Pods {
		if p.Spec.NodeName != "" {
			names = append(names, p.Spec.NodeName)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// readNodes reads the nodes, and their events unless the list of all events included them.
func (r *run) readNodes(ctx context.Context, names []string) {
	if len(names) == 0 {
		return
	}
	var done sync.WaitGroup
	defer done.Wait()
	if !r.scope.whole() {
		done.Go(func() { r.listEvents(ctx, nodeQueries(names), withoutNodeEvents) })
	}
	switch {
	case slices.Contains(r.o.Denied, "nodes") && len(r.scope.Nodes) == 0:
	case len(names) > eachAtMost || r.scope.whole():
		r.listNodes(ctx, r.nodeList(), r.among(names))
	default:
		each(names, func(n string) { r.getNode(ctx, n) })
	}
}

func (r *run) nodeList() fetch[*corev1.NodeList] {
	return list[corev1.NodeList](r.client, kube.Nodes, "")
}

// among returns a filter for these names, which are sorted; for a whole cluster it accepts all.
func (r *run) among(names []string) func(string) bool {
	return func(name string) bool {
		_, wanted := slices.BinarySearch(names, name)
		return wanted || r.scope.whole()
	}
}

func (r *run) listNodes(ctx context.Context, read fetch[*corev1.NodeList], wanted func(name string) bool) {
	_, err := pages(ctx, metav1.ListOptions{Limit: r.o.PageSize}, read, func(l *corev1.NodeList) error {
		for i := range l.Items {
			n := &l.Items[i]
			if !r.budget.spend(n.Size()) {
				return errBudget{r.o.MaxBytes}
			}
			if wanted(n.Name) {
				r.addNode(n)
			}
		}
		return nil
	})
	if err != nil {
		r.missing((&kube.AccessError{Verb: "list", Resource: "nodes"}).Because(ctx, err), withoutNodes)
	}
}

// getNode gets one node. A node named in the scope must exist; the node of a pod may be gone.
func (r *run) getNode(ctx context.Context, name string) {
	n, err := kube.Get[corev1.Node](ctx, r.client, kube.Nodes, "", name)
	if err == nil {
		r.addNode(n)
		return
	}
	e := (&kube.AccessError{Verb: "get", Resource: "nodes", Name: name}).Because(ctx, err)
	if errors.Is(e.Kind, kube.ErrNotFound) && slices.Contains(r.scope.Nodes, name) {
		r.failed(e, withoutNodes)
		return
	}
	gap := e.Gap(withoutNodes)
	gap.Node = name
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gaps = append(r.gaps, gap)
}

// addNode keeps a node; a list that restarts repeats nodes.
func (r *run) addNode(n *corev1.Node) {
	kept := redact.Node(n)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fit.Node(n)
	for i, have := range r.piece.Nodes {
		if have.Name == kept.Name {
			r.piece.Nodes[i] = kept
			return
		}
	}
	r.piece.Nodes = append(r.piece.Nodes, kept)
}
