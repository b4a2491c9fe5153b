// Package reporttest has sample reports for tests of their presentation. It may import analyzer/report only.
package reporttest

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// T0 is when the kubelet of the report was changed.
var T0 = time.Date(2026, 11, 21, 7, 11, 58, 0, time.UTC)

// At returns the time that many seconds after T0.
func At(seconds int) *time.Time { return new(T0.Add(time.Duration(seconds) * time.Second)) }

// Restart returns a proven restart by the kubelet upgrade.
func Restart(id, pod string, seconds int) report.Item {
	return report.Item{
		ID: id, Node: "n1", Namespace: "shop", Pod: pod, PodUID: "u-" + pod,
		Container: "a", ContainerKind: "app", Workload: "statefulset/" + strings.TrimRight(pod, "-0123456789"),
		WorkloadFrom: report.FromOwners, Kind: report.Restart, Time: At(seconds),
		From: &report.Instance{ContainerID: "c5d81de25b9cb1a7f0", Attempt: new(0),
			StartedAt: At(-3600), FinishedAt: At(seconds), ExitCode: new(int32(137)),
			Reason: "Error", Image: "busybox:1.36", Hash: "c87f01d2"},
		To: &report.Instance{ContainerID: "0d41e2b6a6f3b1a7f0", Attempt: new(1),
			StartedAt: At(seconds + 3), Image: "busybox:1.36", Hash: "5d6b12"},
		Verdict: report.Verdict{
			Cause: "hash-kubelet-upgrade", Mechanism: "hash-kubelet-upgrade", Confidence: report.Proven,
			Summary: "the kubelet was upgraded from v1.30.14 to v1.31.0 and hashes containers differently",
			Chain: []report.Link{
				{Role: report.RoleRoot, Cause: "hash-kubelet-upgrade", Text: "kubelet upgraded in place v1.30.14 → v1.31.0",
					At: At(-1), Evidence: []string{"e1"}},
				{Role: report.RoleMechanism, Cause: "hash-kubelet-upgrade",
					Text:     "kubelet v1.30 hashes this spec as c87f01d2, the stored hash; v1.31 hashes it as 5d6b12",
					Evidence: []string{"e2", "e3"}},
				{Role: report.RoleDecision, Cause: "hash-kubelet-upgrade",
					Text:     "the kubelet saw container a as changed and killed it to recreate it (computePodActions)",
					Evidence: []string{"e2"}},
				{Role: report.RoleEffect, Cause: "hash-kubelet-upgrade", Text: "SIGTERM, grace over, SIGKILL: exit 137",
					At: At(seconds), Evidence: []string{"e4", "e1", "e2", "e3"}},
			},
			Eliminated: report.Eliminations{
				{Because: "the stored hash was computed from this image", Evidence: []string{"e2"},
					Causes: []string{"spec-image-changed"}},
				{Because: "no kernel record of this cgroup", Causes: []string{"oom-container-limit"}},
			},
			Actions: []string{"drain nodes before changing the kubelet's minor version"},
		},
		Incident: "i1",
	}
}

