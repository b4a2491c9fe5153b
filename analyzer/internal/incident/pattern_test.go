package incident_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/incident"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// operators are three operators on three nodes that ended within seconds.
func operators() []report.Item {
	var items []report.Item
	for n := range 3 {
		it := item(fmt.Sprintf("r%d", n), fmt.Sprintf("n%d", n), "app-exit-error",
			report.Likely, time.Duration(n)*2*time.Second)
		it.Workload = fmt.Sprintf("deployment/operator-%d", n)
		items = append(items, it)
	}
	return items
}

func TestWhatAPersonWouldTakeForOneEvent(t *testing.T) {
	for name, c := range map[string]struct {
		mutate func(items []report.Item) []report.Item
		want   string
	}{
		"operators that ended within seconds": {func(i []report.Item) []report.Item { return i },
			"3 pods on 3 nodes ended by themselves within 4 s: they may depend on the same thing"},
		"one of them with code 0": {func(i []report.Item) []report.Item {
			i[2].Verdict.Cause = "app-exit-zero"
			return i
		}, "3 pods on 3 nodes ended by themselves within 4 s: they may depend on the same thing"},
		"two are chance": {func(i []report.Item) []report.Item { return i[:2] }, ""},
		"a minute apart are chance": {func(i []report.Item) []report.Item {
			i[2].Time = report.Time(t0.Add(time.Minute))
			return i
		}, ""},
		"replicas of one workload": {func(i []report.Item) []report.Item {
			i[0].Workload, i[1].Workload = i[2].Workload, i[2].Workload
			return i
		}, ""},
		"a guess does not belong": {func(i []report.Item) []report.Item {
			i[1].Verdict.Confidence = report.Possible
			return i
		}, ""},
		"a loop does not belong": {func(i []report.Item) []report.Item {
			for n := range 2 {
				again := i[0]
				again.ID, again.Time = fmt.Sprint("again", n), report.Time(t0.Add(time.Duration(n+1)*time.Hour))
				i = append(i, again)
			}
			return i
		}, ""},
		"what has a root belongs to that": {func(i []report.Item) []report.Item {
			i[1].Verdict.Cause = "node-reboot"
			return i
		}, ""},
		"machines that went down together, each perhaps": {func(i []report.Item) []report.Item {
			for n := range i {
				i[n].Verdict.Cause, i[n].Verdict.Confidence = "node-reboot", report.Possible
			}
			i[0].Verdict.Cause = "runtime-restarted"
			return i
		}, "3 pods on 3 nodes ended within 4 s: their machines or runtimes may have gone down"},
		"one machine that went down": {func(i []report.Item) []report.Item {
			for n := range i {
				i[n].Verdict.Cause, i[n].Verdict.Confidence = "node-reboot", report.Possible
				i[n].Node, i[n].Time = "n1", report.Time(t0)
			}
			return i
		}, "3 pods ended in the same second: their machine or its runtime may have gone down"},
		"machines that went down a minute apart": {func(i []report.Item) []report.Item {
			for n := range i {
				i[n].Verdict.Cause, i[n].Verdict.Confidence = "node-reboot", report.Possible
				i[n].Time = report.Time(t0.Add(time.Duration(n) * time.Minute))
			}
			return i
		}, ""},
		"static pods one after the other": {func(i []report.Item) []report.Item {
			for n := range i {
				i[n].Verdict.Cause, i[n].Node, i[n].Time = "static-pod-changed", "n1",
					report.Time(t0.Add(time.Duration(n)*4*time.Minute))
			}
			return i
		}, "the manifests of 3 static pods were changed within 8 min"},
	} {
		t.Run(name, func(t *testing.T) {
			items := c.mutate(operators())
			got := incident.Group(items, make([]*causes.Root, len(items)))
			summary := ""
			if len(got) > 0 {
				summary = got[0].Summary
			}
			if len(got) > 1 || summary != c.want {
				t.Fatalf("%d incidents, %q, want %q", len(got), summary, c.want)
			}
			for _, it := range items {
				if in := len(got) > 0 && it.Incident == got[0].ID; in != (c.want != "") {
					t.Errorf("%s is in the incident: %v", it.ID, in)
				}
			}
			if len(got) > 0 && (got[0].Pods != 3 || got[0].Containers != 3 || got[0].Start == nil || len(got[0].Items) != 3) {
				t.Errorf("%+v", got[0])
			}
		})
	}
}
