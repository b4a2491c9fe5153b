package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Table lays results out as Markdown: one line per container and node, one
// column per tier. Lines are ordered by scenario, so that the kubelet versions
// stand below each other.
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
	keys := make([]key, 0, len(cells))
	for k := range cells {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int {
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
	return layOut(rows)
}

func cell(byTier map[int]Result, tier int) string {
	r, ok := byTier[tier]
	switch {
	case !ok:
		return "-"
	case r.Verdict == nil:
		return "nothing: " + string(r.Outcome)
	case r.Verdict.Cause == r.Cause:
		return r.Verdict.Confidence + ": " + string(r.Outcome)
	}
	return fmt.Sprintf("%s, %s: %s", r.Verdict.Cause, r.Verdict.Confidence, r.Outcome)
}

// layOut aligns columns, so that the table reads as text too.
func layOut(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], len(c))
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, c := range row {
			fmt.Fprintf(&b, "| %-*s ", widths[i], c)
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, w := range widths {
				b.WriteString("|" + strings.Repeat("-", w+2))
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}

// Tally counts outcomes.
type Tally struct {
	Truths, Judged                     int
	Right, Honest, Wrong, WrongProven  int
	ProvenAtTier2, RightAtTier2, Tier2 int
}

// Count tallies results.
func Count(results []Result) Tally {
	var t Tally
	seen := map[string]bool{}
	for _, r := range results {
		if k := r.Scenario + "/" + r.Container + "/" + r.Node + "/" + r.Cause; !seen[k] {
			seen[k] = true
			t.Truths++
		}
		t.Judged++
		switch r.Outcome {
		case Right:
			t.Right++
		case Honest:
			t.Honest++
		case Wrong:
			t.Wrong++
		case WrongProven:
			t.WrongProven++
		}
		if r.Tier == 2 {
			t.Tier2++
			if r.Outcome == Right {
				t.RightAtTier2++
				if r.Verdict != nil && r.Verdict.Confidence == proven {
					t.ProvenAtTier2++
				}
			}
		}
	}
	return t
}

// Failed tells whether anything was wrong.
func (t Tally) Failed() bool { return t.Wrong > 0 || t.WrongProven > 0 || t.Judged == 0 }

// Summary is the one line with the figures.
func (t Tally) Summary(took time.Duration) string {
	return fmt.Sprintf("e2e: %d truths × 3 tiers: %d judged, %d right, %d honest, %d wrong, %d wrong proven; tier 2: %d of %d right, %d proven (%s)",
		t.Truths, t.Judged, t.Right, t.Honest, t.Wrong, t.WrongProven, t.RightAtTier2, t.Tier2, t.ProvenAtTier2, took.Round(time.Second))
}
