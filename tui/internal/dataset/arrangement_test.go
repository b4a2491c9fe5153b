package dataset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/sample"
)

// lines names the rows of an arrangement: a group by its items.
func lines(a Arrangement) (out []string) {
	for _, r := range a.Listed {
		var ids []string
		for _, i := range a.Items(r) {
			ids = append(ids, a.Data.Report.Items[i].ID)
		}
		name := strings.Join(ids, "+")
		if r.group != None {
			name = "[" + name + "]"
		}
		out = append(out, name)
	}
	return out
}

func dataOf(r *report.Report) *Dataset { return New(r, nil).Indexed() }

func TestTheOverviewPutsTogetherWhatHasOneRoot(t *testing.T) {
	ds := New(sample.Repeated(), nil)
	got := lines(ds.Arrange(nil, ByRoot, ""))
	if d := cmp.Diff([]string{"[c+d+e]", "[a+b]", "[x1+x2]", "x3", "f"}, got); d != "" {
		t.Error(d)
	}
	if n := ds.Incidents(); n != 2 {
		t.Errorf("%d incidents, want 2: one of one item is none", n)
	}
}

func TestGroups(t *testing.T) {
	ds := dataOf(sample.Repeated())
	for name, tt := range map[string]struct {
		by   Grouping
		want []string
	}{
		"every restart": {ByItem, []string{"x1", "a", "x2", "b", "c", "d", "e", "x3", "f"}},
		"by cause":      {ByCause, []string{"[x1+x2]", "[a+b]", "[c+d+e]", "[x3]", "[f]"}},
		"by node":       {ByNode, []string{"[x1+a+x2+b+c+d+e+x3+f]"}},
	} {
		if d := cmp.Diff(tt.want, lines(ds.Arrange(nil, tt.by, ""))); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

func TestAFilterKeepsWhatMatches(t *testing.T) {
	ds := dataOf(sample.Repeated())
	for text, want := range map[string][]string{
		"oom":                   {"x3"},
		"crash !oom":            {"[x1+x2]"},
		"crash likely":          {"x2"},
		"HASH":                  {"[c+d+e]"},
		"hash !unknown":         {"[c+e]"},
		"!hash !reboot !crash":  {"f"},
		"!":                     {"[c+d+e]", "[a+b]", "[x1+x2]", "x3", "f"},
		"w2":                    {"d"},
		"zzz":                   nil,
		"reboot web":            {"a"},
		"shp/crsh":              nil, // letters alone are no word
		"app-exit-zero shop/si": {"f"},
	} {
		if d := cmp.Diff(want, lines(ds.Arrange(nil, ByRoot, text))); d != "" {
			t.Errorf("%q:\n%s", text, d)
		}
	}
}

func TestAGroupClaimsNoMoreThanItsWeakestMember(t *testing.T) {
	for name, tt := range map[string]struct {
		members []report.Confidence
		want    report.Confidence
	}{
		"all proven": {[]report.Confidence{report.Proven, report.Proven}, report.Proven},
		"one likely": {[]report.Confidence{report.Proven, report.Likely}, report.Likely},
		"one unknown": {[]report.Confidence{report.Possible, report.Unknown, report.Proven},
			report.Unknown},
		"an unknown word": {[]report.Confidence{"certain"}, report.Unknown},
	} {
		r := &report.Report{}
		var items []int32
		for i, c := range tt.members {
			r.Items = append(r.Items, report.Item{Verdict: report.Verdict{Confidence: c}})
			items = append(items, int32(i))
		}
		if got := New(r, nil).Weakest(items); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestAGroupOfAWorkloadSaysWhenItIsAGuess(t *testing.T) {
	for want, it := range map[string]report.Item{
		"shop/web (deploy)": {Namespace: "shop", Pod: "web-1", Workload: "deployment/web",
			WorkloadFrom: report.FromOwners},
		"shop/db (sts)":          {Namespace: "shop", Pod: "db-0", Workload: "statefulset/db", WorkloadFrom: report.FromName},
		"shop/cache (by name)":   {Namespace: "shop", Pod: "cache-b7x2k", Workload: "cache", WorkloadFrom: report.FromName},
		"shop/web-old (by name)": {Namespace: "shop", Pod: "web-old"}, // a report of an earlier version
		"shop/ (by name)":        {Namespace: "shop"},
		"shop/go (rollout)":      {Namespace: "shop", Workload: "rollout/go", WorkloadFrom: report.FromOwners},
	} {
		if got := workloadName(&it); got != want {
			t.Errorf("%+v: %q, want %q", it, got, want)
		}
	}
}

func TestTheKeyOfAGroupNamesItInAnotherReport(t *testing.T) {
	arrange := func() Arrangement { return dataOf(sample.Repeated()).Arrange(nil, ByRoot, "") }
	a, b := arrange(), arrange()
	for i := range a.Listed {
		if x, y := a.Anchor(a.Listed[i]), b.Anchor(b.Listed[i]); x != y || x == "" {
			t.Errorf("row %d: %q and %q", i, x, y)
		}
	}
	seen := map[string]bool{}
	for _, r := range a.Listed {
		if k := a.Anchor(r); seen[k] {
			t.Errorf("%q names two rows", k)
		} else {
			seen[k] = true
		}
	}
}

func TestADatasetKnowsItsWidestEntries(t *testing.T) {
	r := sample.Repeated()
	want := Widest{Cause: len("hash-kubelet-upgrade"), Where: len("x crash/app x3"), Node: 2}
	if got := New(r, nil).widest; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	r.Items[0].Namespace, r.Items[0].Kind, r.Items[1].Node = "another", report.Death, "node-2"
	want = Widest{Cause: want.Cause, Where: len("another/crash/app"), Node: 6, Kinds: true, Nodes: true}
	if got := New(r, nil).widest; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
