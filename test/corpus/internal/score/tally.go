package score

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// Tally counts judged truths.
type Tally struct {
	byTier map[int]map[string]*Count
	wrong  int
}

// Count is how often a word of confidence was said, and how often rightly.
type Count struct{ Said, Right int }

// Add counts one.
func (t *Tally) Add(j Judged) {
	if t.byTier == nil {
		t.byTier = map[int]map[string]*Count{}
	}
	words := t.byTier[j.Tier]
	if words == nil {
		words = map[string]*Count{}
		t.byTier[j.Tier] = words
	}
	word := j.Confidence
	if word == "" {
		word = "silent"
	}
	c := words[word]
	if c == nil {
		c = &Count{}
		words[word] = c
	}
	c.Said++
	switch j.Outcome {
	case Right:
		c.Right++
	case WrongProven:
		t.wrong++
	}
}

// WrongProven is how many verdicts were wrongly proven.
func (t *Tally) WrongProven() int { return t.wrong }

// Accuracy is the share of right verdicts at a tier, and of how many.
func (t *Tally) Accuracy(tier int) (share float64, of int) {
	right := 0
	for _, c := range t.byTier[tier] {
		of, right = of+c.Said, right+c.Right
	}
	if of == 0 {
		return 0, 0
	}
	return float64(right) / float64(of), of
}

// Overall is the share of right verdicts over all tiers, and of how many.
func (t *Tally) Overall() (share float64, of int) {
	right := 0.0
	for tier := range t.byTier {
		s, n := t.Accuracy(tier)
		right, of = right+s*float64(n), of+n
	}
	if of == 0 {
		return 0, 0
	}
	return right / float64(of), of
}

// Print writes the calibration table: how often each word was said at each tier,
// and how often it was right.
func (t *Tally) Print(w io.Writer) {
	fmt.Fprintf(w, "| %-5s | %9s |", "tier", "top-1")
	columns := []string{"silent"}
	columns = append(columns, entry.Words...)
	slices.Reverse(columns)
	for _, c := range columns {
		fmt.Fprintf(w, " %17s |", c)
	}
	fmt.Fprintf(w, "\n|-------|-----------|%s\n", repeat("-------------------|", len(columns)))
	for _, tier := range slices.Sorted(maps.Keys(t.byTier)) {
		share, of := t.Accuracy(tier)
		fmt.Fprintf(w, "| %-5d | %8.1f%% |", tier, 100*share)
		for _, word := range columns {
			if c := t.byTier[tier][word]; c != nil {
				fmt.Fprintf(w, " %17s |", fmt.Sprintf("%d of %d right", c.Right, c.Said))
			} else {
				fmt.Fprintf(w, " %17s |", "")
			}
		}
		fmt.Fprintf(w, "   %d truths\n", of)
	}
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}
