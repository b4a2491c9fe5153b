package apiserver

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// A version that the API server has forgotten costs one list, and nothing is missed.
func TestAForgottenVersionIsListedAgain(t *testing.T) {
	w := follow(t, base(t), Scope{Namespace: "shop"}, Options{})
	w.watched("watch pods", 1)
	w.watched("watch events", 2)
	gone := objecttest.BasePod(objecttest.Named("shop", "gone"))
	w.Put(&gone)
	w.next()
	lists := w.count("list pods")
	w.Refuse("watch pods", 429)
	w.Refuse("watch events", 429)
	w.Cut()
	w.Put(restarted())
	w.Delete(&gone)
	w.Forget()
	w.Refuse("watch pods", 0)
	w.Refuse("watch events", 0)
	_, s := w.next()
	if diff := cmp.Diff(map[string]int{"web-0": 2}, restarts(s)); diff != "" {
		t.Error(diff)
	}
	if n := w.count("list pods"); n != lists+1 {
		t.Errorf("listed %d times", n-lists)
	}
	// The same as an event of an open watch.
	watches := w.count("watch pods")
	w.Fail("pods", 410)
	w.watched("watch pods", watches+1)
	w.Put(restarted(func(p *corev1.Pod) { p.Status.ContainerStatuses[0].RestartCount = 7 }))
	if _, s = w.next(); restarts(s)["web-0"] != 7 {
		t.Error(restarts(s))
	}
}

// A connection that breaks is taken up where it broke, from the last bookmark if
// nothing else came.
func TestABrokenConnectionGoesOnWhereItWas(t *testing.T) {
	w := follow(t, base(t), Scope{Namespace: "shop"}, Options{})
	w.watched("watch pods", 1)
	w.watched("watch events", 2)
	lists := w.count("list")
	first := w.f.versions[query{w.f.podQueries()[0].resource, "shop", "", ""}]
	w.Bookmark()
	for i := range 3 {
		w.Cut()
		w.watched("watch pods", i+2)
	}
	w.Put(restarted())
	if _, s := w.next(); restarts(s)["web-0"] != 2 {
		t.Error(restarts(s))
	}
	if n := w.count("list pods"); n != 1 || first == "" {
		t.Errorf("listed %d times; at first at version %q; lists before %d", n, first, lists)
	}
	if len(w.troubles) > 0 {
		t.Errorf("a broken connection is trouble: %s", <-w.troubles)
	}
}

// What the API server cannot do now is said and tried again.
func TestTroubleIsSaidAndEnds(t *testing.T) {
	w := follow(t, base(t), Scope{Namespace: "shop"}, Options{})
	w.watched("watch pods", 1)
	w.Refuse("watch pods", 500)
	w.Cut()
	if text := <-w.troubles; !strings.Contains(text, "watch pods in namespace shop: the API server failed") {
		t.Errorf("%s", text)
	}
	w.Put(restarted())
	w.Refuse("watch pods", 0)
	for <-w.troubles != "<nil>" {
	}
	if _, s := w.next(); restarts(s)["web-0"] != 2 {
		t.Error(restarts(s))
	}
}

func TestARefusalEndsTheWatch(t *testing.T) {
	for what, wanted := range map[string]string{"watch pods": "watch pods in namespace shop: forbidden",
		"watch events": "watch events in namespace shop: forbidden"} {
		s := base(t)
		s.Refuse(what, 403)
		w := follow(t, s, Scope{Namespace: "shop"}, Options{})
		err := <-w.ended
		if !errors.Is(err, kube.ErrForbidden) || !strings.Contains(err.Error(), wanted) &&
			!strings.Contains(err.Error(), "namespace default") {
			t.Errorf("%s: %v", what, err)
		}
	}
	// What is refused at first is not watched.
	s := base(t)
	s.Refuse("watch events", 403)
	w := follow(t, s, Scope{Namespace: "shop"}, Options{Denied: []string{"events"}})
	w.watched("watch pods", 1)
	w.Put(restarted())
	if _, s := w.next(); restarts(s)["web-0"] != 2 || w.count("watch events") > 0 || w.count("list events shop") > 0 {
		t.Errorf("%v %q", restarts(s), w.Asked())
	}
}

