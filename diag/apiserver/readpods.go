package apiserver

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/readmission"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

const withoutPods = "without the pods nothing can be explained"

func (r *run) pods(ctx context.Context) {
	if len(r.scope.Names) > 0 {
		r.namedPods(ctx)
		return
	}
	selectors := []string{""}
	if len(r.scope.Nodes) > 0 {
		selectors = nil
		for _, n := range r.scope.Nodes {
			selectors = append(selectors, fields.OneTermEqualSelector("spec.nodeName", n).String())
		}
	}
	for _, s := range selectors {
		if !r.listPods(ctx, s) {
			return
		}
	}
	if len(r.piece.Pods) == 0 && r.scope.Namespace != "" {
		r.checkNamespace(ctx, r.scope.Namespace)
	}
}

func (r *run) listPods(ctx context.Context, fieldSelector string) (ok bool) {
	q := query{kube.Pods, r.scope.Namespace, r.scope.Selector, fieldSelector}
	o := q.options()
	o.Limit = r.o.PageSize
	taken := 0
	version, err := pages(ctx, o, list[corev1.PodList](r.client, kube.Pods, r.scope.Namespace),
		func(l *corev1.PodList) error {
			err := r.takePods(ctx, l.Items)
			if err == nil {
				taken += len(l.Items)
			}
			return err
		})
	if err == nil {
		r.reached(q, version)
		return true
	}
	e := (&kube.AccessError{Verb: "list", Resource: "pods", Namespace: r.scope.Namespace}).Because(ctx, err)
	if taken == 0 && !errors.As(err, &errBudget{}) {
		r.failed(e, withoutPods)
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gaps = append(r.gaps, partOfPods(e, taken))
	return false
}

// partOfPods is the gap for a list of pods that was only partly read.
func partOfPods(e *kube.AccessError, read int) evidence.Gap {
	gap := e.Gap("pods that are not among them were not looked at; narrow the scope with -n, -l or a name")
	gap.Why = fmt.Sprintf("only %d pods were read: %s", read, gap.Why)
	return gap
}

// namedPods gets pods one by one. A pod that does not exist does not affect the others.
func (r *run) namedPods(ctx context.Context) {
	got := make([]*corev1.Pod, len(r.scope.Names))
	index := make([]int, len(got))
	for i := range index {
		index[i] = i
	}
	each(index, func(i int) {
		ref := r.scope.Names[i]
		p, err := kube.Get[corev1.Pod](ctx, r.client, kube.Pods, ref.Namespace, ref.Name)
		if err == nil {
			got[i] = p
			return
		}
		e := (&kube.AccessError{Verb: "get", Resource: "pods", Namespace: ref.Namespace, Name: ref.Name}).Because(ctx, err)
		if errors.Is(e.Kind, kube.ErrNotFound) && r.checkNamespace(ctx, ref.Namespace) {
			return // reported already, with a better reason
		}
		r.failed(e, withoutPods)
	})
	for _, p := range got {
		if p != nil {
			// A single pod never exceeds the budget: an object has at most 1.5 MiB.
			_ = r.takePods(ctx, []corev1.Pod{*p})
		}
	}
}

// checkNamespace distinguishes an empty namespace from one that does not exist: the API server answers both alike.
// Without the right to read namespaces it stays undecided.
func (r *run) checkNamespace(ctx context.Context, name string) (absent bool) {
	_, err := kube.Get[corev1.Namespace](ctx, r.client, kube.Namespaces, "", name)
	if err == nil || !errors.Is(kube.Reason(ctx, err), kube.ErrNotFound) {
		return false
	}
	e := &kube.AccessError{Verb: "get", Resource: "namespaces", Name: name, Kind: kube.ErrNoNamespace, Err: err}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, have := range r.errs {
		if have.Error() == e.Error() {
			return true
		}
	}
	r.errs = append(r.errs, e)
	return true
}

// takePods hashes and redacts one page. It waits for the events first, because they name images that must be hashed
// while the environment values are still available.
func (r *run) takePods(ctx context.Context, items []corev1.Pod) error {
	<-r.eventsRead
	for i := range items {
		p := &items[i]
		if !r.budget.spend(p.Size()) {
			return errBudget{r.o.MaxBytes}
		}
		if r.o.Quiet != KeepWhole && r.quiet(p) {
			r.keepQuiet(p)
			continue
		}
		r.piece.PutHashes(string(p.UID), apiobject.HashPod(p, r.seen, r.history(ctx, p), r.hash))
		r.fit.Pod(readmission.DemandOf(p))
		r.keep(string(p.UID), redact.Pod(p))
	}
	return nil
}

// keep adds a pod, or replaces it: a list that restarts repeats pods.
func (r *run) keep(uid string, p *corev1.Pod) {
	if at, again := r.known[uid]; again && at >= 0 && uid != "" {
		r.piece.Pods[at] = p
		return
	}
	r.known[uid] = len(r.piece.Pods)
	r.piece.Pods = append(r.piece.Pods, p)
}
