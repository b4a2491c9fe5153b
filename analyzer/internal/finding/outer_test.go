package finding_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A journal numbers its lines; if it has a hole in the relevant time, only the silence of a text log is left.
func TestASilenceOfATextAlone(t *testing.T) {
	text := &evidence.Origin{}
	for name, c := range map[string]struct {
		kind evidence.SourceKind
		hole float64 // end of the journal's hole; 0 for none
		want bool
	}{
		"a kubelet's journal beside its text":              {evidence.SourceKubeletLog, 0, false},
		"a kubelet's journal with a hole, beside its text": {evidence.SourceKubeletLog, 42, true},
		"a runtime's journal with a hole, beside its text": {evidence.SourceRuntimeLog, 42, true},
		"a hole before the time that counts":               {evidence.SourceRuntimeLog, -100, false},
	} {
		s := exact(3).Witness()
		for _, o := range s.Observations {
			if o.Source.Kind == c.kind && o.Subject.ContainerID == analyzertest.OldID {
				o.Source.Origin, o.Time = text, o.Time.Add(1) // else it is the same line
				s.Observations = append(s.Observations, o)
			}
		}
		for i := range s.Coverage {
			if have := &s.Coverage[i]; have.Source == c.kind {
				copied := *have
				copied.Origin = text
				s.Coverage = append(s.Coverage, copied)
				if c.hole != 0 {
					s.Coverage[i].From = analyzertest.At(c.hole)
				}
			}
		}
		if got := doubted(t, s, "the other causes are ruled out only because a text log"); got != c.want {
			t.Errorf("%s: a doubt: %v", name, got)
		}
	}
}

func doubted(t *testing.T, s *analyzertest.Story, begins string) bool {
	return slices.ContainsFunc(find(t, s).Doubts, func(d finding.Doubt) bool { return strings.HasPrefix(d.Text, begins) })
}

// Anyone who can write to a text log can forge a stop in it. An event, or the end in the same log, confirms it.
func TestAStopThatOnlyATextTellsIsDoubted(t *testing.T) {
	kill := evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1}
	killed := func(s *analyzertest.Story) { s.Kubelet(30, analyzertest.OldID, kill) }
	stopped := func(s *analyzertest.Story) { s.Runtime(30, analyzertest.OldID, evidence.StopRequested{}) }
	journal := &evidence.Origin{Machine: "m"}
	journaled := func(at float64) func(s *analyzertest.Story) {
		return func(s *analyzertest.Story) {
			s.Runtime(at, analyzertest.OldID, evidence.StopRequested{})
			s.Observations[len(s.Observations)-1].Source.Origin = journal
		}
	}
	for name, c := range map[string]struct {
		told, confirm func(*analyzertest.Story)
		want          bool
	}{
		"a kill, and nothing else": {killed, func(*analyzertest.Story) {}, true},
		"a kill, and its event":    {killed, func(s *analyzertest.Story) { s.Event(30, kill) }, false},
		"a kill, and the end in the same log": {killed, func(s *analyzertest.Story) {
			s.Kubelet(33, analyzertest.OldID, evidence.ContainerDied{})
		}, true},
		"a kill, and the end and a stop in text logs": {killed, func(s *analyzertest.Story) {
			stopped(s.Kubelet(33, analyzertest.OldID, evidence.ContainerDied{}).Runtime(32, analyzertest.OldID,
				evidence.TaskExited{}))
		}, true},
		"a kill, and its request in a journal": {killed, journaled(30.05), false},
		"a kill that began later than decided, and its request in a journal": {func(s *analyzertest.Story) {
			killed(s)
			s.Kubelet(30.9, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 30})
		}, journaled(30.95), false},
		"a kill, and someone's request in a journal later":  {killed, journaled(31), true},
		"a kill, and someone's request in a journal before": {killed, journaled(29.9), true},
		"a stop, and nothing else":                          {stopped, func(*analyzertest.Story) {}, true},
		"a stop, and the end in the same log": {stopped, func(s *analyzertest.Story) {
			s.Runtime(32, analyzertest.OldID, evidence.TaskExited{})
		}, false},
	} {
		s := analyzertest.New().Status(0, 32, 137, "Error", 40)
		c.told(s)
		c.confirm(s)
		log := &evidence.Origin{}
		for i := range s.Observations {
			if o := &s.Observations[i].Source; o.Kind != evidence.SourceAPI && o.Origin != journal {
				o.Origin = log
			}
		}
		if got := doubted(t, s, "only lines of a text log"); got != c.want {
			t.Errorf("%s: a doubt: %v", name, got)
		}
	}
}

// The runtime's log has no stop; it must also have what follows the end.
func TestALogOfTheRuntimeThatBreaksOff(t *testing.T) {
	const until = 3600
	for name, c := range map[string]struct {
		until   float64 // where the log ends
		kept    float64 // the last remaining line
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

// The log is bound to the node, because it names another container of it; of another machine it would be silent, too.
func TestALogThatNeverNamesTheInstanceIsDoubted(t *testing.T) {
	for name, c := range map[string]struct {
		tells bool
		want  bool
	}{"it tells of the end": {true, false}, "it names neither the container nor its pod": {false, true}} {
		other := evidence.Subject{Node: analyzertest.Node, PodUID: "u9", ContainerID: strings.Repeat("9", 64)}
		s := analyzertest.New().Status(2, 42, 1, "Error", 45).KubeletLog()
		s.Add(evidence.SourceAPI, 60, other, evidence.ContainerRecord{State: evidence.StateRunning})
		s.Add(evidence.SourceKubeletLog, 1, other, evidence.ContainerStarted{})
		if s.Mute = true; c.tells {
			s.Kubelet(42.7, analyzertest.OldID, evidence.ContainerDied{})
		}
		if got := doubted(t, s, "the kubelet's log covers the container's whole life"); got != c.want {
			t.Errorf("%s: a doubt: %v", name, got)
		}
	}
}

// The API has whole seconds. The runtime's line about an end has its exact time, which a busy runtime writes late.
func TestWhetherSystemdStoppedTheUnitBeforeTheEnd(t *testing.T) {
	exited := func(at, ended float64) func(*analyzertest.Story) {
		return func(s *analyzertest.Story) {
			s.Runtime(at, analyzertest.OldID, evidence.TaskExited{Ended: analyzertest.At(ended)})
		}
	}
	for name, c := range map[string]struct {
		told       func(*analyzertest.Story)
		stop, near bool
	}{
		"the line has the time of the end":   {exited(41.3, 40.9), true, false},
		"it ended before systemd stopped it": {exited(41.3, 40.4), false, false},
		"no line tells of the end":           {func(*analyzertest.Story) {}, false, true},
	} {
		s := analyzertest.New().Status(10, 40, 0, "Completed", 60)
		s.Add(evidence.SourceSystemd, 40.6, evidence.Subject{ContainerID: analyzertest.OldID},
			evidence.UnitChanged{Unit: "cri-containerd-" + analyzertest.OldID + ".scope", Change: "stopping"})
		c.told(s)
		f := find(t, s)
		stop, near := f.UnitStop.Answer == finding.Yes, f.UnitNear.Answer == finding.Yes
		if stop != c.stop || near != c.near {
			t.Errorf("%s: before the end %t, near it %t", name, stop, near)
		}
	}
}
