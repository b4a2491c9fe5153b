package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// now is the tests' clock.
func now() time.Time { return objecttest.T0.Add(time.Minute) }

func collect(t *testing.T, f *fakeAPI, s Scope, o Options) (*Source, *evidence.Snapshot) {
	t.Helper()
	o.Now = now
	src := NewSource(f.serve(t), s, apiobject.Hasher{}, o)
	pieces, gaps := src.Collect(t.Context())
	return src, objecttest.Observed(pieces, gaps)
}

func eventPlaces(s *evidence.Snapshot) string {
	var where []string
	for _, o := range s.Observations {
		if place, ok := strings.CutPrefix(o.Source.Where, "event "); ok {
			where = append(where, place)
		}
	}
	slices.Sort(where)
	return strings.Join(where, " ")
}

func TestEveryScopeReadsItsPodsTheirEventsAndTheirNodes(t *testing.T) {
	cases := map[string]struct {
		scope               Scope
		pods, nodes, events string
	}{
		"the whole cluster": {Scope{}, "bank/till-0 shop/web-0 shop/web-1",
			"n1 n2", "default/n1.1 default/n3.1 shop/gone.1 shop/web-0.1 shop/web-1.1"},
		"a namespace": {Scope{Namespace: "shop"}, "shop/web-0 shop/web-1",
			"n1 n2", "default/n1.1 shop/gone.1 shop/web-0.1 shop/web-1.1"},
		"one pod": {Scope{Names: []PodRef{{"shop", "web-1"}}}, "shop/web-1", "n2", "shop/web-1.1"},
		"pods of namespaces": {Scope{Names: []PodRef{{"shop", "web-0"}, {"bank", "till-0"}}},
			"bank/till-0 shop/web-0", "n1", "default/n1.1 shop/web-0.1"},
		"a selector": {Scope{Namespace: "shop", Selector: "app=web"},
			"shop/web-0", "n1", "default/n1.1 shop/web-0.1"},
		"a node":              {Scope{Nodes: []string{"n2"}}, "shop/web-1", "n2", "shop/web-1.1"},
		"a node without pods": {Scope{Nodes: []string{"n3"}}, "", "n3", "default/n3.1"},
		"an empty namespace":  {Scope{Namespace: "empty"}, "", "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := cluster()
			for i := range f.events { // each pod's events come from its own node
				if f.events[i].InvolvedObject.Name == "web-1" {
					f.events[i].Source.Host = "n2"
				}
			}
			src, s := collect(t, f, c.scope, Options{})
			if src.Err() != nil || len(s.Gaps) > 0 {
				t.Fatalf("error %v, gaps %+v", src.Err(), s.Gaps)
			}
			got := []string{objecttest.PodNames(s), strings.Join(src.Nodes(), " "), eventPlaces(s)}
			if diff := cmp.Diff([]string{c.pods, c.nodes, c.events}, got); diff != "" {
				t.Errorf("%s\nrequests:\n%s", diff, f.requests())
			}
		})
	}
}

