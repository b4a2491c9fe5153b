package finding_test

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A record of a second sandbox explains only the restart around its creation: the container may have ended in it again.
// The first line is about the sandbox of the old instance. An event of the same second may be about the next one.
func TestASandboxThatWasJudgedBeforeTheInstanceBegan(t *testing.T) {
	for at, want := range map[float64]finding.YesNo{9.9: finding.Unknown, 10: finding.Yes, 10.1: finding.Unknown,
		10.6: finding.Yes, 42.6: finding.Yes} {
		s := analyzertest.New().Kubelet(10.5, analyzertest.OldID, evidence.ContainerStarted{}).
			Kubelet(42.5, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 1}).
			KubeletPod(at, evidence.SandboxJudged{Reason: evidence.SandboxNone})
		if got := find(t, s).Sandbox.Changed.Answer; got != want {
			t.Errorf("%v: %v, want %v", at, got, want)
		}
	}
}

// The API's records have whole seconds: a line of the second in which the instance was started may be about the sandbox
// that it ran in.
func TestASandboxThatWasJudgedInTheSecondOfTheStart(t *testing.T) {
	for at, want := range map[float64]bool{10.01: false, 10.98: false, 11.2: true} {
		s := analyzertest.New().Status(10, 42.5, 143, "Error", 43).
			KubeletPod(at, evidence.SandboxJudged{Reason: evidence.SandboxNone})
		if got := find(t, s).Sandbox.Changed.Answer == finding.Yes; got != want {
			t.Errorf("%v: %t, want %t", at, got, want)
		}
	}
}

// A kubelet that has just started repeats starts, so that they date nothing. What it saw run after it had found no
// sandbox at all was created after that, all the same.
func TestNoSandboxBeforeTheInstanceRan(t *testing.T) {
	for name, c := range map[string]struct {
		reason evidence.SandboxReason
		end    float64
		want   finding.YesNo
	}{
		"it ran on":  {evidence.SandboxNone, 42.5, finding.Unknown},
		"it had one": {evidence.SandboxNotReady, 42.5, finding.Yes},
	} {
		s := analyzertest.New().KubeletStarts(36.5, "v1.30.14", 80).
			KubeletPod(37.1, evidence.SandboxJudged{Reason: c.reason}).
			Kubelet(37.9, analyzertest.OldID, evidence.ContainerStarted{}).
			Kubelet(c.end, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 42})
		if got := find(t, s).Sandbox.Changed.Answer; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhichRestartASecondSandboxMade(t *testing.T) {
	box := evidence.Subject{PodUID: analyzertest.PodUID, SandboxID: analyzertest.NewBox}
	for name, c := range map[string]struct {
		made   float64
		coarse bool
		noEnd  bool // the old one's end is unknown
		want   bool
	}{
		"between the end and the start":                      {42.8, false, false, true},
		"before the old one began, which ran in it":          {8, false, false, false},
		"while the old one ran":                              {20, false, false, false},
		"while the old one ran, by an age":                   {20, true, false, true},
		"while the old one ran, as far as is known":          {20, false, true, true},
		"before the old one began, whose end is not known":   {8, true, true, false},
		"long after the new one had begun":                   {400, false, false, false},
		"within a minute of the new one's start, by its age": {80, true, false, true},
	} {
		s := analyzertest.New().Status(10, 42.5, 137, "Error", 44)
		s.Add(evidence.SourceCRI, 500, box, evidence.SandboxRecord{Created: analyzertest.At(c.made),
			Attempt: 1, Coarse: c.coarse})
		for i := range s.Observations {
			if rec, ok := s.Observations[i].Fact.(evidence.ContainerRecord); ok && c.noEnd && rec.Last {
				rec.Finished = time.Time{}
				s.Observations[i].Fact = rec
			}
		}
		if got := find(t, s).Sandbox.Changed.Answer == finding.Yes; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Every new pod has no sandbox: one is lost only where something shows that the pod had run.
func TestTheFirstSandboxIsNoLostOne(t *testing.T) {
	for name, c := range map[string]struct {
		added  float64
		origin string
		others int
		before func(s *analyzertest.Story)
		want   finding.YesNo
	}{
		"a pod that was just assigned": {36, "api", 0, nil, finding.Unknown},
		"one of all pods of a kubelet": {36, "api", 5, nil, finding.Yes},
		"one that was assigned before": {-300, "api", 0, nil, finding.Yes},
		"a static pod":                 {36, "file", 0, nil, finding.Yes},
		"one that a new kubelet is given": {36, "api", 0, func(s *analyzertest.Story) {
			s.KubeletStarts(30, "v1.30.14", 80)
		}, finding.Yes},
		"one that had run before": {36, "api", 0, func(s *analyzertest.Story) {
			s.Kubelet(10, analyzertest.OldID, evidence.ContainerStarted{})
		}, finding.Yes},
	} {
		s := analyzertest.New()
		if c.before != nil {
			c.before(s)
		}
		s.KubeletPod(c.added, evidence.PodConfig{Op: "ADD", Origin: c.origin, Others: c.others}).
			KubeletPod(36.1, evidence.SandboxJudged{Reason: evidence.SandboxNone}).
			Kubelet(42.5, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 139})
		if got := find(t, s).Sandbox.Changed.Answer; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
