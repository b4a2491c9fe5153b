package apiserver

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

const (
	// watchFor is the least time that the API server is asked to keep a watch open,
	// and up to twice that: not all streams are to end at once. watchGrace is how long
	// one may then stay silent before it counts as dead.
	watchFor   = 5 * time.Minute
	watchGrace = 30 * time.Second
	// shortWatch is what a watch must last to be no failure when it ends.
	shortWatch = time.Second
	// persistent is after how many failures in a row the list is read again.
	persistent = 4
	// maxBackoff is the longest pause after failures.
	maxBackoff = 30 * time.Second
)

// query says which objects a stream is about.
type query struct {
	resource                  kube.Resource
	namespace, labels, fields string
}

func (q query) options() metav1.ListOptions {
	return metav1.ListOptions{LabelSelector: q.labels, FieldSelector: q.fields}
}

func (q query) failed(ctx context.Context, verb string, err error) *kube.AccessError {
	return (&kube.AccessError{Verb: verb, Resource: q.resource.Resource, Namespace: q.namespace}).Because(ctx, err)
}

// stream follows a list: it watches from the version of a list that was read, and
// reads the list again when the API server does not know the version any more. Its
// callbacks run one after the other.
type stream struct {
	query
	client   kube.Client
	pageSize int64
	timeout  time.Duration // for a whole list
	backoff  time.Duration // the first pause after a failure; they double
	// version is where to go on; "" reads the list first.
	version string
	// page is what one page of the list is read into, begin is called before the first
	// and take with each; listed ends the list. partly tells that it was longer than
	// may be read.
	page   func() page
	begin  func()
	take   func(page) error
	listed func(partly bool)
	// seen gets every change.
	seen func(watch.EventType, runtime.Object)
	// trouble gets what keeps the stream from going on, and nil once it does again.
	trouble func(error)
}

// run follows until ctx ends, or until the API server refuses: then the error says
// so, and nothing will change that. Everything else is tried again.
func (s *stream) run(ctx context.Context) error {
	for failures := 0; ctx.Err() == nil; {
		elapsed := clock.Stopwatch()
		err := s.once(ctx)
		var refused *kube.AccessError
		switch {
		case ctx.Err() != nil:
		case errors.As(err, &refused) && (errors.Is(err, kube.ErrForbidden) || errors.Is(err, kube.ErrInvalid)):
			return err
		case apierrors.IsGone(err) || apierrors.IsResourceExpired(err):
			// The list is read again, at once unless that has just been of no use.
			if s.version = ""; elapsed() < shortWatch {
				failures++
			}
		case err == nil && elapsed() >= shortWatch:
			failures = 0
			continue
		case err != nil || elapsed() < shortWatch:
			if failures++; failures > 1 && err != nil {
				s.trouble(err)
			}
		}
		if failures > 0 {
			if failures%persistent == 0 {
				s.version = "" // what comes next may be what cannot be read: the list goes past it
			}
			s.pause(ctx, failures, err)
		}
	}
	return nil
}

// pause waits after failures: twice as long after each, not in step with others, and
// no less than the server asks for.
func (s *stream) pause(ctx context.Context, failures int, err error) {
	d := min(s.backoff<<min(failures-1, 8), maxBackoff)
	d = d/2 + rand.N(d)
	if asked, ok := apierrors.SuggestsClientDelay(err); ok {
		d = max(d, time.Duration(asked)*time.Second)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// once lists if it must, and watches until the watch ends.
func (s *stream) once(ctx context.Context) error {
	if s.version == "" {
		if err := s.list(ctx); err != nil {
			return err
		}
	}
	lasts := watchFor + rand.N(watchFor)
	ctx, cancel := context.WithTimeout(ctx, lasts+watchGrace)
	defer cancel()
	o := s.options()
	o.ResourceVersion, o.AllowWatchBookmarks, o.TimeoutSeconds = s.version, true, new(int64(lasts/time.Second))
	w, err := s.client.Watch(ctx, s.resource, s.namespace, o)
	if err != nil {
		return s.failed(ctx, "watch", err)
	}
	defer w.Stop()
	s.trouble(nil)
	for {
		select {
		case e, ok := <-w.ResultChan():
			if !ok {
				return nil // the server has ended it, or the connection broke: on from the version
			}
			if e.Type == watch.Error {
				return s.failed(ctx, "watch", apierrors.FromObject(e.Object))
			}
			if o, ok := e.Object.(metav1.Object); ok && o.GetResourceVersion() != "" {
				s.version = o.GetResourceVersion()
			}
			if e.Type != watch.Bookmark {
				s.seen(e.Type, e.Object)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// list reads the whole list, and sets the version to go on from.
func (s *stream) list(ctx context.Context) error {
	ctx, cancel := pace.Within(ctx, s.timeout)
	defer cancel()
	read := func(ctx context.Context, o metav1.ListOptions) (page, error) {
		p := s.page()
		return p, s.client.List(ctx, s.resource, s.namespace, o, p)
	}
	o := s.options()
	o.Limit = s.pageSize
	s.begin()
	version, err := pages(ctx, o, read, s.take)
	if err != nil && !errors.As(err, &errBudget{}) {
		return s.failed(ctx, "list", err)
	}
	s.version = version
	s.listed(err != nil)
	return nil
}
