package verdict

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// This file holds the sixth rule of *proven*: counts of a monitoring system prove nothing alone, nor does output that a
// tool of the node printed for people, nor the result of a log store query.

// countedRoot reports whether a link of the claim's chain rests on counts alone. The last links, the end itself and
// what followed, do not matter.
func countedRoot(f *finding.Findings, c *causes.Claim) bool {
	for i := range c.Chain {
		if f.OnlyCounted(c.Chain[i].Evidence) {
			return true
		}
	}
	return false
}

// onlyCounted returns the evidence that is missing in that case.
func onlyCounted(counted bool) []causes.Need {
	if !counted {
		return nil
	}
	return []causes.Need{{
		What: "the word of the API, of a log or of the runtime about this end",
		Consequence: "metrics are read every so often and name no process, and nothing confirms who wrote what a tool " +
			"printed, a log store gave back or a file holds that need not be a node's log: alone they prove nothing",
	}}
}