func TestOnePodCostsFourSmallRequests(t *testing.T) {
	f := cluster()
	collect(t, f, Scope{Names: []PodRef{{"shop", "web-0"}}}, Options{})
	asked := strings.Split(f.requests(), "\n")
	slices.Sort(asked)
	want := []string{
		"namespaces/default/events?fieldSelector=involvedObject.kind%3DNode%2CinvolvedObject.name%3Dn1&limit=500",
		"namespaces/shop/events?fieldSelector=involvedObject.kind%3DPod%2CinvolvedObject.name%3Dweb-0&limit=500",
		"namespaces/shop/pods/web-0",
		"nodes/n1",
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
}

func TestAPodOfANodeThatIsGoneIsFoundByItsEvents(t *testing.T) {
	_, s := collect(t, cluster(), Scope{Nodes: []string{"n1"}}, Options{})
	if !strings.Contains(eventPlaces(s), "shop/gone.1") {
		t.Errorf("events: %s", eventPlaces(s))
	}
}

func TestManyNamesAreListedByNamespace(t *testing.T) {
	f := &fakeAPI{pods: objecttest.ManyPods(40), nodes: []corev1.Node{objecttest.BaseNode("n1")},
		events: []corev1.Event{
			objecttest.BaseEvent(),
			objecttest.BaseEvent(func(e *corev1.Event) { e.InvolvedObject.Name = "other" }),
		}}
	var names []PodRef
	for i := range 30 {
		names = append(names, PodRef{"shop", fmt.Sprintf("web-%d", i)})
	}
	_, s := collect(t, f, Scope{Names: names}, Options{})
	if len(s.Pods) != 30 || strings.Count(f.requests(), "shop/events") != 1 || eventPlaces(s) != "shop/web-0.1" {
		t.Errorf("%d pods, events %q, requests:\n%s", len(s.Pods), eventPlaces(s), f.requests())
	}
}

func TestListsComeInPages(t *testing.T) {
	f := &fakeAPI{pods: objecttest.ManyPods(23), nodes: []corev1.Node{objecttest.BaseNode("n1")}}
	_, s := collect(t, f, Scope{}, Options{PageSize: 10})
	if len(s.Pods) != 23 || strings.Count(f.requests(), "pods?") != 3 {
		t.Errorf("%d pods in requests:\n%s", len(s.Pods), f.requests())
	}
}

func TestAnExpiredListStartsAgainOnce(t *testing.T) {
	f := &fakeAPI{
		pods:   objecttest.ManyPods(23),
		nodes:  []corev1.Node{objecttest.BaseNode("n1")},
		expire: map[string]int{"list pods": 1},
	}
	src, s := collect(t, f, Scope{}, Options{PageSize: 10})
	if len(s.Pods) != 23 || len(s.Gaps) != 0 || src.Err() != nil {
		t.Errorf("%d pods, gaps %+v, error %v", len(s.Pods), s.Gaps, src.Err())
	}
	f = &fakeAPI{
		pods:   objecttest.ManyPods(23),
		nodes:  []corev1.Node{objecttest.BaseNode("n1")},
		expire: map[string]int{"list pods": 2},
	}
	_, s = collect(t, f, Scope{}, Options{PageSize: 10})
	if len(s.Pods) != 10 || len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, "faster than it can be read") {
		t.Errorf("%d pods, gaps %+v", len(s.Pods), s.Gaps)
	}
}

func TestTheByteBudgetEndsAListAndSaysSo(t *testing.T) {
	f := &fakeAPI{pods: objecttest.ManyPods(100), nodes: []corev1.Node{objecttest.BaseNode("n1")}}
	src, s := collect(t, f, Scope{}, Options{PageSize: 10, MaxBytes: 9000})
	if len(s.Pods) == 0 || len(s.Pods) > 60 || src.Err() != nil || len(s.Gaps) == 0 ||
		!strings.Contains(fmt.Sprint(s.Gaps), "MiB of objects") {
		t.Errorf("%d pods, error %v, gaps %+v", len(s.Pods), src.Err(), s.Gaps)
	}
}

func TestWhatCannotBeHadHasATypedReason(t *testing.T) {
	web := Scope{Names: []PodRef{{"shop", "web-0"}}}
	cases := map[string]struct {
		scope  Scope
		mutate func(*fakeAPI)
		kind   error
		text   string
	}{
		"a pod that does not exist": {Scope{Names: []PodRef{{"shop", "nope"}}},
			nil, kube.ErrNotFound, "get pod shop/nope: not found"},
		"a namespace that does not exist, with a name": {Scope{Names: []PodRef{{"typo", "web-0"}}},
			nil, kube.ErrNoNamespace, "get namespace typo: no such namespace"},
		"a namespace that does not exist, listed": {Scope{Namespace: "typo"},
			nil, kube.ErrNoNamespace, "get namespace typo: no such namespace"},
		"a node that does not exist": {Scope{Nodes: []string{"n9"}}, nil, kube.ErrNotFound, "get node n9: not found"},
		"who may not list pods": {Scope{Namespace: "shop"}, refuse("list pods", 403),
			kube.ErrForbidden, "list pods in namespace shop: forbidden: list pods is refused"},
		"who may not list all pods": {Scope{}, refuse("list pods", 403), kube.ErrForbidden,
			"list pods in all namespaces: forbidden: list pods is refused"},
		"who may not get the pod": {web, refuse("get pods", 403), kube.ErrForbidden,
			"get pod shop/web-0: forbidden: get pods is refused"},
		"who is not logged in": {web, refuse("get pods", 401), kube.ErrUnauthorized,
			"get pod shop/web-0: not logged in, or the credentials have expired: get pods is refused"},
		"a selector that is wrong": {Scope{Namespace: "shop", Selector: "x"},
			refuse("list pods", 400), kube.ErrInvalid,
			"list pods in namespace shop: the API server does not accept the request: list pods is refused"},
		"a server that breaks": {web, refuse("get pods", 500), kube.ErrServer,
			"get pod shop/web-0: the API server failed: get pods is refused"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := cluster()
			if c.mutate != nil {
				c.mutate(f)
			}
			src, s := collect(t, f, c.scope, Options{})
			var access *kube.AccessError
			if err := src.Err(); !errors.Is(err, c.kind) || !errors.As(err, &access) || err.Error() != c.text {
				t.Errorf("error %q, want kind %v and %q", err, c.kind, c.text)
			}
			if len(s.Pods) != 0 {
				t.Errorf("pods %s", objecttest.PodNames(s))
			}
		})
	}
}

