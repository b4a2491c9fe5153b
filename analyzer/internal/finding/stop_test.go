package finding_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

func of(id string) evidence.Subject {
	return evidence.Subject{Node: analyzertest.Node, Namespace: analyzertest.Namespace,
		Pod: analyzertest.PodName, PodUID: analyzertest.PodUID, Container: "a", ContainerID: id}
}

// exact is an end that the runtime dated: at 42.2, after a life of half an hour.
func exact(code int32) *analyzertest.Story {
	s := analyzertest.New().Events().Logs().KubeletStarts(-500, "v1.36.3", 80).Status(-500, 42.2, code, "Error", 0)
	return s.Add(evidence.SourceCRI, 42.2, of(analyzertest.OldID), evidence.ContainerRecord{
		State: evidence.StateExited, Attempt: 0, Created: analyzertest.At(-500),
		Started: analyzertest.At(-500), Finished: analyzertest.At(42.2), ExitCode: &code,
	})
}

func TestWhichKillsExplainAnEnd(t *testing.T) {
	hook := func(c *evidence.Container) { c.PreStop = true }
	decided := evidence.KillDecided{Reason: evidence.KillPod, Count: 1}
	for name, c := range map[string]struct {
		at    float64
		fact  evidence.Fact
		event bool
		spec  func(*evidence.Container)
		want  finding.YesNo
	}{
		"right before the end":                {42, evidence.KillStarted{GraceSeconds: 30}, false, nil, finding.Yes},
		"a grace before the end":              {12, evidence.KillStarted{GraceSeconds: 30}, false, nil, finding.Yes},
		"one that had to be over long before": {-400, evidence.KillStarted{GraceSeconds: 30}, false, nil, finding.Unknown},
		"one that had all the time":           {-400, evidence.KillStarted{GraceSeconds: 600}, false, nil, finding.Yes},
		"a reason that was given long before": {-400, decided, false, nil, finding.Unknown},
		"a reason long before, with a probe's long grace": {-400, decided, false,
			func(c *evidence.Container) { c.Liveness = &evidence.Probe{GracePause: 600} }, finding.Yes},
		"of the dead":                             {43, evidence.KillStarted{GraceSeconds: 30}, false, nil, finding.Unknown},
		"of the dead, by an event":                {43, decided, true, nil, finding.No},
		"by an event of the same second":          {42, decided, true, nil, finding.Yes},
		"behind a hook that ended it":             {57, evidence.KillStarted{GraceSeconds: 15}, false, hook, finding.Yes},
		"behind a hook, and later than any grace": {99, evidence.KillStarted{GraceSeconds: 15}, false, hook, finding.Unknown},
		"a reason, behind the end, and a hook":    {57, decided, false, hook, finding.Unknown},
	} {
		s := exact(3)
		if c.spec != nil {
			s.Spec(c.spec)
		}
		if c.event {
			s.Event(c.at, c.fact)
		} else {
			s.Add(evidence.SourceKubeletLog, c.at+0.05, of(analyzertest.OldID), c.fact)
		}
		if got := find(t, s).Kill.Answer; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhichRequestsToStopExplainAnEnd(t *testing.T) {
	for name, c := range map[string]struct {
		at      float64
		timeout int
		want    finding.YesNo
	}{
		"before the end":            {40, 30, finding.Yes},
		"with a long timeout":       {-400, 500, finding.Yes},
		"given up long before":      {-400, 10, finding.Unknown},
		"no timeout told":           {20, -1, finding.Yes},
		"no timeout told, long ago": {-400, -1, finding.Unknown},
		"of the dead":               {42.9, 30, finding.Unknown},
	} {
		f := find(t, exact(3).Runtime(c.at, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: c.timeout}))
		if f.Stop.Answer != c.want || f.StopDated != (c.want == finding.Yes) {
			t.Errorf("%s: %v (dated %t), want %v", name, f.Stop.Answer, f.StopDated, c.want)
		}
	}
	// The API's second is not exact; the runtime's own line is.
	s := analyzertest.New().Logs().Status(10, 42, 3, "Error", 0).Runtime(42.2,
		analyzertest.OldID, evidence.TaskExited{}).Runtime(42.9, analyzertest.OldID,
		evidence.StopRequested{TimeoutSeconds: 30})
	if got := find(t, s).Stop.Answer; got != finding.Unknown {
		t.Errorf("asked behind the runtime's line about the end: %v", got)
	}
}

func TestHowFarALogHasToReach(t *testing.T) {
	deleted := func(s *analyzertest.Story, grace int64) {
		s.Pod.DeletedAt = analyzertest.At(60)
		s.Pod.Object = podobject.Of(&corev1.Pod{})
		s.Pod.Object.DeletionGracePeriodSeconds = &grace
	}
	for name, c := range map[string]struct {
		from, until float64
		change      func(*analyzertest.Story)
		want        bool
	}{
		"a minute before":        {-20, 100, nil, true},
		"less than the grace":    {20, 100, nil, false},
		"less than a long grace": {-20, 100, func(s *analyzertest.Story) { s.Pod.GraceSeconds = 300 }, false},
		"less than a probe's grace": {-20, 100, func(s *analyzertest.Story) {
			s.Spec(func(c *evidence.Container) { c.Startup = &evidence.Probe{GracePause: 300} })
		}, false},
		"less than a deletion's grace":    {-20, 100, func(s *analyzertest.Story) { deleted(s, 400) }, false},
		"a deletion with the pod's grace": {-20, 100, func(s *analyzertest.Story) { deleted(s, 30) }, true},
		"a deletion that nobody tells more of": {-20, 100, func(s *analyzertest.Story) {
			s.Pod.DeletedAt = analyzertest.At(60)
		}, false},
		"a pod that is not known": {-20, 100, func(s *analyzertest.Story) {
			s.Pod.UID, s.Pod.Name = "other", "other"
		}, false},
		"a pod that is not known, from its life": {-600, 100, func(s *analyzertest.Story) {
			s.Pod.UID, s.Pod.Name = "other", "other"
		}, true},
		"to the end": {-20, 43.5, nil, true},
		"to the end, with a preStop hook": {-20, 43.5, func(s *analyzertest.Story) {
			s.Spec(func(c *evidence.Container) { c.PreStop = true })
		}, false},
		"behind a preStop hook": {-20, 100, func(s *analyzertest.Story) {
			s.Spec(func(c *evidence.Container) { c.PreStop = true })
		}, true},
	} {
		s := exact(3)
		for i := range s.Coverage {
			if o := &s.Coverage[i]; o.Source == evidence.SourceKubeletLog {
				o.From, o.Until = analyzertest.At(c.from), analyzertest.At(c.until)
			}
		}
		if c.change != nil {
			c.change(s)
		}
		if got := find(t, s).KubeletLog; got != c.want {
			t.Errorf("%s: reaches %t, want %t", name, got, c.want)
		}
	}
}

func TestWhatARuntimesSilenceSays(t *testing.T) {
	for tells, want := range map[int][2]finding.YesNo{
		0:                           {finding.Unknown, finding.Unknown},
		evidence.RuntimeTellsStarts: {finding.Unknown, finding.No},
		evidence.RuntimeTellsStops:  {finding.No, finding.No},
	} {
		s := exact(3)
		for i := range s.Coverage {
			if s.Coverage[i].Source == evidence.SourceRuntimeLog {
				s.Coverage[i].Verbosity = tells
			}
		}
		if f := find(t, s); f.Stop.Answer != want[0] || f.NodeEvents.Runtime.Answer != want[1] {
			t.Errorf("a log that tells %d: stop %v, start %v, want %v", tells, f.Stop.Answer, f.NodeEvents.Runtime.Answer, want)
		}
	}
}

// A hook that is running, or ended the process, comes before the kill itself.
func TestADeletionWithAHookHasNoKillYet(t *testing.T) {
	s := exact(1).Spec(func(c *evidence.Container) { c.PreStop = true })
	if f := find(t, s); f.Kill.Answer != finding.No {
		t.Errorf("nobody asked for the pod's end: %v", f.Kill.Answer)
	}
	s.KubeletPod(40.05, evidence.PodConfig{Op: "DELETE", Origin: "api"})
	if f := find(t, s); f.Kill.Answer != finding.Unknown || f.End.How != evidence.EndDeleted {
		t.Errorf("%v, %+v", f.Kill.Answer, f.End)
	}
}

func TestADatedEndOfThePodCountsBeforeAnUndatedOne(t *testing.T) {
	low := evidence.PodEvicted{Reason: "Evicted"}
	s := exact(3)
	s.Add(evidence.SourceAPI, analyzertest.Never, evidence.Subject{PodUID: analyzertest.PodUID}, low)
	if f := find(t, s); f.End.How != evidence.EndEvicted {
		t.Errorf("the status alone: %+v", f.End)
	}
	s.PodEvent(80, low)
	if f := find(t, s); f.End.Answer == finding.Yes {
		t.Errorf("evicted after it had ended: %+v", f.End)
	}
	s.PodEvent(41, low)
	if f := find(t, s); f.End.How != evidence.EndEvicted {
		t.Errorf("evicted before, and said again: %+v", f.End)
	}
}

func TestAnEndFromBeforeThePodIsAnothersOfItsName(t *testing.T) {
	s := exact(3)
	s.Pod.CreatedAt = analyzertest.At(-510)
	s.KubeletPod(-590.5, evidence.PodConfig{Op: "REMOVE", Origin: "api"})
	if f := find(t, s); f.End.Answer == finding.Yes {
		t.Errorf("%+v", f.End)
	}
}

// A removal stops what runs; the kubelet removes what ended.
func TestARemovalBeforeTheEndIsARequestToStop(t *testing.T) {
	for name, c := range map[string]struct {
		at   float64
		want finding.YesNo
	}{
		"before the end": {40, finding.Yes},
		"after the end":  {60, finding.No},
	} {
		t.Run(name, func(t *testing.T) {
			f := find(t, exact(3).Add(evidence.SourceRuntimeLog, c.at, of(analyzertest.OldID), evidence.RemovalRequested{}))
			if f.Stop.Answer != c.want {
				t.Errorf("asked to stop: %v, want %v", f.Stop.Answer, c.want)
			}
		})
	}
}
