package e2e

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

func TestWhatPrometheusRemembersIsJudged(t *testing.T) {
	replaced := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	plans := []Plan{{Node: "n1", Version: "v1.30.14", Upgrade: "v1.31.0"}, {Node: "n2", Version: "v1.37.1"}}
	scenarios := []scenario.Scenario{
		{Name: "loops", Truths: []scenario.Truth{{Container: "app", Cause: "app-exit-error"}}},
		{Name: "steady", Upgrade: []scenario.Truth{{Container: "app", Cause: kubeletUpgrade}}},
	}
	item := func(node, pod, cause, confidence string, after time.Duration) judge.Item {
		return judge.Item{Namespace: scenario.Namespace(node), Pod: pod, Container: "app", Kind: "Restart",
			Time: replaced.Add(after), Verdict: judge.Verdict{Cause: cause, Confidence: confidence}}
	}
	good := []judge.Item{
		item("n1", "loops", kubeletUpgrade, "likely", 9*time.Second),
		item("n1", "loops", "app-exit-error", "likely", -time.Minute),
		item("n2", "loops", "app-exit-error", "possible", -time.Minute),
		item("n1", "steady", kubeletUpgrade, "likely", 9*time.Second),
	}
	for name, c := range map[string]struct {
		mutate func([]judge.Item) []judge.Item
		says   string
	}{
		"as it should be": {func(i []judge.Item) []judge.Item { return i },
			"3 ends whose events, pods and containers are gone, 3 of a kind that series tell: 3 of these right with " +
				"Prometheus alone (100 %); of the others 0 wrong; 0 wrong proven, 0 false alarms; 3 lost without"},
		"one is not remembered": {func(i []judge.Item) []judge.Item { return append(i[:2:2], i[3:]...) }, "2 of these right"},
		"a wrong word": {func(i []judge.Item) []judge.Item {
			return append(i, item("n2", "loops", "sandbox-died", "proven", 0))
		}, "1 wrong proven"},
		"a container that was never restarted": {func(i []judge.Item) []judge.Item {
			return append(i, item("n2", "steady", kubeletUpgrade, "likely", 0))
		}, "1 false alarms"},
		"another minute": {func(i []judge.Item) []judge.Item {
			i[3].Time = replaced.Add(-time.Minute)
			return i
		}, "1 misjudged"},
	} {
		t.Run(name, func(t *testing.T) {
			report := judge.Report{Items: c.mutate(append([]judge.Item{}, good...))}
			r := rememberings(plans, scenarios, judge.Report{}, report, replaced)
			r.upgrade(plans[0], scenarios, report, replaced, replaced.Add(20*time.Second))
			var out bytes.Buffer
			if err := r.conclude(&out, time.Minute); err == nil { // so few ends are too few
				t.Error("no error")
			}
			if !strings.Contains(out.String(), c.says) {
				t.Errorf("%s\nlacks %q", out.String(), c.says)
			}
		})
	}
}
