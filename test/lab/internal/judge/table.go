package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// Table formats results as Markdown: one line per container and node, one column per tier. Lines are ordered by
// scenario, so that the kubelet versions are listed together.
func Table(results []Result) string {
	type key struct{ scenario, container, node, kubelet, truth string }
	cells := map[key]map[int]Result{}
	for _, r := range results {
		k := key{r.Scenario, r.Container, r.Node, r.Kubelet, r.Cause}
		if k.truth == "" {
			k.truth = "(no restart)"
		}
		if cells[k] == nil {
			cells[k] = map[int]Result{}
		}
		cells[k][r.Tier] = r
	}
	keys := slices.SortedFunc(maps.Keys(cells), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.truth, b.truth), cmp.Compare(a.scenario, b.scenario),
			cmp.Compare(a.container, b.container), cmp.Compare(a.node, b.node))
	})

	rows := [][]string{{"scenario", "kubelet", "truth", "tier 0: API", "tier 1: + kubelet log", "tier 2: + node"}}
	for _, k := range keys {
		row := []string{k.scenario + "/" + k.container, k.kubelet, k.truth}
		for tier := range 3 {
			row = append(row, cell(cells[k], tier))
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	score.Lay(&b, rows)
	return b.String()
}

func cell(byTier map[int]Result, tier int) string {
	r, ok := byTier[tier]
	if !ok {
		return "-"
	}
	outcome := r.Outcome.String()
	if r.Fails() {
		outcome += ", fails"
	}
	switch {
	case r.Verdict == nil:
		return "nothing: " + outcome
	case r.Verdict.Cause == r.Cause:
		return r.Verdict.Confidence + ": " + outcome
	}
	return fmt.Sprintf("%s, %s: %s", r.Verdict.Cause, r.Verdict.Confidence, outcome)
}
