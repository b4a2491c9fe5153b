package likelihood

import (
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
)

// What `explain` says about an exit code and a verdict without further evidence must agree: causes that need something
// rare come last.
func TestSharesKnowWhatFewContainersHave(t *testing.T) {
	place := func(look Look, id causes.ID) int {
		return slices.IndexFunc(Shares(look), func(s Share) bool { return s.ID == id })
	}
	for _, look := range []Look{Killed, Label} {
		first := Shares(look)[0].ID
		if first != causes.OOMContainerLimit {
			t.Errorf("%s: %s stands first", look, first)
		}
	}
	if at := place(Killed, causes.PostStartHookFailed); at >= 0 && at < place(Killed, causes.LivenessProbeFailed) {
		t.Errorf("a postStart hook stands before a liveness probe")
	}
	total := 0
	for _, s := range Shares(Killed) {
		total += s.Percent
	}
	if total < 95 || total > 105 {
		t.Errorf("%d percent in all", total)
	}
}