// Report returns three restarts of one incident, and an unexplained one.
func Report() *report.Report {
	unknown := Restart("r9", "cart-0", -300)
	unknown.Kind, unknown.To, unknown.Incident, unknown.Namespace = report.Death, nil, "", "shop"
	unknown.Workload, unknown.WorkloadFrom = "cart", report.FromName
	unknown.Verdict = report.Verdict{
		Cause: "unknown", Mechanism: "unknown", Confidence: report.Unknown,
		Summary: "exit 137 without a known sender of the signal",
		Chain:   []report.Link{{Role: report.RoleEffect, Cause: "unknown", Text: "exit 137"}},
		Alternatives: []report.Alternative{{Cause: "killed-externally", Confidence: report.Possible,
			Text: "nothing in the API contradicts it", Evidence: []string{"e4"}}},
		Decide: []report.Decide{{Cause: []string{"killed-externally"}, What: "the runtime's log: a request to stop it"}},
		Missing: []report.Missing{{What: "kubelet log of n1", Consequence: "a kill by the kubelet cannot be excluded",
			Command: "kubectl restartwhy shop/cart-0 --evidence logs"}},
	}
	r := &report.Report{
		GeneratedAt: T0.Add(10 * time.Minute), Tool: report.Tool{Version: "v0.1.0"},
		Scope: report.Scope{Namespace: "shop"},
		Items: []report.Item{Restart("r1", "web-0", 2), Restart("r2", "web-1", 1), Restart("r3", "db-0", 0), unknown},
		Incidents: []report.Incident{
			{ID: "i1", Cause: "hash-kubelet-upgrade", Node: "n1", Start: At(0),
				End: At(2), Items: []string{"r1", "r2", "r3"}, Summary: "kubelet upgraded v1.30.14 → v1.31.0 on n1: 3 containers"},
			{ID: "i2", Cause: "unknown", Items: []string{"r9"}, Summary: "too small for a line"},
		},
		Evidence: []report.Evidence{
			{ID: "e1", Source: report.Source{Kind: "kubelet-log", Node: "n1", Where: "nodes/n1/journal/kubelet.export"},
				Time: At(-1), Text: `"Kubelet version" kubeletVersion="v1.31.0"`},
			{ID: "e2", Source: report.Source{Kind: "cri", Node: "n1"},
				Text: "container a attempt 0 exited 137 Error, hash c87f01d2"},
			{ID: "e3", Source: report.Source{Kind: "spec-hash"}, Text: "fnv32a-json c87f01d2 for 1.16–1.30"},
			{ID: "e4", Source: report.Source{Kind: "api", Where: "pod/web-0"}, Time: At(2), Text: "exited 137 Error"},
		},
		Gaps: []report.Gap{
			{Source: "kernel-log", Node: "n1", Why: "permission denied", Hint: "run as root"},
			{Source: "api", Why: "events: forbidden", Hint: "needs list events"},
		},
	}
	r.Normalise()
	return r
}

// Preflight returns one with every prediction and every level.
func Preflight() *report.Preflight {
	const because = "kubelet v1.31 hashes name and image only, v1.30 the container as JSON: no stored hash matches"
	r := &report.Preflight{
		GeneratedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Tool: report.Tool{Version: "v1.2.3"},
		Scope: report.Scope{AllNamespaces: true},
		To:    "v1.31.4", ModelledAs: "v1.31", Assumed: []string{"a probe that passes now passes again"},
		Summary: report.PreflightCount{Restarts: 1, May: 1, Unknown: 1, Stays: 1, BlockedNodes: 1},
		Nodes: []report.PreflightNode{
			{Node: "n2", From: "v1.30.1", To: "v1.31.4", Blocked: true, Count: report.PreflightCount{Restarts: 1, Stays: 1},
				Findings: []report.Finding{
					{Level: report.FindingBlocker, Rule: "feature-gate-removed", Text: "feature gate A is set", Do: "remove it"},
					{Level: report.FindingCheck, Rule: "flags-removed", Text: "check the flags"},
				}},
			{Node: "n1", To: "v1.31.4", Count: report.PreflightCount{May: 1, Unknown: 1}, Findings: []report.Finding{
				{Level: report.FindingRisk, Rule: "minor-in-place", Text: "not supported", Do: "drain the node first"},
				{Level: report.FindingCheck, Rule: "flags-removed", Text: "check the flags"},
			}},
		},
		Groups: []report.PreflightGroup{
			{Prediction: report.Restarts, Rule: "hash-kubelet-upgrade", Because: because,
				Containers: 1, Pods: 1, Nodes: 1, Do: "drain each node"},
			{Prediction: report.Stays, Rule: "unchanged", Because: "the new kubelet finds nothing to change",
				Containers: 1, Pods: 1, Nodes: 1},
		},
		Gaps: []report.Gap{{Source: "cri", Node: "n1", Why: "not read"}},
	}
	for _, row := range [][5]string{
		{"n1", "web-1", "app", "may", "startup-probe-rerun"}, {"n1", "web-1", "proxy", "unknown", "no-status"},
		{"n2", "web-0", "app", "restarts", "hash-kubelet-upgrade"}, {"n2", "web-0", "log", "stays", "unchanged"},
	} {
		r.Items = append(r.Items, report.PreflightItem{
			Node: row[0], Namespace: "shop", Pod: row[1], Container: row[2], Kind: "app",
			Prediction: report.Prediction(row[3]), Rule: row[4],
			Because: because, Proof: "stored hash aa, v1.31 computes bb", Assumed: []string{"one ready sandbox"},
		})
	}
	return r
}
