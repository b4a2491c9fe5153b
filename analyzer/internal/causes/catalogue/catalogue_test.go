package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/sandbox"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/state"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestEveryCauseIsThereOnceWithItsPage(t *testing.T) {
	seen := map[causes.ID]bool{}
	for _, r := range catalogue.All() {
		if seen[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		seen[r.ID] = true
		if page, _ := r.Page(); r.Title == "" || !strings.HasPrefix(page, "# "+string(r.ID)) {
			t.Errorf("%s: title %q, page begins %.40q", r.ID, r.Title, page)
		}
	}
	if !seen[causes.Unknown] || len(seen) != len(catalogue.Rules())+1+len(state.Told())+len(sandbox.Told()) {
		t.Errorf("%d causes for %d rules", len(seen), len(catalogue.Rules()))
	}
	if !slices.IsSortedFunc(catalogue.All(), func(a, b causes.Rule) int {
		return strings.Compare(string(a.ID), string(b.ID))
	}) {
		t.Error("the catalogue is not by id")
	}
}

// The least possible evidence: an end, and nothing else. No rule may panic, and none may be decisive.
func TestNoRuleNeedsMoreThanAnEnd(t *testing.T) {
	code := int32(137)
	for name, f := range map[string]*finding.Findings{
		"nothing":      {},
		"an exit code": {Basis: finding.Basis{Exit: finding.Exit{Known: true, Code: 137}}},
		"a bare kill": {Stops: finding.Stops{
			Kill: finding.KubeletKill{Point: finding.Point{Answer: finding.Yes}, Grace: -1}}},
		"a definition": {Stops: finding.Stops{
			Kill: finding.KubeletKill{Point: finding.Point{Answer: finding.Yes}, Reason: evidence.KillDefinition}}},
		"a bare signal": {Basis: finding.Basis{Exit: finding.Exit{Known: true, Code: 139}}},
	} {
		f.R = &timeline.Restart{From: &timeline.Instance{}}
		if name == "an exit code" {
			f.R.From.ExitCode = &code
		}
		f.T = &timeline.History{Snapshot: &evidence.Snapshot{}}
		for _, r := range catalogue.Rules() {
			c, a := r.Claim(f), r.Against(f)
			if do := r.Do(f); len(do) == 0 || slices.Contains(do, "") {
				t.Errorf("%s, %s: what to do is not said: %q", name, r.ID, do)
			}
			if !a.Holds() && len(a.Evidence) > 0 {
				t.Errorf("%s, %s: contradicted without a reason", name, r.ID)
			}
			if c != nil && !a.Holds() && c.Strength == causes.Decisive {
				t.Errorf("%s, %s: decisive", name, r.ID)
			}
		}
	}
}
