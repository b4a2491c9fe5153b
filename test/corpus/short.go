package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// short says how a right verdict falls short of what the entry requires at this tier, "" if it does not or is not
// right.
func short(t entry.Truth, tier, full int, j score.Judged) string {
	if j.Outcome != score.Right || j.Item == nil {
		return ""
	}
	v := &j.Item.Verdict
	if want := t.Confidence[strconv.Itoa(tier)]; slices.Index(entry.Words,
		want) > slices.Index(entry.Words, string(v.Confidence)) {
		return fmt.Sprintf("%s, want %s; missing: %v", v.Confidence, want, v.Missing)
	}
	if tier < full {
		return ""
	}
	if rest := unnamed(t.Chain, v.Chain); len(rest) > 0 {
		return "its chain does not name " + strings.Join(rest, ", then ")
	}
	for _, rival := range t.Rivals {
		if _, out := v.Eliminated.Of(rival); !out {
			return "its rival " + rival + " is not eliminated"
		}
	}
	return ""
}

// unnamed returns the causes of want, from the first one on that the chain does not name in order.
func unnamed(want []string, chain []report.Link) []string {
	for _, l := range chain {
		if len(want) > 0 && l.Cause == want[0] {
			want = want[1:]
		}
	}
	return want
}
