package detail_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/detail"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// TestWhatHoldsOfEveryStory walks through every story whose truth is known.
func TestWhatHoldsOfEveryStory(t *testing.T) {
	for _, told := range analyzertest.Stories() {
		t.Run(told.Name, func(t *testing.T) {
			snap := told.Story().Snapshot()
			res := analyzer.AnalyzeWithDetails(snap, analyzer.Options{})
			if diff := cmp.Diff(analyzer.Analyze(snap, analyzer.Options{}), res.Report); diff != "" {
				t.Errorf("the report is another one than Analyze makes:\n%s", diff)
			}
			for _, it := range res.Report.Items {
				s, err := res.Details.ItemDetail(it.ID)
				if err != nil {
					t.Fatal(err)
				}
				if s.Item != it.ID {
					t.Errorf("asked for %s, told of %s", it.ID, s.Item)
				}
				checkLanes(t, res.Report, s.Lanes, s.Evidence)
				checkDecisive(t, snap, &it, s)
				checkLists(t, s)
			}
			n, err := res.Details.NodeDetail(analyzertest.Node)
			if err != nil {
				t.Fatal(err)
			}
			checkLanes(t, res.Report, n.Lanes, n.Evidence)
			checkLists(t, n)
		})
	}
}

// checkLanes checks the order of lanes, and that what they cite exists.
func checkLanes(t *testing.T, r *report.Report, lanes []report.Lane, more []report.Evidence) {
	t.Helper()
	there := map[string]bool{}
	for _, e := range r.Evidence {
		there[e.ID] = true
	}
	for _, e := range more {
		if there[e.ID] {
			t.Errorf("evidence %s is in the report already, or twice in the story", e.ID)
		}
		there[e.ID] = true
	}
	cited := func(ids []string, text string) {
		for _, id := range ids {
			if !there[id] {
				t.Errorf("%q cites %s, which is neither in the report nor in the story", text, id)
			}
		}
	}
	kinds := []report.LaneKind{report.LaneInstance, report.LaneSandbox, report.LaneProbe,
		report.LaneKubelet, report.LaneRuntime, report.LaneKernel, report.LaneSystemd, report.LaneAPI}
	if !slices.IsSortedFunc(lanes, func(a, b report.Lane) int {
		return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
	}) {
		t.Error("the lanes are not in their order")
	}
	for _, l := range lanes {
		if !slices.Contains(kinds, l.Kind) || l.Name == "" || len(l.Spans)+len(l.Marks) == 0 {
			t.Errorf("lane %q of kind %q with %d spans and %d marks", l.Name, l.Kind, len(l.Spans), len(l.Marks))
		}
		for _, s := range l.Spans {
			if s.Text == "" || s.From == nil && s.To == nil || s.From != nil && s.To != nil && s.To.Before(*s.From) {
				t.Errorf("span %+v", s)
			}
			cited(s.Evidence, s.Text)
		}
		if !slices.IsSortedFunc(l.Marks, func(a, b report.Mark) int { return a.At.Compare(b.At) }) {
			t.Errorf("the marks of lane %s are not in order", l.Name)
		}
		for _, m := range l.Marks {
			if m.Text == "" || m.At.IsZero() || m.At.Location() != time.UTC {
				t.Errorf("mark %+v", m)
			}
			cited(m.Evidence, m.Text)
		}
	}
}

// checkDecisive checks that everything that the chain cites is a mark or in a span. States of the API without a time
// have no place in a lane.
func checkDecisive(t *testing.T, snap *evidence.Snapshot, it *report.Item, s *report.ItemDetail) {
	t.Helper()
	chain, shown := map[string]bool{}, map[string]bool{}
	for _, l := range it.Verdict.Chain {
		for _, id := range l.Evidence {
			chain[id] = true
		}
	}
	for _, l := range s.Lanes {
		for _, x := range l.Spans {
			for _, id := range x.Evidence {
				shown[id] = true
			}
		}
		for _, m := range l.Marks {
			for _, id := range m.Evidence {
				shown[id] = true
			}
			if m.Decisive && !slices.ContainsFunc(m.Evidence, func(id string) bool { return chain[id] }) {
				t.Errorf("%q is decisive, and the chain does not cite it", m.Text)
			}
			if m.Decisive && (s.Start == nil || m.At.Before(*s.Start) || m.At.After(*s.End)) {
				t.Errorf("%q is decisive and outside of %v – %v", m.Text, s.Start, s.End)
			}
		}
	}
	for id := range chain {
		timed := func(o evidence.Observation) bool { return o.ID == id && !o.Time.IsZero() }
		if !shown[id] && slices.ContainsFunc(snap.Observations, timed) {
			t.Errorf("the chain cites %s, and the story does not show it", id)
		}
	}
}

// checkLists: no list of the JSON is null.
func checkLists(t *testing.T, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "null") {
		t.Errorf("a list is null: %s", text)
	}
}

