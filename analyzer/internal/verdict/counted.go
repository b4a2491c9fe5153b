package verdict

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// This file holds the sixth rule of *proven*: what a monitoring system counted does not prove anything alone,
// nor does what a tool of the node printed for people, nor what a log store gave back.

// countedRoot tells a claim of which a link that something led to rests on nothing but what was counted. The last
// links are the end itself and what came then.
func countedRoot(f *finding.Findings, c *causes.Claim) bool {
	for i := range c.Chain {
		if f.OnlyCounted(c.Chain[i].Evidence) {
			return true
		}
	}
	return false
}

// onlyCounted is what is missing then.
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