func refuse(what string, status int) func(*fakeAPI) {
	return func(f *fakeAPI) {
		if f.refuse == nil {
			f.refuse = map[string]int{}
		}
		f.refuse[what] = status
	}
}

func TestAMissingPodDoesNotCostTheOthers(t *testing.T) {
	src, s := collect(t, cluster(), Scope{Names: []PodRef{{"shop", "nope"}, {"shop", "web-0"}}}, Options{})
	if objecttest.PodNames(s) != "shop/web-0" || !errors.Is(src.Err(), kube.ErrNotFound) {
		t.Errorf("pods %q, error %v", objecttest.PodNames(s), src.Err())
	}
}

func TestWhatIsMissingBesideThePodsIsAGapWithItsConsequence(t *testing.T) {
	cases := map[string]struct {
		scope     Scope
		what      string
		why, hint string
		covered   bool
	}{
		"events": {Scope{Namespace: "shop"}, "list events", "list events in namespace shop: forbidden",
			"kubectl auth can-i list events -n shop", false},
		"events of all": {Scope{}, "list events", "list events in all namespaces: forbidden",
			"kubectl auth can-i list events -A", false},
		"a node":    {Scope{Namespace: "shop"}, "get nodes", "get node n1: forbidden", "kubectl auth can-i get nodes", true},
		"all nodes": {Scope{}, "list nodes", "list nodes: forbidden", "kubectl auth can-i list nodes", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := cluster()
			refuse(c.what, http.StatusForbidden)(f)
			src, s := collect(t, f, c.scope, Options{})
			if src.Err() != nil || len(s.Pods) < 2 {
				t.Errorf("error %v, pods %s", src.Err(), objecttest.PodNames(s))
			}
			if all := fmt.Sprint(s.Gaps); !strings.Contains(all, c.why) || !strings.Contains(all, c.hint) {
				t.Errorf("gaps %s", all)
			}
			if covered := len(s.Coverage) == 1; covered != c.covered {
				t.Errorf("coverage %+v", s.Coverage)
			}
		})
	}
}

func TestAServerThatHangsCostsTheTimeoutOnly(t *testing.T) {
	f := cluster()
	f.hang = map[string]bool{"list events": true}
	elapsed := clock.Stopwatch()
	src, s := collect(t, f, Scope{Namespace: "shop"}, Options{Timeout: time.Second})
	if elapsed() > 20*time.Second {
		t.Errorf("it took %s", elapsed())
	}
	if len(s.Pods) != 2 || src.Err() != nil ||
		!strings.Contains(fmt.Sprint(s.Gaps), "list events in namespace shop: no answer in time") {
		t.Errorf("pods %q, error %v, gaps %v", objecttest.PodNames(s), src.Err(), s.Gaps)
	}
	f = cluster()
	f.hang = map[string]bool{"list pods": true}
	src, _ = collect(t, f, Scope{Namespace: "shop"}, Options{Timeout: time.Second})
	if !errors.Is(src.Err(), kube.ErrTimeout) {
		t.Errorf("error %v", src.Err())
	}
}

