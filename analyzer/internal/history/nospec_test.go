package history_test

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What completed in a pod whose spec is not known is no news if no policy could have started it again.
func TestWhatCompletedInAPodWithoutItsSpec(t *testing.T) {
	type pod struct {
		kind    evidence.ContainerKind
		phase   string
		owner   string
		deleted time.Time
		code    int32
	}
	for name, c := range map[string]struct {
		change func(*pod)
		want   int
	}{
		"an init container":                      {func(p *pod) { p.kind = evidence.KindInit }, 0},
		"an init container that failed":          {func(p *pod) { p.kind, p.code = evidence.KindInit, 1 }, 1},
		"a pod that succeeded":                   {func(p *pod) { p.phase = "Succeeded" }, 0},
		"a pod that was deleted meanwhile":       {func(p *pod) { p.phase, p.deleted = "Succeeded", at(19) }, 1},
		"a Job's container beside another one":   {func(p *pod) { p.owner = "Job" }, 0},
		"a Job's container that failed":          {func(p *pod) { p.owner, p.code = "Job", 1 }, 1},
		"any other one: Always may start it new": {func(p *pod) {}, 1},
	} {
		p := pod{kind: evidence.KindApp, phase: "Running"}
		c.change(&p)
		s := analyzertest.New()
		s.Pod.RestartPolicy, s.Pod.Containers, s.Pod.Phase, s.Pod.DeletedAt = "", nil, p.phase, p.deleted
		s.Pod.Owner.Kind = p.owner
		rec := exited(0, 10, 20, p.code)
		rec.Kind = p.kind
		s.Add(evidence.SourceAPI, 20, named("a", "", ""), evidence.RestartCount{Count: 0})
		s.Add(evidence.SourceAPI, 20, named("a", analyzertest.OldID, ""), rec)
		if got := pairs(history.Build(s.Snapshot())); len(got) != c.want {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}
