package incident

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// pattern describes a set of restarts that no evidence links, but that a person would consider one event.
type pattern struct {
	causes []string
	// least is the least confidence of each verdict.
	least report.Confidence
	// within is the most time between the first and the last.
	within time.Duration
	// pods and workloads are how many different ones there must be: fewer happen by chance.
	pods, workloads int
	// what describes the event from the number of pods and nodes and its duration.
	what func(pods, nodes int, d time.Duration) string
}

var patterns = []pattern{
	{
		// kubeadm and other installers write the manifests of a control plane one by one, each after the last one is healthy.
		causes: []string{string(causes.StaticPodChanged)}, least: report.Likely, within: tolerance.ManifestsApart, pods: 2,
		what: func(pods, nodes int, d time.Duration) string {
			return fmt.Sprintf("the manifests of %d static pods were changed%s %s", pods, on(nodes), lasted(d))
		},
	},
	{
		// What depends on one thing, such as the API server, ends with it: operators that lose their lease exit with 0 or 1.
		causes: []string{string(causes.AppExitError), string(causes.AppExitZero), string(causes.AppSignal)},
		least:  report.Likely, within: tolerance.OperatorsApart, pods: 3, workloads: 2,
		what: func(pods, nodes int, d time.Duration) string {
			return fmt.Sprintf("%d pods%s ended by themselves %s: they may depend on the same thing",
				pods, on(nodes), lasted(d))
		},
	},
	{
		// A power failure, or a failure of hosts of virtual machines, takes down everything. For each end the API only
		// shows that others ended with it, which makes each cause possible, and all of them together one event.
		causes: []string{string(causes.NodeReboot), string(causes.RuntimeRestarted), string(causes.SandboxDied),
			string(causes.NodeShutdown)},
		least: report.Possible, within: tolerance.OutageApart, pods: 3, workloads: 2,
		what: func(pods, nodes int, d time.Duration) string {
			down := "their machine or its runtime"
			if nodes > 1 {
				down = "their machines or runtimes"
			}
			return fmt.Sprintf("%d pods%s ended %s: %s may have gone down", pods, on(nodes), lasted(d), down)
		},
	},
}

// looping is how often a container may have ended for a cause before its ends count as a loop: ends of two loops
// coincide by chance.
const looping = 3

func (p *pattern) matches(items []report.Item) [][]int {
	type container struct{ uid, name string }
	ends := map[container]int{}
	var row []int
	for i := range items {
		it := &items[i]
		if it.Incident != "" || it.Time == nil || it.Kind == report.None ||
			it.Verdict.Confidence.Rank() < p.least.Rank() || !slices.Contains(p.causes, it.Verdict.Cause) {
			continue
		}
		ends[container{it.PodUID, it.Container}]++
		row = append(row, i)
	}
	row = slices.DeleteFunc(row, func(i int) bool {
		return ends[container{items[i].PodUID, items[i].Container}] >= looping
	})
	slices.SortStableFunc(row, func(a, b int) int { return items[a].Time.Compare(*items[b].Time) })
	var out [][]int
	for begin, i := 0, 0; i < len(row); i++ {
		if next := i + 1; next == len(row) || items[row[next]].Time.Sub(*items[row[begin]].Time) > p.within {
			if set := row[begin:next]; p.enough(items, set) {
				out = append(out, set)
			}
			begin = next
		}
	}
	return out
}

func (p *pattern) enough(items []report.Item, set []int) bool {
	pods, workloads := map[string]bool{}, map[string]bool{}
	for _, i := range set {
		it := &items[i]
		pods[it.Namespace+"/"+it.Pod] = true
		workloads[it.Namespace+"/"+cmp.Or(it.Workload, it.Pod)] = true
	}
	return len(pods) >= p.pods && len(workloads) >= p.workloads
}

// seen finds the patterns among the items without a shared root, and sets the id of their incident.
func seen(items []report.Item) (out []report.Incident) {
	for n := range patterns {
		p := &patterns[n]
		for _, set := range p.matches(items) {
			first, last := &items[set[0]], &items[set[len(set)-1]]
			in := report.Incident{ID: id("pattern", first.ID, p.causes[0]), Cause: common(items, set),
				Start: first.Time, End: last.Time, Items: names(items, set), Parts: []report.IncidentPart{}}
			in.Containers, in.Pods = count(items, set)
			for _, i := range set {
				items[i].Incident = in.ID
				if items[i].Node != "" {
					in.Nodes = append(in.Nodes, items[i].Node)
				}
			}
			slices.Sort(in.Nodes)
			if in.Nodes = slices.Compact(in.Nodes); len(in.Nodes) == 1 {
				in.Node = in.Nodes[0]
			}
			in.Summary = p.what(in.Pods, len(in.Nodes), last.Time.Sub(*first.Time))
			out = append(out, in)
		}
	}
	return out
}

// common returns the cause of most items, the first by name among equals.
func common(items []report.Item, set []int) string {
	times := map[string]int{}
	best := ""
	for _, i := range set {
		c := items[i].Verdict.Cause
		if times[c]++; best == "" || times[c] > times[best] || times[c] == times[best] && c < best {
			best = c
		}
	}
	return best
}

func on(nodes int) string {
	if nodes < 2 {
		return ""
	}
	return fmt.Sprintf(" on %d nodes", nodes)
}

// lasted says how long an event took.
func lasted(d time.Duration) string {
	switch {
	case d < time.Second:
		return "in the same second"
	case d < time.Minute:
		return fmt.Sprintf("within %d s", int(d.Round(time.Second).Seconds()))
	}
	return "within " + within(d)
}
