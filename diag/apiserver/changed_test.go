package apiserver

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// idle is a follower that nothing comes in to by itself.
func idle(scope Scope) *Watcher {
	return NewSource(nil, scope, apiobject.Hasher{}, Options{Now: now}).Follow(FollowOptions{})
}

// The first news counts, so that a pod that keeps changing puts nothing off.
func TestNewsSettleFromTheFirstOn(t *testing.T) {
	type at struct {
		after time.Duration
		ended bool
	}
	for name, test := range map[string]struct {
		news []at
		want time.Duration
	}{
		"a restart": {[]at{{0, true}}, 1500 * time.Millisecond},
		"restarts without end": {[]at{{0, true}, {time.Second, true}, {1400 * time.Millisecond, true}},
			1500 * time.Millisecond},
		"something else":                   {[]at{{0, false}}, 10 * time.Second},
		"something else, then a restart":   {[]at{{0, false}, {3 * time.Second, true}}, 4500 * time.Millisecond},
		"something else and later restart": {[]at{{0, false}, {9 * time.Second, true}}, 10 * time.Second},
		"a restart, then something else":   {[]at{{0, true}, {time.Second, false}}, 1500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, elapsed := idle(Scope{}), clock.Stopwatch()
				go func() {
					for _, n := range test.news {
						time.Sleep(n.after - elapsed())
						f.mu.Lock()
						f.tell(new(objecttest.BasePod()), n.ended)
						f.mu.Unlock()
					}
				}()
				if _, err := f.Next(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := elapsed(); got != test.want {
					t.Errorf("after %s, want %s", got, test.want)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				if c, err := f.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("told twice: %+v", c)
				}
			})
		})
	}
}

func TestPrintsTellEndsFromTheRest(t *testing.T) {
	seed := maphash.MakeSeed()
	was := printsOf(seed, new(objecttest.BasePod()))
	status := func(change func(*corev1.ContainerStatus)) func(*corev1.Pod) {
		return func(p *corev1.Pod) { change(&p.Status.ContainerStatuses[0]) }
	}
	for name, test := range map[string]struct {
		mutate     func(*corev1.Pod)
		ends, rest bool
	}{
		"nothing": {func(*corev1.Pod) {}, false, false},
		"a label, an address": {func(p *corev1.Pod) { p.Labels["a"], p.Status.PodIP, p.Status.Message = "b", "c", "d" },
			false, false},
		"a heartbeat": {func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: "Other", Status: "True"}}
		}, false, false},
		"one more restart":  {status(func(s *corev1.ContainerStatus) { s.RestartCount++ }), true, false},
		"another container": {status(func(s *corev1.ContainerStatus) { s.ContainerID = "x" }), true, false},
		"an end": {status(func(s *corev1.ContainerStatus) {
			s.State.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1}
		}), true, false},
		"another last end": {status(func(s *corev1.ContainerStatus) {
			s.LastTerminationState.Terminated.FinishedAt = objecttest.At(99)
		}), true, false},
		"an eviction": {func(p *corev1.Pod) { p.Status.Phase, p.Status.Reason = corev1.PodFailed, "Evicted" }, true, true},
		"readiness":   {status(func(s *corev1.ContainerStatus) { s.Ready = false }), false, true},
		"a reason to wait": {status(func(s *corev1.ContainerStatus) {
			s.State.Waiting = &corev1.ContainerStateWaiting{Reason: "X"}
		}), false, true},
		"a deletion": {func(p *corev1.Pod) { d := objecttest.At(3); p.DeletionTimestamp = &d }, false, true},
		"a disruption": {func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget}}
		}, false, true},
		"a node":                    {func(p *corev1.Pod) { p.Spec.NodeName = "n9" }, false, true},
		"a status of two that swap": {status(func(s *corev1.ContainerStatus) { s.Name = "b" }), true, true},
	} {
		t.Run(name, func(t *testing.T) {
			got := printsOf(seed, new(objecttest.BasePod(test.mutate)))
			if (got.ends != was.ends) != test.ends || (got.rest != was.rest) != test.rest {
				t.Errorf("ends %t, rest %t", got.ends != was.ends, got.rest != was.rest)
			}
		})
	}
}

func TestHashesAreComputedAnewWhenTheirInputChanges(t *testing.T) {
	seed, seen := maphash.MakeSeed(), apiobject.ImagesSeen{}
	was := specPrint(seed, new(objecttest.BasePod()), seen)
	for name, mutate := range map[string]func(*corev1.Pod){
		"a value":         func(p *corev1.Pod) { p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "a", Value: "b"}} },
		"a status' image": func(p *corev1.Pod) { p.Status.ContainerStatuses[0].Image = "x" },
		"what was applied": func(p *corev1.Pod) {
			p.Annotations = map[string]string{corev1.LastAppliedConfigAnnotation: "{}"}
		},
		"an image that an event names": func(*corev1.Pod) { seen.Add("shop", "web-0", "a", "r/web:9", "an event") },
	} {
		if p := objecttest.BasePod(mutate); specPrint(seed, &p, seen) == was {
			t.Errorf("%s changes nothing", name)
		}
		clear(seen)
	}
	if p := objecttest.BasePod(func(p *corev1.Pod) { p.Status.ContainerStatuses[0].RestartCount = 9 }); specPrint(seed,
		&p, seen) != was {
		t.Error("a restart changes the hashes")
	}
}

