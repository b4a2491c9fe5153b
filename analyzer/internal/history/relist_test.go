package history_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAnEndRightAfterTheKubeletsStartHasATimeIfThisKubeletKnewItAlive(t *testing.T) {
	named := evidence.Subject{PodUID: analyzertest.PodUID, Container: analyzertest.Container,
		ContainerID: analyzertest.OldID}
	kill := func(at float64) func(*analyzertest.Story) {
		return func(s *analyzertest.Story) {
			s.Add(evidence.SourceKubeletLog, at, named, evidence.KillStarted{GraceSeconds: 2})
		}
	}
	// The kubelet starts at 100 s and logs at 105 s that the container ended.
	for _, c := range []struct {
		name   string
		change func(*analyzertest.Story)
		known  bool
	}{
		{"nothing else is known", func(*analyzertest.Story) {}, false},
		{"it killed the container itself", kill(102), true},
		{"the kubelet before it had killed the container", kill(99), false},
		{"the kill came after the line", kill(106), false},
		{"it had seen the container run", func(s *analyzertest.Story) {
			s.Kubelet(101, analyzertest.OldID, evidence.ContainerStarted{})
		}, true},
		{"it saw the container run and dead in one look", func(s *analyzertest.Story) {
			s.Kubelet(104.99, analyzertest.OldID, evidence.ContainerStarted{})
		}, false},
		{"it had probed the container", func(s *analyzertest.Story) {
			s.Add(evidence.SourceKubeletLog, 103, named, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1})
		}, true},
		{"it decided to kill it for its probe", func(s *analyzertest.Story) {
			s.Add(evidence.SourceKubeletLog, 103, named, evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1})
		}, true},
		{"it killed it because nobody knew its state", func(s *analyzertest.Story) {
			s.Add(evidence.SourceKubeletLog, 103, named, evidence.KillDecided{Reason: evidence.KillUnknownState, Count: 1})
			kill(103.1)(s)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := analyzertest.New().KubeletStarts(100, "v1.36.3", 80)
			c.change(s)
			s.Kubelet(105, analyzertest.OldID, evidence.ContainerDied{}).Kubelet(105,
				analyzertest.OldID, evidence.ContainerFinished{ExitCode: 137})
			in := history.Build(s.Snapshot()).Restarts[0].From
			if c.known && !in.Finished.Equal(at(105)) || !c.known && !in.Finished.IsZero() {
				t.Errorf("ended at %v; known is %v", in.Finished, c.known)
			}
			if in.ExitCode == nil || *in.ExitCode != 137 {
				t.Error("the exit code is lost")
			}
		})
	}
}

func TestWhatANewKubeletReportsAsJustDiedDiedEarlier(t *testing.T) {
	s := analyzertest.New().KubeletStarts(100, "v1.36.3", 80)
	s.Kubelet(101, analyzertest.OldID, evidence.ContainerStarted{}).Kubelet(101,
		analyzertest.OldID, evidence.ContainerDied{}).Kubelet(101, analyzertest.OldID,
		evidence.ContainerFinished{ExitCode: 1})
	in := history.Build(s.Snapshot()).Restarts[0].From
	if !in.Finished.IsZero() || !in.Started.IsZero() {
		t.Errorf("the first relist's time was taken for that of start %v or death %v", in.Started, in.Finished)
	}
}

func TestNothingLivesOnOverABoot(t *testing.T) {
	for name, c := range map[string]struct {
		booted   float64
		source   evidence.SourceKind
		reckoned bool
		dated    bool
	}{
		"booted since it was made":          {50, evidence.SourceKernelLog, false, false},
		"booted before it was made":         {5, evidence.SourceKernelLog, false, true},
		"the API's word may have come late": {50, evidence.SourceAPI, false, true},
		"a clock may have stood still":      {50, evidence.SourceKernelLog, true, true},
	} {
		s := analyzertest.New().KubeletStarts(60, "v1.36.3", 80)
		s.Add(evidence.SourceRuntimeLog, 10, named("a", analyzertest.OldID, ""), evidence.RuntimeCreated{})
		s.Add(c.source, c.booted, evidence.Subject{Node: analyzertest.Node}, evidence.KernelBooted{Reckoned: c.reckoned})
		s.Kubelet(120, analyzertest.OldID, evidence.ContainerDied{})
		in := history.Build(s.Snapshot()).Restarts[0].From
		if got := !in.Finished.IsZero(); got != c.dated {
			t.Errorf("%s: ended at %v", name, in.Finished)
		}
	}
}

func TestADeadSandboxOfTheFirstRelistDiedAtAnUnknownTime(t *testing.T) {
	s := analyzertest.New().KubeletStarts(100, "v1.36.3", 80)
	s.Add(evidence.SourceCRI, 5, named("", "", analyzertest.OldBox), evidence.SandboxRecord{Created: at(5)})
	s.Kubelet(101, analyzertest.OldBox, evidence.ContainerDied{})
	if died := history.Build(s.Snapshot()).Sandboxes[analyzertest.OldBox].Died; len(died) != 0 {
		t.Errorf("died at %v", died[0].At)
	}
	s.Kubelet(200, analyzertest.OldBox, evidence.ContainerDied{})
	if died := history.Build(s.Snapshot()).Sandboxes[analyzertest.OldBox].Died; len(died) != 1 {
		t.Errorf("%d deaths, want the later one", len(died))
	}
}

// What replaces a container that ended after the kubelet's start was started after that end, however soon.
func TestAStartRightAfterTheKubeletsStartFollowsTheEndBeforeIt(t *testing.T) {
	for _, c := range []struct {
		name      string
		died, new float64
		dated     bool
	}{
		{"it ended and the next one started", 104, 105, true},
		{"both in one look", 104, 104.0, true},
		{"both run: which one is older is not known", 0, 104, false},
		{"it ended before this kubelet: the next one may have run for long", 60, 104, false},
	} {
		s := analyzertest.New().KubeletStarts(100, "v1.36.3", 80)
		old := named(analyzertest.Container, analyzertest.OldID, "")
		if c.died == 0 || c.died > 100 {
			s.Add(evidence.SourceKubeletLog, 101, old, evidence.ContainerStarted{})
		}
		if c.died > 0 {
			s.Add(evidence.SourceRuntimeLog, c.died, old, evidence.TaskExited{})
		}
		s.Add(evidence.SourceKubeletLog, c.new, named(analyzertest.Container, analyzertest.NewID, ""),
			evidence.ContainerStarted{})
		restarts := history.Build(s.Snapshot()).Restarts
		for _, r := range restarts {
			for _, in := range []*timeline.Instance{r.From, r.To} {
				if !c.dated && in != nil && in.ID == analyzertest.NewID && !in.Started.IsZero() {
					t.Errorf("%s: started at %v", c.name, in.Started)
				}
			}
		}
		if c.dated && (len(restarts) != 1 || restarts[0].From.ID != analyzertest.OldID || restarts[0].To == nil ||
			!restarts[0].To.Started.Equal(at(c.new))) {
			t.Errorf("%s: %d restarts: %+v", c.name, len(restarts), restarts)
		}
	}
}
