package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
)

func TestTheHeadlineSaysWhatWouldHappen(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*report.Preflight)
		want   string
	}{
		"everything": {func(*report.Preflight) {},
			"5 containers on 2 nodes restart, 1 kubelet would not start, 1 may restart, 1 unknown, 2 stay"},
		"one only": {func(r *report.Preflight) { r.Items = r.Items[3:4] }, "1 container restarts, 1 kubelet would not start"},
		"none": {func(r *report.Preflight) { r.Items, r.Nodes[0].Blocked = r.Items[2:3], false },
			"no container restarts, 1 stays"},
		"two kubelets": {func(r *report.Preflight) { r.Items, r.Nodes[1].Blocked = nil, true },
			"no container restarts, 2 kubelets would not start"},
		"nothing": {func(r *report.Preflight) { r.Items, r.Nodes = nil, nil }, "no container restarts"},
	} {
		r := foretold()
		tt.change(r)
		count(r)
		if got := preflightpage.NewView(r).Headline(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// names are those of groups with their figures.
func names(all []*preflightpage.Group) (out []string) {
	for _, p := range all {
		out = append(out, fmt.Sprintf("%s %d/%d/%d/%d", p.Name, p.Count.Restarts,
			p.Count.May, p.Count.Unknown, p.Count.Stays))
	}
	return out
}

func TestGroupsComeWorstFirst(t *testing.T) {
	o := preflightpage.NewView(foretold())
	for by, want := range map[preflightpage.Aspect][]string{
		preflightpage.ByNode: {"worker-2 1/0/0/1", "worker-3 4/0/0/1", "worker-1 0/1/1/0", "spare-0 0/0/0/0"},
		preflightpage.ByReason: {"hash-kubelet-upgrade 5/0/0/0", "startup-probe-rerun 0/1/0/0",
			"no-status 0/0/1/0", "unchanged 0/0/0/2"},
		preflightpage.ByNamespace: {"shop 4/1/1/1", "infra 1/0/0/0", "kube-system 0/0/0/1"},
	} {
		if d := cmp.Diff(want, names(o.Groups(by, o.Items))); d != "" {
			t.Errorf("by %s (-want +got):\n%s", by, d)
		}
	}
	p := o.Groups(preflightpage.ByNode, o.Items)[1]
	if o.Report.Items[p.Items[len(p.Items)-1]].Prediction != report.Stays {
		t.Error("what stays is not the last of its node")
	}
}

// A node that only its containers speak of is listed behind the others; the
// same rule for two reasons makes two groups.
func TestGroupsOfAnOddReport(t *testing.T) {
	r := foretold()
	r.Items[0].Node = "ghost"
	r.Items[4].Because = "for another reason"
	o := preflightpage.NewView(r)
	nodes := names(o.Groups(preflightpage.ByNode, o.Items))
	if got := nodes[len(nodes)-1]; got != "ghost 0/1/0/0" {
		t.Errorf("the last node is %s", got)
	}
	if got := o.Kubelet("ghost"); got != "not known" {
		t.Errorf("its kubelet is %q", got)
	}
	if d := cmp.Diff([]string{"hash-kubelet-upgrade 4/0/0/0", "hash-kubelet-upgrade 1/0/0/0"},
		names(o.Groups(preflightpage.ByReason, o.Items))[:2]); d != "" {
		t.Error(d)
	}
	for _, b := range o.GroupSummary(o.Groups(preflightpage.ByReason, o.Items)[1]) {
		for text := range document.Texts(b) {
			if strings.Contains(text.String(), "Do:") {
				t.Errorf("a reason without a group advises %q", text)
			}
		}
	}
}

func TestFindingsComeWorstFirst(t *testing.T) {
	o := preflightpage.NewView(foretold())
	var levels []string
	for _, f := range o.Findings(&preflightpage.Group{By: preflightpage.ByNode, Name: "worker-2"}) {
		levels = append(levels, string(f.Level))
	}
	if d := cmp.Diff([]string{"blocker", "check", "note"}, levels); d != "" {
		t.Error(d)
	}
	if o.Report.Nodes[0].Findings[0].Level != report.FindingNote {
		t.Error("the report was reordered")
	}
	if f := o.Findings(&preflightpage.Group{By: preflightpage.ByNamespace, Name: "worker-2"}); f != nil {
		t.Error("a namespace that is called like a node has its findings")
	}
}

func TestTheGistOfAGroup(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*report.Preflight)
		want   string
	}{
		"a blocker": {func(*report.Preflight) {},
			"blocker: the feature gate CSIMigrationvSphere is set and v1.31 does not know it: the kubelet exits at once"},
		"a note is none": {func(r *report.Preflight) { r.Nodes[0].Findings = r.Nodes[0].Findings[:1] },
			"restarts: hash-kubelet-upgrade"},
		"no finding":      {func(r *report.Preflight) { r.Nodes[0].Findings = nil }, "restarts: hash-kubelet-upgrade"},
		"nothing to tell": {func(r *report.Preflight) { r.Nodes[0].Findings, r.Items = nil, r.Items[2:3] }, ""},
	} {
		r := foretold()
		tt.change(r)
		o := preflightpage.NewView(r)
		if got := o.Gist(o.Groups(preflightpage.ByNode, o.Items)[0]); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestAFilterOfAPreflight(t *testing.T) {
	o := preflightpage.NewView(foretold())
	for words, want := range map[string]int{
		"": 9, "cart": 4, "CART !log": 3, "worker-3 restarts": 4, "hash-kubelet": 5,
		"sidecar": 2, "!restarts": 4, "zzz": 0, "!": 9, "cart web": 0,
	} {
		if got := len(o.Passing(dataset.ParseTerms(words).Passes, o.Items)); got != want {
			t.Errorf("%q finds %d containers, want %d", words, got, want)
		}
	}
	node := &preflightpage.Group{By: preflightpage.ByNode, Name: "worker-2"}
	for words, want := range map[string]bool{"worker-2": true, "blocker": true,
		"csimigration": true, "containerd": true, "v1.30": true, "cart": false, "worker-2 !blocker": false} {
		if got := o.Named(dataset.ParseTerms(words).Passes, node); got != want {
			t.Errorf("%q names worker-2: %v", words, got)
		}
	}
}

func TestWhatIsNotKnownIsNoPredictionOfItsOwn(t *testing.T) {
	r := foretold()
	r.Items[2].Prediction = "certain"
	o := preflightpage.NewView(r)
	var order []string
	for _, i := range o.Items {
		order = append(order, string(r.Items[i].Prediction))
	}
	if got := slices.Index(order, "certain"); got < slices.Index(order, "may") || got > slices.Index(order, "stays") {
		t.Errorf("a word that is not known stands at %d of %v", got, order)
	}
}
