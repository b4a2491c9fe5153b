package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// withInit is the base story with an init container whose newest run was in that second.
func withInit(kind evidence.ContainerKind, started float64) *analyzertest.Story {
	s := base()
	s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "i", Kind: kind})
	code := int32(0)
	return s.Add(evidence.SourceAPI, started, evidence.Subject{Namespace: s.Pod.Namespace,
		Pod: s.Pod.Name, PodUID: s.Pod.UID, Container: "i", ContainerID: "i1"},
		evidence.ContainerRecord{Kind: kind, State: evidence.StateExited, Attempt: -1,
			Started: analyzertest.At(started), Finished: analyzertest.At(started + 0.5), ExitCode: &code, RestartCount: -1})
}

// The old instance of the base story ends at 42 s and the new one starts at 43 s.
func TestInitContainersThatRanAgain(t *testing.T) {
	later := func(s *analyzertest.Story, again float64) *analyzertest.Story {
		for i := range s.Observations {
			if r, ok := s.Observations[i].Fact.(evidence.ContainerRecord); ok && r.State == evidence.StateRunning {
				r.Started = analyzertest.At(again)
				s.Observations[i].Fact = r
			}
		}
		return s
	}
	for name, c := range map[string]struct {
		story  *analyzertest.Story
		want   finding.YesNo
		atOnce bool
	}{
		"no init container":                    {base(), finding.Unknown, false},
		"it ran before":                        {withInit(evidence.KindInit, 8), finding.Unknown, false},
		"it ran in between, at once":           {later(withInit(evidence.KindInit, 45), 47), finding.Yes, true},
		"it ran in between, a while later":     {later(withInit(evidence.KindInit, 60), 62), finding.Yes, false},
		"it ran after the new start":           {later(withInit(evidence.KindInit, 60), 47), finding.Unknown, false},
		"a sidecar is no init container":       {later(withInit(evidence.KindSidecar, 45), 47), finding.Unknown, false},
		"within what two clocks may differ by": {later(withInit(evidence.KindInit, 43), 47), finding.Unknown, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.story.Snapshot()
			var f *finding.Findings
			for _, r := range findIn(t, s).T.Restarts {
				if r.Container == analyzertest.Container {
					f = finding.Derive(findIn(t, s).T, r)
				}
			}
			if f.InitAgain.Answer != c.want || f.AtOnce(f.InitAgain) != c.atOnce {
				t.Errorf("%+v at once %v, want %v %v", f.InitAgain, f.AtOnce(f.InitAgain), c.want, c.atOnce)
			}
			if (c.want == finding.Yes) != (len(f.InitAgain.Evidence) > 0) {
				t.Errorf("cites %v", f.InitAgain.Evidence)
			}
		})
	}
}
