package prometheus

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/common/model"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file reads the series about nodes: pressure, starts of kubelets, boots.

// pressures are the node conditions under which a kubelet evicts, and the lacking resource in the kubelet's own terms.
var pressures = map[model.LabelValue]string{
	"MemoryPressure": "memory",
	"DiskPressure":   "ephemeral-storage",
	"PIDPressure":    "pids",
}

// pressure is the resource that a node lacked at a time, if only one; a condition lasts for minutes. If the node's
// conditions are known and none held, the node lacked nothing: a kubelet then evicts for a pod's own limits, which are
// all about ephemeral storage (kubelet eviction/eviction_manager.go localStorageEviction).
func (r *reading) pressure(node string, at time.Time) (resource string) {
	for _, x := range r.s.answer(nodeCondition) {
		if node == "" || safetext.Ident(string(x.Metric["node"])) != node {
			continue
		}
		if p, ok := holds(points(x), at.Add(2*nodeStep)); ok && (p.v == 1 || at.Sub(p.at) < 2*nodeStep) {
			if resource != "" {
				return ""
			}
			resource = pressures[x.Metric["condition"]]
		}
	}
	for _, x := range r.s.answer("conditions") {
		all := points(x)[0].v == float64(len(pressures))
		if resource == "" && node != "" && safetext.Ident(string(x.Metric["node"])) == node && all {
			return pressures["DiskPressure"]
		}
	}
	return resource
}

// jitter is the maximum difference between two samples of one start time: it is computed from the boot.
const jitter = 5 * time.Second

// kubelets reads the starts of kubelets, each with its version.
func (r *reading) kubelets() {
	type start struct {
		at      time.Time
		version string
	}
	starts := map[string][]start{}
	for _, x := range slices.Concat(r.s.answer("kubelets"), r.s.answer(kubeletNode)) {
		node := safetext.Ident(string(x.Metric["node"]))
		for _, p := range points(x) {
			if at, ok := moment(p.v); ok && node != "" && !at.After(r.s.Until) {
				starts[node] = append(starts[node], start{at, safetext.Ident(string(x.Metric["git_version"]))})
			}
		}
	}
	for _, node := range slices.Sorted(maps.Keys(starts)) {
		all := starts[node]
		slices.SortStableFunc(all, func(a, b start) int { return a.at.Compare(b.at) })
		last := start{}
		for _, s := range all {
			if s.version == last.version && s.at.Sub(last.at) < jitter {
				continue
			}
			last = s
			r.put(s.at, evidence.Subject{Node: node}, kubeletNode, evidence.KubeletStarted{Version: s.version},
				fmt.Sprintf("process_start_time_seconds of the kubelet of %s: %s; kubernetes_build_info: %s", node,
					clockTime(s.at), s.version))
		}
	}
}

// boots reads when hosts booted whose names are those of nodes.
func (r *reading) boots() {
	strangers := 0
	for _, x := range r.s.answer(bootTime) {
		node := safetext.Ident(string(x.Metric["nodename"]))
		if x.Metric["series"] == "kills" {
			r.kills(node, points(x))
			continue
		}
		if !r.nodes[node] {
			strangers++
			continue
		}
		last := time.Time{}
		for _, p := range points(x) {
			at, ok := moment(p.v)
			if !ok || at.Before(r.s.From) || at.After(r.s.Until) || at.Sub(last).Abs() < time.Minute {
				continue
			}
			last = at
			r.put(at, evidence.Subject{Node: node}, bootTime, evidence.KernelBooted{},
				fmt.Sprintf("node_boot_time_seconds of %s: %s", node, clockTime(at)))
		}
	}
	if strangers > 0 {
		r.b.Gap(
			evidence.Gap{
				Source: Kind,
				Why:    fmt.Sprintf("%d hosts of node-exporter are no nodes by their names: their boots are left out", strangers),
			},
		)
	}
}

// kills reads when the kernel of a node killed for memory, a cgroup's or its own.
func (r *reading) kills(node string, all []point) {
	for _, p := range all {
		if !r.nodes[node] || p.v < 1 || p.v > 1e6 || r.apart {
			continue
		}
		since := p.at.Add(-max(r.step, nodeStep))
		r.put(p.at, evidence.Subject{Node: node}, oomKills, evidence.HostOOMKills{By: int(p.v), Since: since},
			fmt.Sprintf("%s of %s: rose by %d between %s and %s", oomKills, node, int(p.v), clockTime(since), clockTime(p.at)))
	}
}
