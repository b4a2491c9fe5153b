package score

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// said returns an item about the container app, with alternatives to its cause.
func said(cause string, c report.Confidence, alternatives ...string) report.Item {
	it := report.Item{Namespace: "shop", Pod: "web-0", Container: "app", Kind: report.Restart,
		Verdict: report.Verdict{Cause: cause, Mechanism: cause, Confidence: c, Summary: "because"}}
	for _, a := range alternatives {
		it.Verdict.Alternatives = append(it.Verdict.Alternatives, report.Alternative{Cause: a, Confidence: report.Possible})
	}
	return it
}

func with(it report.Item, change func(*report.Item)) report.Item {
	change(&it)
	return it
}

func TestJudge(t *testing.T) {
	base := Truth{Pod: "shop/web-0", Container: "app", Cause: "app-signal"}
	ofPod := func(it report.Item) report.Item { return with(it, func(it *report.Item) { it.Container = "" }) }
	never := func(it report.Item) report.Item { return with(it, func(it *report.Item) { it.Kind = report.None }) }
	nothing := func(t *Truth) { t.Cause = "" }
	none := func(t *Truth) { t.Cause = None }
	flip := func(t *Truth) { t.Cause, t.Also = "readiness-flip", []string{None} }
	unknown := func(t *Truth) { t.Cause = Unknown }
	pod := func(t *Truth) { t.Container = "" }
	untold := func(t *Truth) { t.Untold = []string{"web-0"} }
	called := func(t *Truth) { t.Untold, t.Called = []string{"web-0"}, true }
	named := func(it *report.Item) { it.Pod, it.PodUID = "web", evidence.Mentioned+"shop/web" }
	which := func(n int) func(*Truth) { return func(t *Truth) { t.Which = n } }
	mechanism := func(t *Truth) { t.Mechanism = "sandbox-changed" }
	kind := func(t *Truth) { t.Kind = "Death" }
	also := func(t *Truth) { t.Also = []string{"oom-node"} }
	others := func(t *Truth) { t.Others = []string{"oom-node"} }
	type items = []report.Item // newest first
	two := items{said("app-signal", report.Likely), said("unknown", report.Unknown)}
	for _, c := range []struct {
		name   string
		change func(*Truth)
		items  items
		want   Outcome
	}{
		{"the cause, proven", nil, items{said("app-signal", report.Proven)}, Right},
		{"the cause, likely", nil, items{said("app-signal", report.Likely)}, Right},
		{"the cause, possible", nil, items{said("app-signal", report.Possible)}, Right},
		{"the cause without any confidence", nil, items{said("app-signal", report.Unknown)}, Honest},
		{"the same truth in other words", also, items{said("oom-node", report.Proven)}, Right},
		{"another cause, proven", nil, items{said("oom-node", report.Proven)}, WrongProven},
		{"another cause, likely", nil, items{said("oom-node", report.Likely)}, Wrong},
		{"another cause, likely, beside the truth", nil, items{said("oom-node", report.Likely, "app-signal")}, Wrong},
		{"another cause, possible, beside the truth", nil,
			items{said("oom-node", report.Possible, "app-exit-error", "app-signal")}, Honest},
		{"another cause, possible, beside the truth in other words", also, items{said("unknown", report.Unknown, "oom-node")},
			Honest},
		{"another cause, possible, and the truth is not named", nil,
			items{said("oom-node", report.Possible, "app-exit-error")}, Vague},
		{"unknown, beside the truth", nil, items{said("unknown", report.Unknown, "app-signal")}, Honest},
		{"unknown, and the truth is not named", nil, items{said("unknown", report.Unknown)}, Vague},
		{"no item", nil, nil, Silent},
		{"an item of another container", nil,
			items{with(said("app-signal", report.Proven), func(it *report.Item) { it.Container = "b" })}, Silent},
		{"an item of another namespace", nil,
			items{with(said("app-signal", report.Proven), func(it *report.Item) { it.Namespace = "b" })}, Silent},
		{"an item of a pod that the evidence does not name", untold, items{with(said("app-signal", report.Likely),
			func(it *report.Item) { it.Pod = "?" })}, Right},
		{"the same by the pod's UID", untold, items{with(said("app-signal", report.Likely),
			func(it *report.Item) { it.Pod = "19a2636b-7d6d-4a22-9560-69beaadda718" })}, Right},
		{"the only pod, by the name that words give it", called, items{with(said("app-signal", report.Likely), named)}, Right},
		{"such a name, where silence is right too", func(t *Truth) { called(t); t.Also = []string{None} },
			items{with(said("unknown", report.Unknown), named)}, Right},
		{"one of several by such a name", untold, items{with(said("app-signal", report.Likely), named)}, Silent},
		{"a UID, and the evidence names the pod", nil, items{with(said("app-signal", report.Likely),
			func(it *report.Item) { it.Pod = "19a2636b-7d6d-4a22-9560-69beaadda718" })}, Silent},
		{"a certainty about another container", nil,
			items{said("app-signal", report.Likely), with(said("x", report.Proven),
				func(it *report.Item) { it.Container = "b" })}, Right},

		{"the newest counts", nil, two, Right},
		{"the second of two", which(2), two, Right},
		{"the first of two", which(1), two, Vague},
		{"one that is not there", which(3), two, Silent},
		{"another end, wrongly proven", nil, items{said("app-signal", report.Likely), said("oom-node", report.Proven)},
			WrongProven},
		{"another end, wrongly likely", nil, items{said("app-signal", report.Likely), said("oom-node", report.Likely)},
			Right},
		{"another end, proven as it was", others, items{said("app-signal", report.Likely), said("oom-node", report.Proven)},
			Right},
		{"another end only, proven as it was", others, items{said("oom-node", report.Proven)}, Silent},
		{"what another end was, likely for this one", others, items{said("oom-node", report.Likely)}, Wrong},

		{"nothing restarted, and nothing is said", nothing, nil, Right},
		{"none restarted, and nothing is said", none, nil, Right},
		{"nothing restarted, and it says so", none, items{never(said("readiness-flip", report.Proven))}, Right},
		{"nothing restarted, and something is possible", nothing, items{said("oom-node", report.Possible)}, Honest},
		{"nothing restarted, and nothing is known", none, items{said("unknown", report.Unknown)}, Honest},
		{"nothing restarted, and something is likely", none, items{said("oom-node", report.Likely)}, Wrong},
		{"nothing restarted, and something is proven", nothing, items{said("oom-node", report.Proven)}, WrongProven},
		{"nothing restarted, and the pod was refused", nothing, items{ofPod(said("admission-rejected", report.Proven))},
			Right},

		{"a mere flip, and nothing is said", flip, nil, Right},
		{"a mere flip, called so", flip, items{never(said("readiness-flip", report.Proven))}, Right},
		{"a mere flip, and something is possible", flip, items{said("oom-node", report.Possible)}, Honest},
		{"a mere flip, and something is likely", flip, items{said("oom-node", report.Likely)}, Wrong},
		{"none, also called a flip", func(t *Truth) { t.Cause, t.Also = None, []string{"readiness-flip"} },
			items{said("readiness-flip", report.Proven)}, Right},

		{"an unknown that is the truth", unknown, items{said("unknown", report.Unknown)}, Right},
		{"a guess where nobody could tell", unknown, items{said("app-signal", report.Possible)}, Honest},
		{"a likely where nobody could tell", unknown, items{said("app-signal", report.Likely)}, Wrong},
		{"a certainty where nobody could tell", unknown, items{said("app-signal", report.Proven)}, WrongProven},
		{"silence where nobody could tell", unknown, nil, Silent},

		{"the wrong mechanism, possible", mechanism, items{said("app-signal", report.Possible)}, Honest},
		{"the wrong mechanism, likely", mechanism, items{said("app-signal", report.Likely)}, Wrong},
		{"the wrong mechanism, proven", mechanism, items{said("app-signal", report.Proven)}, WrongProven},
		{"the right mechanism", mechanism,
			items{with(said("app-signal", report.Proven), func(it *report.Item) { it.Verdict.Mechanism = "sandbox-changed" })},
			Right},
		{"the wrong kind, likely", kind, items{said("app-signal", report.Likely)}, Wrong},
		{"the right kind", kind,
			items{with(said("app-signal", report.Likely), func(it *report.Item) { it.Kind = report.Death })}, Right},

		{"the end of a pod", pod, items{said("x", report.Likely), ofPod(said("app-signal", report.Likely))}, Right},
		{"the end of a pod, told by a container", pod, items{said("app-signal", report.Likely)}, Right},
		{"the end of a pod, told by its newest container", pod,
			items{said("app-signal", report.Likely), said("x", report.Likely)}, Right},
		{"the end of a pod, told by its newest container, another one's before",
			pod, items{said("app-signal", report.Likely), said("x", report.Proven)}, Right},
		{"the end of a pod, and no item of it", pod, nil, Silent},
		{"the end of a container, told by its pod", nil, items{ofPod(said("app-signal", report.Likely))}, Right},
		{"the end of a container, told by itself and by its pod", nil,
			items{ofPod(said("x", report.Likely)), said("app-signal", report.Likely)}, Right},
	} {
		truth := base
		if c.change != nil {
			c.change(&truth)
		}
		got := Judge(truth, c.items)
		if got.Outcome != c.want {
			t.Errorf("%s: %v (%s), want %v", c.name, got.Outcome, got.Why, c.want)
		}
		if (got.Outcome == Right) != (got.Why == "") {
			t.Errorf("%s: %v because %q", c.name, got.Outcome, got.Why)
		}
		if (got.Item == nil) != (got.Confidence == "") {
			t.Errorf("%s: an item %v at confidence %q", c.name, got.Item, got.Confidence)
		}
	}
}

func TestEveryTruthIsJudgedOnce(t *testing.T) {
	a, b := Truth{Pod: "shop/web-0", Container: "app", Cause: "x"}, Truth{Pod: "shop/web-1", Container: "app", Cause: "x"}
	got := All([]Truth{a, b}, []report.Item{said("x", report.Proven)})
	if len(got) != 2 || got[0].Outcome != Right || got[1].Outcome != Silent || got[1].Truth.Pod != b.Pod {
		t.Errorf("%+v", got)
	}
}
