package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/cluster"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

var plan = Plan{Node: "n2", Version: "v1.30.14", Upgrade: "v1.36.3"}

func TestPlansCrossTheHashChangeInBothDirections(t *testing.T) {
	const boundary = 31
	up, down := 0, 0
	for _, p := range Plans() {
		var before, after int
		for version, minor := range map[string]*int{p.Version: &before, p.Upgrade: &after} {
			parts := strings.Split(version, ".")
			for _, c := range parts[1] {
				*minor = *minor*10 + int(c-'0')
			}
		}
		switch {
		case before < boundary && after >= boundary:
			up++
		case before >= boundary && after < boundary:
			down++
		default:
			t.Errorf("%s: %s to %s restarts nothing", p.Node, p.Version, p.Upgrade)
		}
	}
	if up == 0 || down == 0 {
		t.Errorf("%d upgrades, %d downgrades", up, down)
	}
}

func TestCases(t *testing.T) {
	s := scenario.Scenario{
		Name:    "pair",
		Truths:  []scenario.Truth{{Container: "web", Cause: "app-signal", Mechanism: "m"}},
		Upgrade: []scenario.Truth{{Container: "worker", Cause: kubeletUpgrade}},
	}
	base := judge.Case{Scenario: "pair", Node: "n2", Kubelet: "v1.30.14", Namespace: "e2e-n2"}
	with := func(change func(*judge.Case)) judge.Case { c := base; change(&c); return c }
	tests := []struct {
		name  string
		round round
		want  []judge.Case
	}{
		{"before the upgrade: what was provoked, and silence about its later victims", FirstRound, []judge.Case{
			with(func(c *judge.Case) { c.Container, c.Cause, c.Mechanism = "web", "app-signal", "m" }),
			with(func(c *judge.Case) { c.Container = "worker" }),
		}},
		{"after the upgrade: its victims, on both versions", secondRound, []judge.Case{
			with(func(c *judge.Case) {
				c.Container, c.Cause, c.Kubelet = "worker", kubeletUpgrade, "v1.30.14 → v1.36.3"
			}),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Cases(plan, s, tt.round)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func reportOf(cause, confidence string) judge.Report {
	return judge.Report{Items: []judge.Item{{Namespace: "e2e-n2", Pod: "edited", Container: "app", Kind: "Restart",
		Verdict: judge.Verdict{Cause: cause, Confidence: confidence}}}}
}

func TestFalseCertaintyAfterTheUpgrade(t *testing.T) {
	s := []scenario.Scenario{{Name: "edited", Truths: []scenario.Truth{{Container: "app", Cause: "spec-image-changed"}}}}
	tests := []struct {
		name   string
		report judge.Report
		want   int
	}{
		{"its own trouble is true", reportOf("spec-image-changed", "proven"), 0},
		{"the upgrade is true", reportOf(kubeletUpgrade, "proven"), 0},
		{"anything else, proven, is found at each tier", reportOf("app-signal", "proven"), 3},
		{"anything else, less than proven, is let pass", reportOf("app-signal", "likely"), 0},
		{"silence is let pass: the second round asks for the victims only", judge.Report{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := falseCertainty([]Plan{plan}, s, reports{tiers: [3]judge.Report{tt.report, tt.report, tt.report}})
			if len(got) != tt.want {
				t.Errorf("found %d: %+v", len(got), got)
			}
		})
	}
}

func TestANodeWithoutLogQueryIsJudgedByItsFile(t *testing.T) {
	r := reports{tiers: [3]judge.Report{reportOf("a", ""), reportOf("b", ""), reportOf("c", "")},
		byFile: map[string]judge.Report{"n1": reportOf("file", "")}}
	for _, tt := range []struct {
		tier       int
		node, want string
	}{{0, "n1", "a"}, {1, "n1", "file"}, {2, "n1", "c"}, {1, "n2", "b"}} {
		if got := r.at(tt.tier, tt.node).Items[0].Verdict.Cause; got != tt.want {
			t.Errorf("tier %d of %s: %s, want %s", tt.tier, tt.node, got, tt.want)
		}
	}
}

func conclusion(t *testing.T, results []judge.Result, pace Pace) (string, error) {
	t.Helper()
	lab := &cluster.Lab{Dir: t.TempDir(), Log: &bytes.Buffer{}}
	var out bytes.Buffer
	err := conclude(lab, &out, results, pace, time.Minute)
	kept, readErr := os.ReadFile(filepath.Join(lab.Dir, "e2e.md"))
	if readErr != nil || string(kept) != out.String() {
		t.Errorf("the file holds something else than what was printed: %v", readErr)
	}
	return out.String(), err
}

func TestConcludeEndsWithTheSummaryAndFailsOnlyWhenSomethingWasWrong(t *testing.T) {
	fast := Pace{Tool: 150, Pods: 60, Events: 60}
	ok := judge.Result{Case: judge.Case{Scenario: "steady", Container: "app", Node: "n1"}, Outcome: score.Right}
	bad := ok
	bad.Outcome, bad.Why = score.WrongProven, "the report says more"

	out, err := conclusion(t, []judge.Result{ok}, fast)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || !strings.HasPrefix(lines[len(lines)-1], "e2e: 1 truths × 3 tiers: 1 judged, 1 right") {
		t.Errorf("error %v, last line %q", err, lines[len(lines)-1])
	}
	out, err = conclusion(t, []judge.Result{ok, bad}, fast)
	if err == nil || !strings.Contains(out, "the report says more") {
		t.Errorf("a wrong verdict: error %v, output\n%s", err, out)
	}
	if _, err = conclusion(t, []judge.Result{ok}, Pace{Tool: 250, Pods: 60, Events: 60}); err == nil ||
		!strings.Contains(err.Error(), "ratio 2.08") {
		t.Errorf("too slow: error %v", err)
	}
	if _, err = conclusion(t, nil, fast); err == nil {
		t.Error("judging nothing passed")
	}
}

func TestMedian(t *testing.T) {
	in := []time.Duration{5, 1, 9, 3, 7}
	if got := median(in); got != 5 {
		t.Errorf("= %d", got)
	}
	if in[0] != 5 {
		t.Error("the input was reordered")
	}
}

func TestLastPartKeepsTheEnd(t *testing.T) {
	if got := LastPart(strings.Repeat("x", 1000) + "why\n"); len(got) != 600 || !strings.HasSuffix(got, "why") {
		t.Errorf("%d characters, %q", len(got), got[len(got)-5:])
	}
}

func TestWorthShowing(t *testing.T) {
	full := func() judge.Report {
		var r judge.Report
		for i, cause := range []string{kubeletUpgrade, kubeletUpgrade, "a", "b", "c", "d", "e", "a", "b", "c"} {
			confidence := "likely"
			if i < 2 {
				confidence = "proven"
			}
			r.Items = append(r.Items, judge.Item{Verdict: judge.Verdict{Cause: cause, Confidence: confidence}})
		}
		return r
	}
	tests := []struct {
		name   string
		change func(*judge.Report)
		want   string
	}{
		{"a full story", func(*judge.Report) {}, ""},
		{"one restart short", func(r *judge.Report) { r.Items = r.Items[:9] }, "only 9 restarts, want 10"},
		{"unknown is no cause", func(r *judge.Report) { r.Items[6].Verdict.Cause = judge.Unknown }, "only 5 causes, want 6"},
		{"an upgrade that is only likely", func(r *judge.Report) { r.Items[0].Verdict.Confidence = "likely" },
			"only 1 proven hash-kubelet-upgrade, want 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := full()
			tt.change(&r)
			got := ""
			if err := worthShowing(r); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("= %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPlannedTellsTheRoundByTheKubeletsThatRun(t *testing.T) {
	running := func(change func([]ledger.Node)) []ledger.Node {
		var out []ledger.Node
		for _, p := range Plans() {
			out = append(out, ledger.Node{Name: p.Node, Version: p.Version})
		}
		change(out)
		return out
	}
	upgraded := func(nodes []ledger.Node, n int) {
		for i := range n {
			nodes[i].Version = Plans()[i].Upgrade
		}
	}
	tests := []struct {
		name  string
		nodes []ledger.Node
		round round
		fails bool
	}{
		{"all as they started", running(func([]ledger.Node) {}), FirstRound, false},
		{"all upgraded", running(func(n []ledger.Node) { upgraded(n, len(n)) }), secondRound, false},
		{"only some upgraded", running(func(n []ledger.Node) { upgraded(n, 1) }), FirstRound, true},
		{"a kubelet of no plan", running(func(n []ledger.Node) { n[0].Version = "v1.25.0" }), FirstRound, true},
		{"a node of no plan", running(func(n []ledger.Node) { n[0].Name = "x" }), FirstRound, true},
		{"no lab at all", nil, FirstRound, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plans, round, err := planned(tt.nodes)
			if (err != nil) != tt.fails || round != tt.round {
				t.Fatalf("round %v, error %v", round, err)
			}
			if !tt.fails && len(plans) != len(tt.nodes) {
				t.Errorf("%d plans", len(plans))
			}
		})
	}
}

// The recorded truth is the one that the lab judges by.
func TestARecordingSaysTheTruthAboutEveryContainer(t *testing.T) {
	p := Plans()[1]
	first, second := truths(p, FirstRound), truths(p, secondRound)
	for _, want := range []string{"- {pod: e2e-n2/steady, container: app}\n",
		"pod: e2e-n2/pauseless, container: app, cause: sandbox-died}\n", "from: lab\n"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first round lacks %q:\n%s", want, first)
		}
	}
	if !strings.Contains(second, "container: app, cause: hash-kubelet-upgrade") || strings.Contains(second, "segfaults") {
		t.Errorf("the second round:\n%s", second)
	}
}