func TestStoriesAreTheSameWheneverTheyAreTold(t *testing.T) {
	snap := busy(1200)
	one, ids := providerOf(snap)
	two, _ := providerOf(snap)
	for i, id := range ids {
		a, err := one.ItemDetail(id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := two.ItemDetail(ids[len(ids)-1-i]); err != nil { // in another order
			t.Fatal(err)
		}
		b, err := two.ItemDetail(id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("the story of %s differs:\n%s", id, diff)
		}
	}
}

func TestManyMayAskAtOnce(t *testing.T) {
	provider, ids := providerOf(busy(1200))
	want, err := provider.ItemDetail(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := providerOf(busy(1200))
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 20 {
				got, err := fresh.ItemDetail(ids[0])
				if err != nil || len(got.Lanes) != len(want.Lanes) {
					t.Errorf("goroutine %d: %v", g, err)
				}
				if _, err := fresh.ItemDetail(ids[(g*20+i)%len(ids)]); err != nil {
					t.Error(err)
				}
				if _, err := fresh.NodeDetail(fmt.Sprintf("n%d", i%10)); err != nil {
					t.Error(err)
				}
				if _, err := fresh.Neighbors(want.Evidence[i%len(want.Evidence)].ID, 3); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestWhatIsNotThereIsAnErrorThatNamesIt(t *testing.T) {
	provider, _ := providerOf(busy(1000))
	for name, ask := range map[string]func(string) error{
		"an item":  func(id string) error { _, err := provider.ItemDetail(id); return err },
		"a node":   func(id string) error { _, err := provider.NodeDetail(id); return err },
		"evidence": func(id string) error { _, err := provider.Neighbors(id, 3); return err },
	} {
		for _, id := range []string{"nowhere", ""} {
			if err := ask(id); !errors.Is(err, detail.ErrNotThere) || !strings.Contains(err.Error(), fmt.Sprintf("%q", id)) {
				t.Errorf("%s %q: error %v", name, id, err)
			}
		}
	}
}

func TestAStoryIsKeptForTheNextQuestion(t *testing.T) {
	provider, ids := providerOf(busy(1200))
	if len(ids) < 64 {
		t.Fatalf("only %d items", len(ids))
	}
	ask := func(id string) *report.ItemDetail {
		s, err := provider.ItemDetail(id)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one := ask(ids[0])
	if ask(ids[0]) != one {
		t.Error("the story was told anew at once")
	}
	for _, id := range ids[1:20] {
		ask(id)
	}
	if ask(ids[0]) != one {
		t.Error("the story was forgotten after twenty others")
	}
	for _, id := range ids[1:] {
		ask(id)
	}
	if ask(ids[0]) == one {
		t.Error("every story is kept: the memory has no bound")
	}
}

func TestTheNeighboursOfALine(t *testing.T) {
	b := evidence.NewBuilder(analyzertest.At(3600))
	see := func(at float64, source evidence.Source, namespace, text string) {
		b.Observe(evidence.Observation{Time: analyzertest.At(at), Source: source,
			Subject: evidence.Subject{Node: "n1", Namespace: namespace}, Fact: evidence.APIEvent{Reason: text}})
	}
	log := evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1", Where: "nodes/n1/kubelet.export"}
	other := evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n2", Where: "nodes/n2/kubelet.export"}
	for i := range 6 {
		see(float64(i), log, "", fmt.Sprintf("line %d", i))
		see(float64(i)+0.5, other, "", fmt.Sprintf("other %d", i))
		see(float64(i)+0.7, evidence.Source{Kind: evidence.SourceAPI, Where: fmt.Sprintf("event shop/web-0.%d", i)},
			"shop", fmt.Sprintf("event %d", i))
		see(float64(i)+0.8, evidence.Source{Kind: evidence.SourceAPI, Where: fmt.Sprintf("event blog/web-0.%d", i)},
			"blog", fmt.Sprintf("another %d", i))
	}
	snap := b.Build()
	provider := analyzer.AnalyzeWithDetails(snap, analyzer.Options{}).Details
	for _, c := range []struct {
		name, line string
		n          int
		want       string
	}{
		{"two on each side of the same file", "line 3", 2, "line 1, line 2, line 3, line 4, line 5"},
		{"at the beginning", "line 0", 2, "line 0, line 1, line 2"},
		{"at the end", "line 5", 2, "line 3, line 4, line 5"},
		{"none", "line 3", 0, "line 3"},
		{"fewer than none", "line 3", -7, "line 3"},
		{"more than there are", "other 2", 1 << 40, "other 0, other 1, other 2, other 3, other 4, other 5"},
		{"events of the same namespace", "event 2", 1, "event 1, event 2, event 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := slices.IndexFunc(snap.Observations, func(o evidence.Observation) bool {
				return o.Fact.(evidence.APIEvent).Reason == c.line
			})
			got, err := provider.Neighbors(snap.Observations[i].ID, c.n)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, e := range got {
				j := slices.IndexFunc(snap.Observations, func(o evidence.Observation) bool { return o.ID == e.ID })
				lines = append(lines, snap.Observations[j].Fact.(evidence.APIEvent).Reason)
			}
			if text := strings.Join(lines, ", "); text != c.want {
				t.Errorf("got %s, want %s", text, c.want)
			}
		})
	}
}
