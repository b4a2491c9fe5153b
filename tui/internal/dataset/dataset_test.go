package dataset

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/sample"
)

var at = sample.At

// The same restart is found again in a newer report, whatever became of its verdict
// and its id; another one of the same container is not taken for it.
func TestTheSameRestartIsFoundAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*report.Item)
		want   bool
	}{
		"unchanged":            {func(*report.Item) {}, true},
		"another id":           {func(i *report.Item) { i.ID = "x" }, true},
		"another verdict":      {func(i *report.Item) { i.ID, i.Verdict.Cause = "x", "unknown" }, true},
		"a better time":        {func(i *report.Item) { i.ID, i.Time = "x", at("08:00:01") }, true},
		"it was started since": {func(i *report.Item) { i.ID, i.Kind = "x", report.Death }, true},
		"another instance": {func(i *report.Item) { i.ID, i.From.ContainerID = "x", "containerd://cc" },
			false},
		"another pod":                      {func(i *report.Item) { i.ID, i.Pod = "x", "web-1" }, false},
		"a pod of the same name":           {func(i *report.Item) { i.ID, i.PodUID = "x", "other" }, false},
		"another container":                {func(i *report.Item) { i.ID, i.Container = "x", "sidecar" }, false},
		"another namespace":                {func(i *report.Item) { i.ID, i.Namespace = "x", "test" }, false},
		"no instance, the same time":       {func(i *report.Item) { i.ID, i.From = "x", nil }, true},
		"no instance, another time":        {func(i *report.Item) { i.ID, i.From, i.Time = "x", nil, at("09:00:00") }, false},
		"no instance, no time":             {func(i *report.Item) { i.ID, i.From, i.Time = "x", nil, nil }, false},
		"no instance, another kind of end": {func(i *report.Item) { i.ID, i.From, i.Kind = "x", nil, report.Death }, false},
	} {
		was, now := sample.Restart(), sample.Restart()
		was.ID, now.ID = "r-1", "r-1"
		tt.change(now)
		other := sample.Restart()
		other.ID, other.Pod = "r-0", "other"
		ds := New(&report.Report{Items: []report.Item{*other, *now}}, nil)
		want := int32(None)
		if tt.want {
			want = 1
		}
		if got := ds.Again(was); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

func TestANarrowedReportHoldsWhatItsItemsNeed(t *testing.T) {
	r := sample.Report()
	r.NodeNotes = []report.NodeNote{{Node: "n1", Text: "odd", Evidence: []string{"e25"}}}
	out := r.Narrowed(3, 6)
	if len(out.Items) != 2 || out.Items[0].ID != "r-04" || out.Items[1].ID != "r-07" {
		t.Errorf("items: %+v", out.Items)
	}
	if len(out.Incidents) != 1 || out.Incidents[0].ID != "i-1" {
		t.Errorf("incidents: %+v", out.Incidents)
	}
	need := map[string]bool{"e25": true}
	for _, it := range out.Items {
		for _, id := range it.Verdict.Cited() {
			need[id] = true
		}
	}
	got := map[string]bool{}
	for _, e := range out.Evidence {
		got[e.ID] = true
	}
	if d := cmp.Diff(need, got); d != "" {
		t.Error(d)
	}
	if len(r.Items) != 14 || len(out.Gaps) != len(r.Gaps) || out.Scope.Since != r.Scope.Since {
		t.Error("the report itself changed, or its head is lost")
	}
	if empty := r.Narrowed(); empty.Items == nil || empty.Evidence == nil || empty.Incidents == nil {
		t.Error("a list of a narrowed report is null")
	}
}

func TestADatasetKnowsWhatRowsNeedNotSay(t *testing.T) {
	day := func(s string) *time.Time { v, _ := time.Parse(time.RFC3339, s); return &v }
	for name, tt := range map[string]struct {
		items          []report.Item
		namespace, day string
	}{
		"nothing":        {nil, "", ""},
		"one":            {[]report.Item{{Namespace: "shop", Time: day("2026-11-21T23:59:59Z")}}, "shop", "2026-11-21"},
		"two namespaces": {[]report.Item{{Namespace: "shop"}, {Namespace: "web"}}, "", ""},
		"two days":       {[]report.Item{{Time: day("2026-11-21T23:59:59Z")}, {Time: day("2026-11-22T00:00:00Z")}}, "", ""},
		"one day elsewhere": {[]report.Item{{Time: day("2026-11-21T23:59:59+09:00")}, {Time: day("2026-11-21T02:00:00Z")}},
			"", "2026-11-21"},
		"some without times": {[]report.Item{{}, {Time: day("2026-11-21T02:00:00Z")}, {}}, "", "2026-11-21"},
	} {
		ds := New(&report.Report{Items: tt.items}, nil)
		if ds.Namespace != tt.namespace || ds.Day != tt.day {
			t.Errorf("%s: namespace %q, day %q; want %q and %q", name, ds.Namespace, ds.Day, tt.namespace, tt.day)
		}
	}
}

func TestWhatItemsShareIsSaidTheSameWithAndWithoutAnIndex(t *testing.T) {
	r := sample.Repeated()
	bare, indexed := New(r, nil), dataOf(r)
	for name, tt := range map[string]struct {
		items      []int32
		by         Grouping
		bare, full string
	}{
		"one":        {[]int32{0}, ByCause, "app-exit-error", "app-exit-error"},
		"the same":   {[]int32{0, 2}, ByCause, "app-exit-error", "app-exit-error"},
		"two":        {[]int32{0, 1}, ByCause, "several causes", "2 causes"},
		"three":      {[]int32{0, 1, 4, 5}, ByCause, "several causes", "3 causes"},
		"their node": {[]int32{0, 1, 4}, ByNode, "n1", "n1"},
	} {
		if got := bare.Shared(tt.items, tt.by, "causes"); got != tt.bare {
			t.Errorf("%s, without an index: %q, want %q", name, got, tt.bare)
		}
		if got := indexed.Shared(tt.items, tt.by, "causes"); got != tt.full {
			t.Errorf("%s: %q, want %q", name, got, tt.full)
		}
	}
}

func TestTheLatestOfSomeTimes(t *testing.T) {
	r := &report.Report{Items: []report.Item{{Time: at("08:00:00")}, {}, {Time: at("09:00:00")}, {Time: at("07:00:00")}}}
	ds := New(r, nil)
	if got := ds.Latest([]int32{0, 1, 2, 3}); !got.Equal(*at("09:00:00")) {
		t.Errorf("got %v", got)
	}
	if got := ds.Latest([]int32{1}); got != nil {
		t.Errorf("no time gives %v", got)
	}
}

func TestEvidenceIsFoundWithAndWithoutAnIndex(t *testing.T) {
	r := &report.Report{Evidence: []report.Evidence{{ID: "e1"}, {ID: "e7"}}}
	for name, ds := range map[string]*Dataset{"bare": New(r, nil), "indexed": dataOf(r)} {
		if e := ds.Find("e7"); e == nil || e.ID != "e7" {
			t.Errorf("%s: e7 is %+v", name, e)
		}
		if e := ds.Find("e99"); e != nil {
			t.Errorf("%s: e99 is %+v", name, e)
		}
	}
}

func TestOnlyTheSameContainerWithTheSameCauseIsOneGroup(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*report.Item)
		groups int
	}{
		"nothing": {func(*report.Item) {}, 1}, "pod": {func(i *report.Item) { i.Pod = "x" }, 2},
		"uid": {func(i *report.Item) { i.PodUID = "x" }, 2}, "namespace": {func(i *report.Item) { i.Namespace = "x" }, 2},
		"container": {func(i *report.Item) { i.Container = "x" }, 2},
		"cause":     {func(i *report.Item) { i.Verdict.Cause = "x" }, 2},
	} {
		r := &report.Report{Items: []report.Item{*sample.Restart(), *sample.Restart()}}
		test.change(&r.Items[1])
		if got := len(newOverview(r).groups); got != test.groups {
			t.Errorf("another %s: %d groups", name, got)
		}
	}
}
