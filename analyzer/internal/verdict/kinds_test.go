package verdict_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Where nothing ended, no cause of an end is left, whatever it claims; where something ended, no cause without an end.
func TestEndsAndWhatOnlyLookedLikeOne(t *testing.T) {
	ended := findings(analyzertest.New().Status(10, 17, 1, "Error", 18))
	none := findings(analyzertest.New().Status(10, 17, 1, "Error", 18))
	none.R.Kind = timeline.KindNone
	flip := rule("flip", causes.Decisive, "")
	flip.NothingEnded = true
	for name, c := range map[string]struct {
		f    *finding.Findings
		want string
	}{"an end": {ended, "crash"}, "nothing": {none, "flip"}} {
		v := decide(c.f, []causes.Rule{rule("crash", causes.Decisive, ""), flip}, nil).Verdict
		if v.Cause != c.want || v.Confidence != report.Proven || len(v.Eliminated) != 1 || v.Eliminated[0].Because == "" {
			t.Errorf("%s: %s (%s), eliminated %+v", name, v.Cause, v.Confidence, v.Eliminated)
		}
	}
	if v := decide(none, []causes.Rule{rule("crash", causes.Decisive, "")},
		nil).Verdict; v.Confidence != report.Unknown {
		t.Errorf("nothing ended, and %s is %s", v.Cause, v.Confidence)
	}
}

// What is behind the root comes first and is not the root.
func TestWhatLiesBehindIsNotTheRoot(t *testing.T) {
	r := rule("a", causes.Strong, "")
	steps := []causes.Link{{Role: report.RoleBehind, Text: "a package"}, {Role: report.RoleBehind, Text: "a restart"},
		{Cause: "a", Text: "the root"}, {Text: "then"}, {Text: "the end"}}
	r.Claim = func(*finding.Findings) *causes.Claim {
		return &causes.Claim{Strength: causes.Strong, Summary: "x", Chain: steps}
	}
	var got []report.Role
	for _, l := range decide(findings(analyzertest.New().Status(10, 17, 1, "Error", 18)),
		[]causes.Rule{r}, nil).Verdict.Chain {
		got = append(got, l.Role)
	}
	if d := cmp.Diff([]report.Role{report.RoleBehind, report.RoleBehind, report.RoleRoot,
		report.RoleThen, report.RoleEffect}, got); d != "" {
		t.Error(d)
	}
}
