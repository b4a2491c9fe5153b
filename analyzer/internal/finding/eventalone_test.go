package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A kill that only an event tells, for a probe: the doubt says what does not fit.
func TestWhatDoesNotFitAnEventOfAProbesKill(t *testing.T) {
	const only = "only an event gives the reason for the kill, and "
	kill := evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1}
	failed := evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 3}
	probe := func(c *evidence.Container) { c.Liveness = &evidence.Probe{Period: 10, FailureThreshold: 3} }
	for want, c := range map[string]struct {
		started float64
		spec    func(*evidence.Container)
		failed  bool
	}{
		"the pod's spec has no such probe":                  {started: 0, spec: func(*evidence.Container) {}, failed: true},
		"no event of the probe's failures is left":          {started: 0, spec: probe},
		"the kill came too soon for the probe":              {started: 30, spec: probe, failed: true},
		"no log shows what else the node did until the end": {started: 0, spec: probe, failed: true},
	} {
		s := analyzertest.New().Status(c.started, 50, 137, "Error", 52).Spec(c.spec).Event(40, kill)
		if c.failed {
			s.Event(39, failed)
		}
		for i := range s.Observations {
			if o := &s.Observations[i]; o.Source.Kind == evidence.SourceAPI {
				o.Source.Vouched, o.Subject.Node = true, analyzertest.Node
			}
		}
		if !doubted(t, s, only+want) {
			t.Errorf("no doubt %q: %+v", want, find(t, s).Doubts)
		}
	}
}