func TestAFloodOfEventsIsBounded(t *testing.T) {
	f := idle(Scope{})
	f.piece.Window = &apiobject.EventReach{From: objecttest.At(-60), Until: objecttest.At(0)}
	for i := range maxEvents + 1 {
		e := objecttest.BaseEvent(func(e *corev1.Event) { e.Name, e.LastTimestamp = fmt.Sprint(i), objecttest.At(i) })
		f.keepEvent(&e)
	}
	if n := len(f.events); n > maxEvents || n < maxEvents*8/10 {
		t.Errorf("%d events are kept", n)
	}
	if f.events[eventKey{"shop", "0"}] != nil || f.events[eventKey{"shop", fmt.Sprint(maxEvents)}] == nil {
		t.Error("the oldest should have gone")
	}
	if from := f.piece.Window.From.Sub(objecttest.T0); from != maxEvents/10*time.Second {
		t.Errorf("silence is claimed from %s on", from)
	}
}

// After a hole in the watch nothing is claimed of what may have expired in it.
func TestSilenceAfterAHole(t *testing.T) {
	event := func(second int) *corev1.Event {
		e := objecttest.BaseEvent(func(e *corev1.Event) {
			e.CreationTimestamp, e.LastTimestamp = objecttest.At(second), objecttest.At(second)
		})
		return &e
	}
	have := &apiobject.EventReach{From: objecttest.At(-600), Until: objecttest.At(0)}
	for name, test := range map[string]struct {
		have   *apiobject.EventReach
		listed []*corev1.Event
		partly bool
		want   *apiobject.EventReach
	}{
		"the list reaches back before the hole": {have, []*corev1.Event{event(-60), event(50)}, false, have},
		"it begins within the hole": {have, []*corev1.Event{event(50)},
			false, &apiobject.EventReach{From: objecttest.At(50), Until: objecttest.At(100)}},
		"it is empty": {have, nil, false, nil},
		"it was cut":  {have, []*corev1.Event{event(-60)}, true, nil},
		"nothing was claimed before": {nil, []*corev1.Event{event(50)}, false,
			&apiobject.EventReach{From: objecttest.At(50), Until: objecttest.At(100)}},
	} {
		t.Run(name, func(t *testing.T) {
			f := idle(Scope{})
			f.piece.Window = test.have
			f.rejoin(test.listed, objecttest.At(100).Time, test.partly)
			if diff := cmp.Diff(test.want, f.piece.Window); diff != "" {
				t.Error(diff)
			}
			if test.want == nil && !f.since.Equal(objecttest.At(100).Time) {
				t.Errorf("since %s", f.since)
			}
		})
	}
}

// Pauses grow, are not in step, and are no shorter than the server asks for.
func TestPausesAfterFailures(t *testing.T) {
	busy := apierrors.NewTooManyRequests("busy", 7)
	for name, test := range map[string]struct {
		failures    int
		err         error
		least, most time.Duration
	}{
		"the first":       {1, errors.New("x"), 250 * time.Millisecond, 750 * time.Millisecond},
		"the third":       {3, errors.New("x"), time.Second, 3 * time.Second},
		"a very late one": {1000, nil, 15 * time.Second, 45 * time.Second},
		"the server's wishes": {1, (&kube.AccessError{Verb: "watch", Resource: "pods"}).Because(t.Context(), busy),
			7 * time.Second, 7 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &stream{backoff: 500 * time.Millisecond}
				took := map[time.Duration]bool{}
				for range 20 {
					elapsed := clock.Stopwatch()
					s.pause(t.Context(), test.failures, test.err)
					d := elapsed()
					took[d] = true
					if d < test.least || d > test.most {
						t.Errorf("%s", d)
					}
				}
				if test.least != test.most && len(took) < 10 {
					t.Errorf("in step: %v", took)
				}
			})
		})
	}
}

// One of several troubles is told, always the same one, and their end.
func TestOfSeveralTroublesOneIsTold(t *testing.T) {
	f := idle(Scope{})
	var told []string
	f.f.Trouble = func(err error) { told = append(told, fmt.Sprint(err)) }
	a, b := query{namespace: "a"}, query{namespace: "b"}
	f.trouble(a, nil)
	f.trouble(b, errors.New("second"))
	f.trouble(a, errors.New("first"))
	f.trouble(b, nil)
	f.trouble(a, nil)
	f.trouble(a, nil)
	if diff := cmp.Diff([]string{"second", "first", "first", "<nil>"}, told); diff != "" {
		t.Error(diff)
	}
}

// A pod that a stream brings twice, or that is of another one, is not lost with it.
func TestAQueryHoldsItsPods(t *testing.T) {
	p := objecttest.BasePod()
	for q, want := range map[query]bool{
		{namespace: "shop"}: true, {}: true, {namespace: "other"}: false, {fields: "metadata.name=web-0"}: true,
		{fields: "metadata.name=x"}:  false,
		{fields: "spec.nodeName=n1"}: true, {namespace: "shop", fields: "spec.nodeName=n2"}: false,
		{fields: "metadata.name"}: false,
	} {
		if got := q.holds(&p); got != want {
			t.Errorf("%+v: %t", q, got)
		}
	}
	f := idle(Scope{})
	f.tookPod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "without-uid"}})
	f.lostPod("unknown")
	if len(f.pods) != 0 || !f.news.other.IsZero() {
		t.Errorf("%+v", f.news)
	}
}
