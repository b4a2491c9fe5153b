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
	return []causes.Need{{Words: func(f *finding.Findings) causes.Need {
		return causes.Need{
			What:        "the pod's status from the API, or the original logs of its node",
			Consequence: "metrics, lines from a log store and printed output prove nothing alone",
			Command:     "kubectl restartwhy " + causes.InPod(f) + " --evidence logs",
		}
	}}}
}
