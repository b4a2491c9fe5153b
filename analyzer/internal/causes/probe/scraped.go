package probe

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// usualThreshold is the failureThreshold that the API server sets where a spec has none.
const usualThreshold = 3

// scraped reports whether the kubelet's own counter of failed probes rose by at least the threshold right before the
// end, and the container ended like one that is stopped.
func (k *kind) scraped(f *finding.Findings) bool {
	threshold := usualThreshold
	if f.R.Spec != nil {
		p := k.spec(f.R.Spec)
		if p == nil {
			return false
		}
		threshold = int(max(1, p.FailureThreshold))
	}
	return k.mayHaveStopped(f) && k.count(f).Failed >= threshold
}

// scrapedSome reports whether there were fewer failures, and the spec, and with it the threshold, is gone.
func (k *kind) scrapedSome(f *finding.Findings) bool {
	return f.R.Spec == nil && k.count(f).Failed > 0 && k.mayHaveStopped(f)
}

func (k *kind) mayHaveStopped(f *finding.Findings) bool {
	return f.Kill.Answer != finding.Yes && f.Kill.Answer != finding.No && causes.StoppedLike(f)
}

// byScrapes returns the claim from those counts.
func (k *kind) byScrapes(f *finding.Findings, s causes.Strength) *causes.Claim {
	c := k.count(f)
	what := fmt.Sprintf("its %s probe failed %d times, by the kubelet's counter", k.name, c.Failed)
	return &causes.Claim{
		Strength: s, Needs: causes.NeedKubeletLog(f),
		Chain: []causes.Link{{Cause: k.id, Text: what, At: c.At, Evidence: c.Evidence}, causes.EndStep(f), causes.Then(f)},
		Summary: fmt.Sprintf("%s: %s right before it ended as one that the kubelet stops%s", causes.Who(f), what,
			schedule(f, k)),
	}
}
