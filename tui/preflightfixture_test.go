package tui

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

const (
	becauseHash   = "kubelet v1.31 hashes name and image only, v1.30 the container as JSON: no stored hash matches"
	becauseProbe  = "a startup probe runs again after a start of the kubelet, and may fail under load"
	becauseStatus = "the status of the container is missing"
	becauseSame   = "the new kubelet finds nothing to change"
)

// foretold is a preflight with every prediction and every level of finding, nodes
// the most affected first.
func foretold() *report.Preflight {
	r := &report.Preflight{
		GeneratedAt: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Tool: report.Tool{Version: "v1.2.3"},
		Scope: report.Scope{AllNamespaces: true},
		To:    "v1.31.4", ModelledAs: "v1.31", Assumed: []string{"a probe that passes now passes again"},
		Nodes: []report.PreflightNode{
			{Node: "worker-2", From: "v1.30.14", To: "v1.31.4", Runtime: "containerd 1.7.13",
				OS: "linux", Blocked: true, Findings: []report.Finding{
					{Level: report.FindingNote, Rule: "probes-run-again", Text: "startup probes run again"},
					{Level: report.FindingCheck, Rule: "flags-removed",
						Text: "--keep-terminated-pod-volumes is gone: no source tells which flags the node was given",
						Do:   "look into the unit of the kubelet"},
					{Level: report.FindingBlocker, Rule: "feature-gate-removed",
						Text: "the feature gate CSIMigrationvSphere is set and v1.31 does not know it: the kubelet exits at once",
						Do:   "take it out of the kubelet's configuration"},
				}},
			{Node: "worker-3", From: "v1.30.14", To: "v1.31.4", Runtime: "containerd 1.7.13",
				OS: "linux", Findings: []report.Finding{
					{Level: report.FindingRisk, Rule: "minor-in-place", Text: "a change of the minor in place is not supported",
						Do: "drain the node first"},
				}},
			{Node: "worker-1", To: "v1.31.4", Findings: []report.Finding{}},
			{Node: "spare-0", From: "v1.31.0", To: "v1.31.4"},
		},
		Groups: []report.PreflightGroup{
			{Prediction: report.Restarts, Rule: "hash-kubelet-upgrade", Because: becauseHash,
				Containers: 5, Pods: 4, Nodes: 2, Do: "drain each node before its kubelet is changed"},
			{Prediction: report.MayRestart, Rule: "startup-probe-rerun", Because: becauseProbe,
				Containers: 1, Pods: 1, Nodes: 1, Do: "raise failureThreshold of the startup probe"},
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
		{"worker-3", "infra", "collector-with-a-long-name-7d9f5b6c4-x2x4z", "collector",
			"app", "restarts", "hash-kubelet-upgrade"},
		{"worker-3", "shop", "cart-0", "app", "app", "restarts", "hash-kubelet-upgrade"},
		{"worker-3", "shop", "cart-0", "setup", "init", "stays", "unchanged"},
		{"worker-3", "shop", "cart-1", "app", "app", "restarts", "hash-kubelet-upgrade"},
		{"worker-3", "shop", "cart-1", "log", "sidecar", "restarts", "hash-kubelet-upgrade"},
	} {
		it := report.PreflightItem{
			Node: row[0], Namespace: row[1], Pod: row[2], PodUID: "uid-" + row[2],
			Container: row[3], Kind: row[4], Prediction: report.Prediction(row[5]), Rule: row[6],
			Because: map[string]string{"hash-kubelet-upgrade": becauseHash, "startup-probe-rerun": becauseProbe,
				"no-status": becauseStatus, "unchanged": becauseSame}[row[6]],
			Function: "kuberuntime_manager.go computePodActions",
		}
		if it.Prediction == report.Restarts {
			it.Proof, it.Assumed = "stored hash c87f01d2, v1.31 computes 5d6b02aa",
				[]string{"the stored hash is the one that v1.30 computes"}
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
