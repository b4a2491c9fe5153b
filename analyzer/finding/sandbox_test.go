package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A record of a second sandbox explains only the restart that it lies in: the container may have ended in it again.
func TestWhichRestartASecondSandboxMade(t *testing.T) {
	box := evidence.Subject{PodUID: analyzertest.PodUID, SandboxID: analyzertest.NewBox}
	record := func(made float64) evidence.Fact {
		return evidence.SandboxRecord{Created: analyzertest.At(made), Attempt: 1}
	}
	for name, c := range map[string]struct {
		made float64
		want bool
	}{
		"between the end and the start":    {42.8, true},
		"before the old one ended in it":   {12, false},
		"long after the new one had begun": {400, false},
	} {
		s := analyzertest.New().Status(10, 42.5, 137, "Error", 44)
		s.Add(evidence.SourceCRI, 500, box, record(c.made))
		if got := find(t, s).Sandbox.Changed.Answer == finding.Yes; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
