package judge

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// wrongAllowed is the share of "likely" verdicts that may be wrong. In the recordings of the first round it was 3 of
// 60: with the API alone a process that exits properly when a stranger stops it looks like one that was finished. Now
// it is none. It may only be lowered.
const wrongAllowed = 0.03

// Tally counts outcomes.
type Tally struct {
	Truths int
	// Failing is how many results make the run fail.
	Failing int
	// Ended is for how many truths of tier 2 something ended, so that a cause can be proven.
	Ended  int
	byTier score.Tally
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
		if r.Fails() {
			t.Failing++
		}
		if r.Tier == 2 && r.Cause != "" {
			t.Ended++
		}
		j := score.Judged{Outcome: r.Outcome}
		if r.Verdict != nil {
			j.Confidence = r.Verdict.Confidence
		}
		t.byTier.Add(strconv.Itoa(r.Tier), j)
	}
	return t
}

// Counts returns the outcomes over all tiers.
func (t *Tally) Counts() score.Counts { return t.byTier.Sum() }

// Failed reports whether anything was wrong that is not allowed.
func (t *Tally) Failed() bool {
	c := t.Counts()
	return t.Failing > 0 || c.WrongShare() > wrongAllowed || c.Judged == 0
}

// Why returns in one line what failed.
func (t *Tally) Why() string {
	c := t.Counts()
	return fmt.Sprintf("%d fail, %d of them wrong proven; of what is called likely %.1f %% is wrong, want at most %.1f %%",
		t.Failing, c.Outcomes[score.WrongProven], 100*c.WrongShare(), 100*wrongAllowed)
}

// Outcomes returns the table of outcomes, tier by tier.
func (t *Tally) Outcomes() string {
	var b strings.Builder
	t.byTier.Outcomes(&b, "tier")
	return b.String()
}

// Summary returns the one line with the figures.
func (t *Tally) Summary(took time.Duration) string {
	c, whole := t.Counts(), t.byTier.Row("2")
	return fmt.Sprintf(
		"e2e: %d truths × 3 tiers: %d judged, %d right, %d honest, %d wrong, %d wrong proven, %d vague, %d silent, %d failing; tier 2: %d of %d right, %d of %d ends proven (%s)",
		t.Truths, c.Judged, c.Outcomes[score.Right], c.Outcomes[score.Honest],
		c.Outcomes[score.Wrong], c.Outcomes[score.WrongProven],
		c.Outcomes[score.Vague], c.Outcomes[score.Silent], t.Failing,
		whole.Outcomes[score.Right], whole.Judged, whole.Words[proven].Right, t.Ended, took.Round(time.Second))
}
