package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

const (
	becauseHash   = "kubelet v1.31 hashes name and image only, v1.30 the container as JSON: no stored hash fits"
	becauseProbe  = "a startup probe runs again after a start of the kubelet, and may fail under load"
	becauseStatus = "the status of the container is missing"
	becauseSame   = "the new kubelet finds nothing to change"
)

// foretold is a preflight with every prediction and every level of finding, nodes
// in the order of pain.
func foretold() *report.Preflight {
	r := &report.Preflight{
		GeneratedAt: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Tool: report.Tool{Version: "v1.2.3"}, Scope: report.Scope{AllNamespaces: true},
		To: "v1.31.4", ModelledAs: "v1.31", Assumed: []string{"a probe that passes now passes again"},
		Nodes: []report.PreflightNode{
			{Node: "worker-2", From: "v1.30.14", To: "v1.31.4", Runtime: "containerd 1.7.13", OS: "linux", Blocked: true, Findings: []report.Finding{
				{Level: report.FindingNote, Rule: "probes-run-again", Text: "startup probes run again"},
				{Level: report.FindingCheck, Rule: "flags-removed", Text: "--keep-terminated-pod-volumes is gone: no source tells which flags the node was given", Do: "look into the unit of the kubelet"},
				{Level: report.FindingBlocker, Rule: "feature-gate-removed", Text: "the feature gate CSIMigrationvSphere is set and v1.31 does not know it: the kubelet ends at once", Do: "take it out of the kubelet's configuration"},
			}},
			{Node: "worker-3", From: "v1.30.14", To: "v1.31.4", Runtime: "containerd 1.7.13", OS: "linux", Findings: []report.Finding{
				{Level: report.FindingRisk, Rule: "minor-in-place", Text: "a change of the minor in place is not supported", Do: "drain the node first"},
			}},
			{Node: "worker-1", To: "v1.31.4", Findings: []report.Finding{}},
			{Node: "spare-0", From: "v1.31.0", To: "v1.31.4"},
		},
		Groups: []report.PreflightGroup{
			{Prediction: report.Restarts, Rule: "hash-kubelet-upgrade", Because: becauseHash, Containers: 5, Pods: 4, Nodes: 2, Do: "drain each node before its kubelet is changed"},
			{Prediction: report.MayRestart, Rule: "startup-probe-rerun", Because: becauseProbe, Containers: 1, Pods: 1, Nodes: 1, Do: "raise failureThreshold of the startup probe"},
			{Prediction: report.Undetermined, Rule: "no-status", Because: becauseStatus, Containers: 1, Pods: 1, Nodes: 1},
			{Prediction: report.Stays, Rule: "unchanged", Because: becauseSame, Containers: 2, Pods: 2, Nodes: 2},
		},
		Gaps: []report.Gap{{Source: "runtime", Node: "worker-1", Why: "not asked", Hint: "--evidence pod reads it"}},
	}
	for _, row := range [][7]string{
		{"worker-1", "shop", "web-1", "app", "app", "may", "startup-probe-rerun"},
		{"worker-1", "shop", "web-1", "proxy", "sidecar", "unknown", "no-status"},
		{"worker-2", "kube-system", "kube-proxy-x", "kube-proxy", "app", "stays", "unchanged"},
		{"worker-2", "shop", "web-0", "app", "app", "restarts", "hash-kubelet-upgrade"},
		{"worker-3", "infra", "collector-with-a-long-name-7d9f5b6c4-x2x4z", "collector", "app", "restarts", "hash-kubelet-upgrade"},
		{"worker-3", "shop", "cart-0", "app", "app", "restarts", "hash-kubelet-upgrade"},
		{"worker-3", "shop", "cart-0", "setup", "init", "stays", "unchanged"},
		{"worker-3", "shop", "cart-1", "app", "app", "restarts", "hash-kubelet-upgrade"},
		{"worker-3", "shop", "cart-1", "log", "sidecar", "restarts", "hash-kubelet-upgrade"},
	} {
		it := report.PreflightItem{
			Node: row[0], Namespace: row[1], Pod: row[2], PodUID: "uid-" + row[2], Container: row[3], Kind: row[4], Prediction: report.Prediction(row[5]), Rule: row[6],
			Because:  map[string]string{"hash-kubelet-upgrade": becauseHash, "startup-probe-rerun": becauseProbe, "no-status": becauseStatus, "unchanged": becauseSame}[row[6]],
			Function: "kuberuntime_manager.go computePodActions",
		}
		if it.Prediction == report.Restarts {
			it.Proof, it.Assumed = "stored hash c87f01d2, v1.31 computes 5d6b02aa", []string{"the stored hash is the one that v1.30 computes"}
		}
		r.Items = append(r.Items, it)
	}
	count(r)
	return r
}

