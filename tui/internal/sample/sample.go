// Package sample holds the reports for the tests of the viewer. Nothing else may import it.
package sample

import (
	_ "embed"
	"encoding/json"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

//go:embed report.json
var recorded []byte

// Report is a report with something of everything.
func Report() *report.Report {
	r := &report.Report{}
	if err := json.Unmarshal(recorded, r); err != nil {
		panic(err)
	}
	return r
}

// Repeated is a report of a container that keeps failing, one that failed once, and
// an incident.
func Repeated() *report.Report {
	r := &report.Report{Incidents: []report.Incident{{ID: "small", Cause: "node-reboot", Items: []string{"a", "b"}},
		{ID: "big", Cause: "hash-kubelet-upgrade", Items: []string{"c", "d", "e"}}, {ID: "alone", Items: []string{"f"}}}}
	add := func(id, pod, cause, incident string, c report.Confidence) {
		r.Items = append(r.Items, report.Item{ID: id, Namespace: "shop", Pod: pod,
			Container: "app", Node: "n1", Incident: incident, Verdict: report.Verdict{Cause: cause, Confidence: c}})
	}
	add("x1", "crash", "app-exit-error", "", report.Proven)
	add("a", "web", "node-reboot", "small", report.Proven)
	add("x2", "crash", "app-exit-error", "", report.Likely)
	add("b", "db", "node-reboot", "small", report.Proven)
	add("c", "w1", "hash-kubelet-upgrade", "big", report.Proven)
	add("d", "w2", "hash-kubelet-upgrade", "big", report.Unknown)
	add("e", "w3", "hash-kubelet-upgrade", "big", report.Proven)
	add("x3", "crash", "oom-container-limit", "", report.Proven)
	add("f", "single", "app-exit-zero", "alone", report.Proven)
	r.Normalise()
	return r
}

// At parses a time of day on the tests' day.
func At(clock string) *time.Time {
	t, err := time.Parse(time.RFC3339, "2026-11-21T"+clock+"Z")
	if err != nil {
		panic(err)
	}
	return &t
}

// Restart is a verdict with every field set. Test cases change one of them.
func Restart() *report.Item {
	return &report.Item{
		Namespace: "shop", Pod: "web-0", Container: "app", ContainerKind: "app",
		Kind: report.Restart, Node: "n1", Time: At("08:00:00"),
		From: &report.Instance{
			ContainerID: "containerd://aa", Attempt: new(0), StartedAt: At("07:00:00"), FinishedAt: At("08:00:00"),
			ExitCode: new(int32(137)), Reason: "Error", Image: "web:7", Hash: "c87f",
		},
		To: &report.Instance{ContainerID: "containerd://bb", Attempt: new(1), StartedAt: At("08:00:02")},
		Verdict: report.Verdict{
			Cause: "oom-container-limit", Mechanism: "oom-container-limit", Confidence: report.Proven,
			Summary: "It needed more than its limit.",
			Chain: []report.Link{
				{Cause: "oom-container-limit", Text: "the limit was reached", At: At("07:59:59"), Evidence: []string{"e1"}},
				{Cause: "oom-container-limit", Text: "the kernel killed it", At: At("08:00:00"), Evidence: []string{"e1", "e2"}},
			},
			Eliminated: report.Eliminations{elim("app-signal", "the kernel's record names it", "e3")},
			Alternatives: []report.Alternative{{Cause: "oom-node", Confidence: report.Possible,
				Text: "the node was low too", Evidence: []string{"e2"}}},
			Missing: []report.Missing{{What: "the kernel's log", Consequence: "cannot be ruled out", Command: "dmesg"}},
			Actions: []string{"raise the limit"},
		},
	}
}

func elim(cause, because string, evidence ...string) *report.Eliminated {
	return &report.Eliminated{Causes: []string{cause}, Because: because, Evidence: evidence}
}
