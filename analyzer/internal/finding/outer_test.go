package finding_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The runtime's log tells of no stop; what it would tell behind the end has to be in it, too.
func TestALogOfTheRuntimeThatBreaksOff(t *testing.T) {
	const until = 3600
	for name, c := range map[string]struct {
		until   float64 // up to when the log reaches
		kept    float64 // the last line that is left of it
		changed func(*analyzertest.Story)
		want    bool
	}{
		"whole":                                  {until, until, nil, false},
		"reaches to the next start":              {43, until, nil, false},
		"ends with the container":                {42.3, until, nil, true},
		"ends before the next start":             {42.9, until, nil, true},
		"goes on, and lost the next one's start": {until, 42.3, nil, true},
		"ends with the container, which the kubelet killed": {42.3, until, func(s *analyzertest.Story) {
			s.Kubelet(42, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 30})
		}, false},
	} {
		s := exact(3)
		s.Add(evidence.SourceCRI, 43, of(analyzertest.NewID), evidence.ContainerRecord{State: evidence.StateRunning,
			Attempt: 1, Created: analyzertest.At(43), Started: analyzertest.At(43)})
		if c.changed != nil {
			c.changed(s)
		}
		s.Runtime(-500, analyzertest.OldID, evidence.RuntimeCreated{}).Runtime(42.21, analyzertest.OldID,
			evidence.TaskExited{})
		if c.kept > 43 {
			s.Runtime(43, analyzertest.NewID, evidence.RuntimeCreated{})
		}
		for i := range s.Coverage {
			if s.Coverage[i].Source == evidence.SourceRuntimeLog {
				s.Coverage[i].Until = analyzertest.At(c.until)
			}
		}
		got := false
		for _, d := range find(t, s).Doubts {
			got = got || strings.HasPrefix(d.Text, "the runtime's log ")
		}
		if got != c.want {
			t.Errorf("%s: a doubt: %v", name, got)
		}
	}
}
