package stop

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// An event that was repeated was seen for the first time at another end.
func TestTheFirstTimeOfARepeatedKillIsNotTheLast(t *testing.T) {
	last := time.Date(2026, 11, 28, 20, 3, 5, 0, time.UTC)
	first := last.Add(-time.Hour)
	kill := &evidence.Observation{ID: "k", Time: last, Fact: evidence.KillDecided{Count: 3, First: first}}
	probe := &evidence.Observation{ID: "p", Time: last, Fact: evidence.ProbeFailed{Count: 9, First: first}}
	both := []timeline.Occurrence{{At: first, Obs: kill}, {At: last, Obs: kill},
		{At: first, Obs: probe}, {At: last, Obs: probe}}
	for name, c := range map[string]struct {
		marks []timeline.Occurrence
		m     timeline.Occurrence
		want  bool
	}{
		"the first of two":                {both, both[0], true},
		"the last of two":                 {both, both[1], false},
		"the first, alone":                {both[:1], both[0], false},
		"a probe, which fails on its way": {both, both[2], false},
	} {
		if got := earlier(c.marks, c.m); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