func TestNoServerAndAnInterruption(t *testing.T) {
	client, err := kube.New(&rest.Config{Host: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	src := NewSource(client, Scope{Namespace: "shop"}, apiobject.Hasher{}, Options{Now: now})
	if pieces, gaps := src.Collect(t.Context()); pieces != nil || len(gaps) == 0 ||
		!errors.Is(src.Err(), kube.ErrUnreachable) {
		t.Errorf("pieces %v, gaps %v, error %v", pieces, gaps, src.Err())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	src = NewSource(client, Scope{Namespace: "shop"}, apiobject.Hasher{}, Options{Now: now})
	if src.Collect(ctx); !errors.Is(src.Err(), kube.ErrInterrupted) {
		t.Errorf("error %v", src.Err())
	}
}

func TestHashesAreComputedFromTheWholeContainerForEveryImageSeen(t *testing.T) {
	f := cluster()
	f.pods[0].Spec.Containers[0].Env = []corev1.EnvVar{{Name: "X", Value: "secret"}}
	f.events = append(f.events, objecttest.BaseEvent(func(e *corev1.Event) {
		e.Name, e.Reason, e.Message = "pulling.1", "Pulling", `Pulling image "r.example/web:0"`
	}))
	hash := func(c *corev1.Container) []evidence.SpecHash {
		return []evidence.SpecHash{{FromMinor: 16, ToMinor: 30, Algorithm: "test",
			Hex: fmt.Sprintf("%s+%d", c.Image, len(c.Env))}}
	}
	src := NewSource(
		f.serve(t),
		Scope{Names: []PodRef{{"shop", "web-0"}}},
		apiobject.Hasher{Present: hash},
		Options{Now: now},
	)
	s := objecttest.Observed(src.Collect(t.Context()))
	var got []string
	for _, h := range s.Pods[0].Containers[0].Hashes {
		got = append(got, h.Image+" "+h.Hex)
	}
	if diff := cmp.Diff([]string{"r.example/web:1 r.example/web:1+1", "r.example/web:0 r.example/web:0+1"},
		got); diff != "" {
		t.Error(diff)
	}
}

func TestEventsCoverOnlyWhatTheOldestOneProves(t *testing.T) {
	old := func(seconds int) func(*corev1.Event) {
		return func(e *corev1.Event) {
			e.LastTimestamp, e.CreationTimestamp = objecttest.At(seconds), objecttest.At(seconds)
		}
	}
	late := func(e *corev1.Event) { e.LastTimestamp, e.CreationTimestamp = objecttest.At(-300), objecttest.At(-20) }
	cases := map[string]struct {
		events []corev1.Event
		want   time.Time // zero: nothing is covered
	}{
		"no events prove nothing": {nil, time.Time{}},
		"from the oldest event on": {[]corev1.Event{objecttest.BaseEvent(old(-100)),
			objecttest.BaseEvent(old(-600)), objecttest.BaseEvent(old(-2))}, objecttest.T0.Add(-600 * time.Second)},
		"an hour at most": {[]corev1.Event{objecttest.BaseEvent(old(-7200))}, now().Add(-time.Hour)},
		"a node's slow clock is not believed": {
			[]corev1.Event{objecttest.BaseEvent(late)},
			objecttest.T0.Add(-20 * time.Second),
		},
		"an event of the future proves nothing": {[]corev1.Event{objecttest.BaseEvent(old(7200))}, time.Time{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for i := range c.events {
				c.events[i].Name = fmt.Sprint(i)
			}
			_, s := collect(
				t,
				&fakeAPI{
					pods:   []corev1.Pod{objecttest.BasePod()},
					nodes:  []corev1.Node{objecttest.BaseNode("n1")},
					events: c.events,
				},
				Scope{Namespace: "shop"},
				Options{},
			)
			var got time.Time
			if len(s.Coverage) > 0 {
				got = s.Coverage[0].From
			}
			if !got.Equal(c.want) || len(s.Coverage) > 0 && !s.Coverage[0].Until.Equal(now()) {
				t.Errorf("coverage %+v, want from %s", s.Coverage, c.want)
			}
		})
	}
}

// cluster serves some objects in two namespaces, and has a third one that is empty.
func cluster() *fakeAPI { return serving(objecttest.SomeObjects()) }

func serving(o objecttest.Contents) *fakeAPI {
	return &fakeAPI{namespaces: []string{"shop", "bank", "empty"}, pods: o.Pods, nodes: o.Nodes, events: o.Events}
}
