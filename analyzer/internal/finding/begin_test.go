package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// If the old instance's beginning is unknown, the end of the previous one counts: earlier messages about the sandbox
// concern another life.
func TestAnInstanceOfUnknownBeginBeganAfterTheOneBeforeHadEnded(t *testing.T) {
	for _, c := range []struct {
		name   string
		judged float64
		want   finding.YesNo
	}{
		{"before the first instance ended", 15, finding.No},
		{"in the life of the second", 38, finding.Yes},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := analyzertest.New().KubeletLog().KubeletStarts(5, "v1.36.3", 80)
			line := func(at float64, id string, f evidence.Fact) {
				s.Add(evidence.SourceKubeletLog, at, evidence.Subject{PodUID: analyzertest.PodUID,
					Container: analyzertest.Container, ContainerID: id}, f)
			}
			line(20, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 1})
			line(40, analyzertest.NewID, evidence.ContainerFinished{ExitCode: 1})
			s.KubeletPod(c.judged, evidence.SandboxJudged{Reason: evidence.SandboxNone})
			tl := history.Build(s.Snapshot())
			last := tl.Restarts[len(tl.Restarts)-1]
			if last.From.ID != analyzertest.NewID || last.Prev == nil {
				t.Fatalf("the last end is that of %s", last.From.ID)
			}
			if got := finding.Derive(tl, last).Sandbox.Changed.Answer; got != c.want {
				t.Errorf("the sandbox was replaced: answer %d, want %d", got, c.want)
			}
		})
	}
}
