package verdict

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestPossibleCausesAreNotSaidAsFacts(t *testing.T) {
	oom, ok := likelihood.In(causes.OOMContainerLimit)
	if !ok {
		t.Fatal("no words for the container's limit")
	}
	rival := []report.Alternative{{Cause: "without-words"}, {Cause: string(causes.OOMContainerLimit)}}
	for name, tt := range map[string]struct {
		claim  causes.Claim
		others []report.Alternative
		want   string
	}{
		"a rival that has words": {causes.Claim{Summary: "it ended"}, rival, "it ended; or " + oom.May},
		"no rival with words": {causes.Claim{Summary: "it ended"}, rival[:1],
			"it ended; that is not certain"},
		"the claim says so": {causes.Claim{Summary: "it may have ended", Hedged: true}, rival, "it may have ended"},
		// A pod's name, or a quoted message in a summary, is no hedge.
		"the word in a name": {causes.Claim{Summary: "container may: it ended"}, rival,
			"container may: it ended; or " + oom.May},
	} {
		if got := perhaps(&tt.claim, tt.others); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
