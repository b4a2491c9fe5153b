package preflight

import (
	"cmp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func group(items []report.PreflightItem) []report.PreflightGroup {
	type key struct {
		prediction    report.Prediction
		rule, because string
	}
	type members struct {
		containers int
		nodes      map[string]bool
		pods       int
		lastPod    string
	}
	all := map[key]*members{}
	var order []key
	for i := range items {
		it := &items[i]
		k := key{it.Prediction, it.Rule, it.Because}
		m := all[k]
		if m == nil {
			m = &members{nodes: map[string]bool{}}
			all[k] = m
			order = append(order, k)
		}
		m.containers++
		m.nodes[it.Node] = true
		// Items of one pod are consecutive.
		if id := it.Namespace + "/" + it.Pod + "/" + it.PodUID; id != m.lastPod {
			m.pods, m.lastPod = m.pods+1, id
		}
	}
	worst := report.Predictions()
	slices.SortStableFunc(order, func(a, b key) int {
		return cmp.Or(cmp.Compare(slices.Index(worst, a.prediction), slices.Index(worst, b.prediction)),
			cmp.Compare(all[b].containers, all[a].containers), cmp.Compare(a.rule, b.rule), cmp.Compare(a.because, b.because))
	})
	var out []report.PreflightGroup
	for _, k := range order {
		m := all[k]
		g := report.PreflightGroup{Prediction: k.prediction, Rule: k.rule, Because: k.because,
			Containers: m.containers, Pods: m.pods, Nodes: len(m.nodes)}
		if k.prediction != report.Stays {
			g.Do = advice[k.rule]
		}
		out = append(out, g)
	}
	return out
}
