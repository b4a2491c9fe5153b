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
	// watchFor is the minimum time that the API server is asked to keep a watch open, and up to twice that, so that not
	// all streams end at once. watchGrace is how much longer a watch may last before it counts as dead.
	watchFor   = 5 * time.Minute
	watchGrace = 30 * time.Second
	// shortWatch is the minimum duration of a watch whose end is not a failure.
	shortWatch = time.Second
	// persistent is after how many consecutive failures the list is read again.
	persistent = 4
	// maxBackoff is the longest pause after failures.
	maxBackoff = 30 * time.Second
)

// query selects the objects of a stream.
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

// stream follows a list: it watches from the version of a list that was read, and reads the list again when the API
// server no longer knows that version. Its callbacks run one after the other.
type stream struct {
	query
	client   kube.Client
	pageSize int64
	timeout  time.Duration // for a whole list
	backoff  time.Duration // the first pause after a failure; they double
	// version is where to continue; "" reads the list first.
	version string
	// page allocates one page of the list, begin is called before the first and take with each; listed is called at the
	// end of the list. partly says that the list exceeded the budget.
	page   func() page
	begin  func()
	take   func(page) error
	listed func(partly bool)
	// seen is called with every change.
	seen func(watch.EventType, runtime.Object)
	// trouble is called with what interrupts the stream, and with nil once it continues.
	trouble func(error)
}

// run follows until ctx ends, or until the API server refuses: then it returns an error, since retrying is useless.
// Everything else is retried.
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
			// The list is read again, at once unless the last attempt was useless.
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
				s.version = "" // the next change may be undecodable: listing skips it
			}
			s.pause(ctx, failures, err)
		}
	}
	return nil
}

// pause waits after failures: twice as long after each, with jitter, and no less than the server asks for.
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

// once lists if necessary, and watches until the watch ends.
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
				return nil // the server ended it, or the connection broke: continue from the version
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

// list reads the whole list, and sets the version to continue from.
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
