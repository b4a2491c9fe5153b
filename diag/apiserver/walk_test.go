package apiserver

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// walked walks over a cluster and returns the snapshot of each page.
func walked(t *testing.T, f *fakeAPI, s Scope, o Options) (src *Source,
	pages []*evidence.Snapshot, gaps []evidence.Gap) {
	t.Helper()
	o.Now = now
	src = NewSource(f.serve(t), s, apiobject.Hasher{Present: objecttest.TestHash}, o)
	gaps, err := src.ForEachPage(t.Context(), func(p *apiobject.Piece) error {
		pages = append(pages, objecttest.Observed([]evidence.RawEvidence{p}, nil))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return src, pages, gaps
}

// Page by page a pod is what it is in a collection of everything, but for the events.
func TestAWalkReadsWhatACollectionReads(t *testing.T) {
	for name, scope := range map[string]Scope{"the whole cluster": {}, "a namespace": {Namespace: "shop"},
		"a selector": {Selector: "app=web"}} {
		t.Run(name, func(t *testing.T) {
			f := cluster()
			f.nodes[0].Labels = map[string]string{"disktype": "ssd"}
			f.pods[0].Spec.NodeSelector = map[string]string{"disktype": "hdd"}
			src, pages, gaps := walked(t, f, scope, Options{PageSize: 1})
			if len(gaps) > 0 || src.Err() != nil {
				t.Fatalf("gaps %+v, error %v", gaps, src.Err())
			}
			f.events = nil
			pieces, _ := NewSource(
				f.serve(t),
				scope,
				apiobject.Hasher{Present: objecttest.TestHash},
				Options{Now: now},
			).Collect(t.Context())
			want := objecttest.Observed(pieces, nil)
			var got []evidence.Pod
			for _, p := range pages[1:] {
				if len(p.Nodes) > 0 || len(p.Pods) != 1 {
					t.Errorf("a page of %d nodes and %d pods", len(p.Nodes), len(p.Pods))
				}
				got = append(got, p.Pods...)
			}
			byName := cmp.Transformer("byName", func(all []evidence.Pod) map[string]evidence.Pod {
				m := map[string]evidence.Pod{}
				for _, p := range all {
					m[p.Namespace+"/"+p.Name] = p
				}
				return m
			})
			if diff := cmp.Diff(want.Pods, got, byName, objecttest.CompareText); diff != "" {
				t.Error(diff)
			}
			// The nodes come first, and all of them: whose pods follow nobody knows yet.
			if len(pages[0].Nodes) != 3 || len(pages[0].Pods) != 0 {
				t.Errorf("first %d nodes and %d pods", len(pages[0].Nodes), len(pages[0].Pods))
			}
			if name != "a namespace" && got[len(got)-1].Readmission == nil && pages[1].Pods[0].Readmission == nil {
				t.Error("no pod was compared with its node")
			}
		})
	}
}

func TestAWalkGoesOnWhereAListStartsAgain(t *testing.T) {
	f := &fakeAPI{pods: objecttest.ManyPods(5), expire: map[string]int{"list pods": 1}}
	_, pages, gaps := walked(t, f, Scope{}, Options{PageSize: 2})
	seen := map[string]int{}
	for _, p := range pages {
		for i := range p.Pods {
			seen[p.Pods[i].Name]++
		}
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s is handed over %d times", name, n)
		}
	}
	if len(seen) != 5 || len(gaps) > 0 {
		t.Errorf("%d pods, gaps %+v", len(seen), gaps)
	}
}

func TestWhatAWalkCannotHave(t *testing.T) {
	first := objecttest.BasePod(objecttest.Named("shop", "web-0"))
	size := int64(first.Size())
	for name, c := range map[string]struct {
		f    *fakeAPI
		s    Scope
		o    Options
		pods int
		gap  string
		err  error
	}{
		"no pods": {f: &fakeAPI{refuse: map[string]int{"list pods": http.StatusForbidden}},
			gap: "forbidden", err: kube.ErrForbidden},
		"no nodes": {f: &fakeAPI{pods: objecttest.ManyPods(2),
			refuse: map[string]int{"list nodes": http.StatusForbidden}}, pods: 2, gap: "list nodes: forbidden"},
		"nodes that were refused before": {f: &fakeAPI{pods: objecttest.ManyPods(2),
			refuse: map[string]int{"list nodes": http.StatusForbidden}}, o: Options{Denied: []string{"nodes"}}, pods: 2},
		"a list that changes all the time": {
			f: &fakeAPI{pods: objecttest.ManyPods(5), expire: map[string]int{"list pods": 9}},
			o: Options{PageSize: 2}, pods: 2, gap: "only 2 pods were read", err: kube.ErrServer},
		"more than the budget": {f: &fakeAPI{pods: objecttest.ManyPods(5)}, o: Options{MaxBytes: 3*size + 1, PageSize: 2},
			pods: 3, gap: "pods were read: list pods in all namespaces", err: kube.ErrServer},
		"nodes over the budget": {f: &fakeAPI{nodes: []corev1.Node{objecttest.BaseNode("n1")}},
			o: Options{MaxBytes: 10}, gap: "list nodes"},
		"no such namespace":  {f: &fakeAPI{}, s: Scope{Namespace: "nowhere"}, err: kube.ErrNoNamespace},
		"an empty namespace": {f: &fakeAPI{namespaces: []string{"empty"}}, s: Scope{Namespace: "empty"}},
		"a server that hangs": {f: &fakeAPI{hang: map[string]bool{"list pods": true}},
			o: Options{Timeout: 50 * time.Millisecond}, gap: "no answer in time", err: kube.ErrTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			src, pages, gaps := walked(t, c.f, c.s, c.o)
			n := 0
			for _, p := range pages {
				n += len(p.Pods)
			}
			var text []string
			for _, g := range gaps {
				text = append(text, g.Why)
			}
			if said := strings.Join(text, "\n"); n != c.pods || (c.gap == "") != (said == "") || !strings.Contains(said, c.gap) {
				t.Errorf("%d pods, want %d; gaps %q, want %q", n, c.pods, said, c.gap)
			}
			if !errors.Is(src.Err(), c.err) {
				t.Errorf("error %v, want %v", src.Err(), c.err)
			}
		})
	}
}

