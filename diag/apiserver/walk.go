package apiserver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// ForEachPage reads what Collect reads except events, for callers that need each pod only briefly: it passes take a
// piece with the nodes, and then one for each page of pods, one after the other. Of a page it keeps only the UIDs of
// its pods, so memory is that of the nodes and of two pages: one is processed while the next is read. The piece belongs
// to the caller.
//
// The scope must be a list without names and nodes. Timeout is how long a page may make no progress, and MaxBytes
// applies to all pages together. It returns the gaps; as after Collect, Err returns what could not be read, here also
// that pods are missing. When take returns an error the walk ends with it.
func (s *Source) ForEachPage(ctx context.Context, take func(*apiobject.Piece) error) ([]evidence.Gap, error) {
	if len(s.scope.Names)+len(s.scope.Nodes) > 0 {
		return nil, errors.New("walk over pods: the scope names some")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &walk{run: newRun(s)}
	close(w.eventsRead) // none are read: no image is known from them
	w.nodes(ctx)
	nodes := w.piece
	nodes.Sort()

	pages := make(chan *apiobject.Piece)
	go func() {
		defer close(pages)
		defer func() {
			if p := recover(); p != nil {
				w.gaps = append(w.gaps, evidence.Gap{Source: evidence.SourceAPI, Why: fmt.Sprintf("reading pods broke down: %v", p),
					Hint: "pods of the pages that follow were not looked at; please report it"})
			}
		}()
		w.pods(ctx, pages)
	}()
	err := take(nodes)
	for p := range pages {
		if err == nil {
			p.Sort()
			err = take(p)
		}
		if err != nil {
			cancel() // and let the reader finish
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = errors.Join(w.errs...)
	return w.gaps, err
}

// walk is a run whose piece is the current page.
type walk struct {
	*run
}

// paged applies the timeout to each page of a list.
func paged[P page](s *Source, read fetch[P]) fetch[P] {
	return func(ctx context.Context, o metav1.ListOptions) (P, error) {
		ctx, cancel := pace.Within(ctx, s.o.Timeout)
		defer cancel()
		return read(ctx, o)
	}
}

// nodes reads all nodes: which of them have pods in scope is not known yet.
func (w *walk) nodes(ctx context.Context) {
	if !slices.Contains(w.o.Denied, "nodes") {
		w.listNodes(ctx, paged(w.Source, w.nodeList()), func(string) bool { return true })
	}
}

// pods reads the pods and sends each page.
func (w *walk) pods(ctx context.Context, out chan<- *apiobject.Piece) {
	o := metav1.ListOptions{LabelSelector: w.scope.Selector, Limit: w.o.PageSize}
	read := 0
	all := paged(w.Source, list[corev1.PodList](w.client, kube.Pods, w.scope.Namespace))
	_, err := pages(ctx, o, all, func(l *corev1.PodList) error {
		// A list that restarts repeats pods: those already sent are dropped.
		items := slices.DeleteFunc(l.Items, func(p corev1.Pod) bool { _, seen := w.known[string(p.UID)]; return seen })
		w.piece = &apiobject.Piece{}
		err := w.takePods(ctx, items)
		read += len(w.piece.Pods)
		w.fit.Answers(w.piece.Readmit)
		select {
		case out <- w.piece:
		case <-ctx.Done():
			return ctx.Err()
		}
		return err
	})
	switch e := (&kube.AccessError{Verb: "list", Resource: "pods", Namespace: w.scope.Namespace}); {
	case err != nil && read == 0 && !errors.As(err, &errBudget{}):
		w.failed(e.Because(ctx, err), withoutPods)
	case err != nil:
		w.errs = append(w.errs, e.Because(ctx, err))
		w.gaps = append(w.gaps, partOfPods(e, read))
	case read == 0 && w.scope.Namespace != "":
		w.checkNamespace(ctx, w.scope.Namespace)
	}
}