// count fills in the figures of a preflight from its items, as the analysis does.
func count(r *report.Preflight) {
	r.Summary = report.PreflightCount{}
	for i := range r.Nodes {
		r.Nodes[i].Count = report.PreflightCount{}
		if r.Nodes[i].Blocked {
			r.Summary.BlockedNodes++
		}
	}
	for i := range r.Items {
		r.Summary.Add(r.Items[i].Prediction)
		for n := range r.Nodes {
			if r.Nodes[n].Node == r.Items[i].Node {
				r.Nodes[n].Count.Add(r.Items[i].Prediction)
			}
		}
	}
	r.Normalise()
}

func TestTheHeadlineSaysWhatWouldHappen(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*report.Preflight)
		want   string
	}{
		"everything": {func(*report.Preflight) {}, "5 containers on 2 nodes restart, 1 kubelet would not start, 1 may restart, 1 unknown, 2 stay"},
		"one only":   {func(r *report.Preflight) { r.Items = r.Items[3:4] }, "1 container restarts, 1 kubelet would not start"},
		"none": {func(r *report.Preflight) { r.Items, r.Nodes[0].Blocked = r.Items[2:3], false },
			"no container restarts, 1 stays"},
		"two kubelets": {func(r *report.Preflight) { r.Items, r.Nodes[1].Blocked = nil, true }, "no container restarts, 2 kubelets would not start"},
		"nothing":      {func(r *report.Preflight) { r.Items, r.Nodes = nil, nil }, "no container restarts"},
	} {
		r := foretold()
		tt.change(r)
		count(r)
		if got := newOutlook(r).headline(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// names are those of piles with their figures.
func names(all []*pile) (out []string) {
	for _, p := range all {
		out = append(out, fmt.Sprintf("%s %d/%d/%d/%d", p.name, p.count.Restarts, p.count.May, p.count.Unknown, p.count.Stays))
	}
	return out
}

func TestPilesComeWorstFirst(t *testing.T) {
	o := newOutlook(foretold())
	for by, want := range map[aspect][]string{
		aspectNode:      {"worker-2 1/0/0/1", "worker-3 4/0/0/1", "worker-1 0/1/1/0", "spare-0 0/0/0/0"},
		aspectReason:    {"hash-kubelet-upgrade 5/0/0/0", "startup-probe-rerun 0/1/0/0", "no-status 0/0/1/0", "unchanged 0/0/0/2"},
		aspectNamespace: {"shop 4/1/1/1", "infra 1/0/0/0", "kube-system 0/0/0/1"},
	} {
		if d := cmp.Diff(want, names(o.piles(by, o.items))); d != "" {
			t.Errorf("by %s (-want +got):\n%s", by, d)
		}
	}
	if p := o.piles(aspectNode, o.items)[1]; o.r.Items[p.items[len(p.items)-1]].Prediction != report.Stays {
		t.Error("what stays is not the last of its node")
	}
}

// A node that only its containers speak of is listed behind the others; the
// same rule for two reasons makes two piles.
func TestPilesOfAnOddReport(t *testing.T) {
	r := foretold()
	r.Items[0].Node = "ghost"
	r.Items[4].Because = "for another reason"
	o := newOutlook(r)
	nodes := names(o.piles(aspectNode, o.items))
	if got := nodes[len(nodes)-1]; got != "ghost 0/1/0/0" {
		t.Errorf("the last node is %s", got)
	}
	if got := o.kubelet("ghost", asciiGlyphs); got != "not known" {
		t.Errorf("its kubelet is %q", got)
	}
	if d := cmp.Diff([]string{"hash-kubelet-upgrade 4/0/0/0", "hash-kubelet-upgrade 1/0/0/0"}, names(o.piles(aspectReason, o.items))[:2]); d != "" {
		t.Error(d)
	}
	if do := o.do(4); do != "" {
		t.Errorf("a reason without a group advises %q", do)
	}
}

func TestFindingsComeWorstFirst(t *testing.T) {
	o := newOutlook(foretold())
	var levels []string
	for _, f := range o.findings(&pile{by: aspectNode, name: "worker-2"}) {
		levels = append(levels, string(f.Level))
	}
	if d := cmp.Diff([]string{"blocker", "check", "note"}, levels); d != "" {
		t.Error(d)
	}
	if o.r.Nodes[0].Findings[0].Level != report.FindingNote {
		t.Error("the report was reordered")
	}
	if f := o.findings(&pile{by: aspectNamespace, name: "worker-2"}); f != nil {
		t.Error("a namespace that is called like a node has its findings")
	}
}

func TestTheGistOfAPile(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*report.Preflight)
		want   string
	}{
		"a blocker":       {func(*report.Preflight) {}, "blocker: the feature gate CSIMigrationvSphere is set and v1.31 does not know it: the kubelet ends at once"},
		"a note is none":  {func(r *report.Preflight) { r.Nodes[0].Findings = r.Nodes[0].Findings[:1] }, "restarts: hash-kubelet-upgrade"},
		"no finding":      {func(r *report.Preflight) { r.Nodes[0].Findings = nil }, "restarts: hash-kubelet-upgrade"},
		"nothing to tell": {func(r *report.Preflight) { r.Nodes[0].Findings, r.Items = nil, r.Items[2:3] }, ""},
	} {
		r := foretold()
		tt.change(r)
		o := newOutlook(r)
		if got := o.gist(o.piles(aspectNode, o.items)[0]); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestAFilterOfAnOutlook(t *testing.T) {
	o := newOutlook(foretold())
	for words, want := range map[string]int{
		"": 9, "cart": 4, "CART !log": 3, "worker-3 restarts": 4, "hash-kubelet": 5, "sidecar": 2, "!restarts": 4, "zzz": 0, "!": 9, "cart web": 0,
	} {
		if got := len(o.passing(parseFilter(words), o.items)); got != want {
			t.Errorf("%q finds %d containers, want %d", words, got, want)
		}
	}
	node := &pile{by: aspectNode, name: "worker-2"}
	for words, want := range map[string]bool{"worker-2": true, "blocker": true, "csimigration": true, "containerd": true, "v1.30": true, "cart": false, "worker-2 !blocker": false} {
		if got := o.named(parseFilter(words), node); got != want {
			t.Errorf("%q names worker-2: %v", words, got)
		}
	}
}

func TestEveryPredictionAndLevelHasItsOwnGlyph(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		th := newTheme(paletteNone, ascii)
		seen := map[string]bool{}
		for _, p := range report.Predictions() {
			_, g := th.prediction(p)
			if seen[g] {
				t.Errorf("%q stands for two predictions", g)
			}
			seen[g] = true
		}
		seen = map[string]bool{}
		for _, l := range report.FindingLevels() {
			_, g := th.finding(l)
			if seen[g] {
				t.Errorf("%q stands for two levels", g)
			}
			seen[g] = true
		}
	}
}

func TestWhatIsNotKnownIsNoPredictionOfItsOwn(t *testing.T) {
	if badness("certain") != badness(report.Undetermined) {
		t.Error("an unknown word is not taken for unknown")
	}
	th := spoken()
	if _, g := th.prediction("certain"); label(g, "certain") != "certain" {
		t.Errorf("spoken as %q", label(g, "certain"))
	}
}

func TestPreflightPlain(t *testing.T) {
	for name, r := range preflights() {
		var b strings.Builder
		if err := WritePreflightPlain(t.Context(), &b, r); err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if strings.ContainsRune("●◐○▸▾└├┬─│✗•–…→×❯█\x1b", r) {
				t.Errorf("%s: %q is in linear text", name, r)
			}
		}
		if name == "full" {
			golden(t, "preflight-plain", b.String())
		}
	}
}