func TestWhoTakesPagesMayEndTheWalk(t *testing.T) {
	full := errors.New("enough")
	f := &fakeAPI{pods: objecttest.ManyPods(50)}
	src := NewSource(f.serve(t), Scope{}, apiobject.Hasher{}, Options{PageSize: 1})
	taken := 0
	_, err := src.ForEachPage(t.Context(), func(*apiobject.Piece) error {
		if taken++; taken == 3 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || taken != 3 {
		t.Errorf("%d pages, error %v", taken, err)
	}
	if n := strings.Count(f.requests(), "\n"); n > 8 {
		t.Errorf("it reads on: %d requests", n)
	}
}

func TestAWalkEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	src := NewSource((&fakeAPI{pods: objecttest.ManyPods(9)}).serve(t), Scope{}, apiobject.Hasher{}, Options{PageSize: 1})
	elapsed := clock.Stopwatch()
	gaps, err := src.ForEachPage(ctx, func(p *apiobject.Piece) error {
		if len(p.Pods) > 0 {
			cancel()
		}
		return nil
	})
	if err != nil || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "interrupted") || elapsed() > 5*time.Second {
		t.Errorf("gaps %+v, error %v after %s", gaps, err, elapsed())
	}
}

func TestOneThatBreaksDownCostsTheRest(t *testing.T) {
	src := NewSource((&fakeAPI{pods: objecttest.ManyPods(2)}).serve(t), Scope{},
		apiobject.Hasher{Present: func(*corev1.Container) []evidence.SpecHash { panic("no such container") }}, Options{})
	gaps, err := src.ForEachPage(t.Context(), func(*apiobject.Piece) error { return nil })
	if err != nil || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "broke down") {
		t.Errorf("gaps %+v, error %v", gaps, err)
	}
}

func TestAWalkIsOverAList(t *testing.T) {
	for _, s := range []Scope{{Names: []PodRef{{"shop", "web-0"}}}, {Nodes: []string{"n1"}}} {
		if _, err := NewSource((&fakeAPI{}).serve(t), s, apiobject.Hasher{}, Options{}).ForEachPage(t.Context(),
			func(*apiobject.Piece) error { return nil }); err == nil {
			t.Errorf("%+v is walked over", s)
		}
	}
}
