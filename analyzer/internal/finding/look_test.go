package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A look of the kubelet shows that a container runs, and not since when.
func TestALookIsNoBegin(t *testing.T) {
	seen := func() *analyzertest.Story {
		return analyzertest.New().Kubelet(40, analyzertest.OldID, evidence.ContainerStarted{}).
			Kubelet(60.3, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 3})
	}
	known := func() *analyzertest.Story { return analyzertest.New().Records(40, 60.3, 3, "Error", 63, nil) }
	for name, c := range map[string]struct {
		story func() *analyzertest.Story
		from  float64 // where the kubelet's log begins
		log   bool
		doubt bool // of a command at 35 s
	}{
		"a look, and a log from before it":        {seen, 35, false, true},
		"a look, and a log of what may be before": {seen, -10, true, true},
		"a record, and a log from before it":      {known, 35, true, false},
		"a record, and a log from behind it":      {known, 45, false, false},
	} {
		s := c.story().Logs().Witness()
		for i := range s.Coverage {
			if s.Coverage[i].Source == evidence.SourceKubeletLog {
				s.Coverage[i].From = analyzertest.At(c.from)
			}
		}
		s.Runtime(35, analyzertest.OldID, evidence.ExecStarted{})
		if got := find(t, s).KubeletLog; got != c.log {
			t.Errorf("%s: the log covers the end: %v", name, got)
		}
		if doubted(t, s, "a command was run in the container before") != c.doubt {
			t.Errorf("%s: the command is doubted: %v", name, !c.doubt)
		}
	}
}

// A stop may take far longer than its grace period.
func TestAStopFromBeforeTheKubeletsLogMayBeTheKubelets(t *testing.T) {
	for from, want := range map[float64]finding.YesNo{30: finding.Unknown, 15: finding.No} {
		s := analyzertest.New().Records(10, 142.3, 137, "Error", 144, nil).Logs().Witness()
		for i := range s.Coverage {
			if s.Coverage[i].Source == evidence.SourceKubeletLog {
				s.Coverage[i].From = analyzertest.At(from)
			}
		}
		s.Runtime(20, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: 30})
		if got := find(t, s).Kill.Answer; got != want {
			t.Errorf("a log from %v: the kubelet killed it: %v, want %v", from, got, want)
		}
	}
}