// Who may read one namespace only does without the events of nodes, and loses nothing
// else by it.
func TestEventsOfNodesMayBeRefused(t *testing.T) {
	s := base(t)
	s.Refuse("list events default", 403)
	s.Refuse("watch events default", 403)
	old := objecttest.BaseEvent(func(e *corev1.Event) {
		e.CreationTimestamp, e.FirstTimestamp, e.LastTimestamp = objecttest.At(-600), objecttest.At(-600), objecttest.At(-600)
	})
	s.Put(&old)
	source := NewSource(s.Client(), Scope{Namespace: "shop"}, apiobject.Hasher{}, Options{Now: now})
	if _, gaps := source.Collect(t.Context()); len(gaps) != 1 ||
		!strings.Contains(gaps[0].Why, "events in namespace default: forbidden") {
		t.Fatalf("gaps %+v", gaps)
	}
	clock := now().Add(time.Minute)
	source.o.Now = func() time.Time { return clock }
	f := source.Follow(FollowOptions{Settle: time.Millisecond, Backoff: time.Millisecond})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	for !f.nodeEventsRefused.Load() && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	s.Put(restarted())
	if _, err := f.Next(ctx); err != nil {
		t.Fatal(err)
	}
	before := len(s.Asked())
	pieces, gaps := f.Collect(ctx)
	if len(gaps) != 1 {
		t.Errorf("gaps %+v", gaps)
	}
	if got := objecttest.Observed(pieces, nil).Coverage; len(got) != 1 || !got[0].Until.Equal(clock) {
		t.Errorf("covered %+v, want until %s", got, clock)
	}
	if asked := s.Asked()[before:]; slices.Contains(asked, "list events default") {
		t.Errorf("asked in vain: %q", asked)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// The end comes at once, and leaves nothing behind.
func TestAFollowerEndsAtOnce(t *testing.T) {
	s := base(t)
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for _, broken := range []bool{false, true} {
		w := followAfter(t, s, Scope{Namespace: "shop"}, Options{}, time.Hour) // broken, it waits for its next try
		w.watched("watch pods", 1)
		if broken {
			w.Refuse("watch pods", 500)
			w.Cut()
		}
		ctx, cancel := context.WithCancel(t.Context())
		wg.Go(func() {
			if _, err := w.f.Next(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
		})
		elapsed := clock.Stopwatch()
		cancel()
		w.end()
		if err := <-w.ended; err != nil {
			t.Errorf("ended with %v", err)
		}
		wg.Wait()
		if took := elapsed(); took > time.Second { // less than anything that it waits for
			t.Errorf("it took %s", took)
		}
	}
	s.Cut()
	clocktest.Await(t, func() bool { return runtime.NumGoroutine() <= before+6 }, func() string {
		// connections that are kept
		buf := make([]byte, 1<<16)
		return fmt.Sprintf("%d goroutines, before %d: %s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
	})
}

// A list that could not be read at first is a gap no longer once it has been.
func TestAGapThatHealsIsDropped(t *testing.T) {
	s := base(t)
	s.Refuse("list events", 500)
	source := NewSource(s.Client(), Scope{Namespace: "shop"}, apiobject.Hasher{}, Options{})
	if _, gaps := source.Collect(t.Context()); len(gaps) != 2 {
		t.Fatalf("gaps %+v", gaps)
	}
	s.Refuse("list events", 0)
	f := source.Follow(FollowOptions{Backoff: time.Millisecond})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	for {
		if _, gaps := f.Collect(ctx); len(gaps) == 0 || ctx.Err() != nil {
			break
		}
	}
	if ctx.Err() != nil {
		t.Error("the gaps stay")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
