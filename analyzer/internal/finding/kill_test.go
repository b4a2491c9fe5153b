package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// own is a container that ended with a code, according to the runtime's record at 40.1 s.
func own(code int32) *analyzertest.Story {
	return analyzertest.New().Events().Logs().Records(10, 40.1, code, "Error", 43, nil)
}

func logged(s *analyzertest.Story, at float64, r evidence.KillReason) *analyzertest.Story {
	return s.Add(evidence.SourceKubeletLog, at, about(analyzertest.OldID, ""), decided(r))
}

// self lets the kubelet's lines date themselves.
func self(s *analyzertest.Story) *analyzertest.Story {
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Source.Kind == evidence.SourceKubeletLog {
			o.Source.Dated = true
		}
	}
	return s
}

// asked lets the runtime tell of requests to stop it, which date themselves.
func asked(s *analyzertest.Story, times ...float64) *analyzertest.Story {
	for _, at := range times {
		s.Runtime(at, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: 30})
		s.Observations[len(s.Observations)-1].Source.Dated = true
	}
	return s
}

// set lets the node's clock be set a minute before the end.
func set(s *analyzertest.Story) *analyzertest.Story {
	return s.Add(evidence.SourceSystemd, -20, evidence.Subject{}, evidence.ClockSet{From: analyzertest.At(-23)})
}

// since lets the runtime's log begin at a time.
func since(s *analyzertest.Story, at float64) *analyzertest.Story {
	for i := range s.Coverage {
		if c := &s.Coverage[i]; c.Source == evidence.SourceRuntimeLog {
			c.From = analyzertest.At(at)
		}
	}
	return s
}

func TestWhetherTheKillCameBeforeTheEnd(t *testing.T) {
	const live = evidence.KillLiveness
	api := func(code int32, at float64) *analyzertest.Story {
		return analyzertest.New().Events().Status(10, 40.1, code, "Error", 43).Event(at, decided(live))
	}
	pleg := func(at float64) *analyzertest.Story {
		s := analyzertest.New().Logs().Kubelet(11, analyzertest.OldID, evidence.ContainerStarted{}).Kubelet(40.1,
			analyzertest.OldID, evidence.ContainerFinished{ExitCode: 3})
		return logged(s, at, live)
	}
	slow := func() *analyzertest.Story { // the kubelet takes more than a minute from its word to the end
		s := analyzertest.New().Events().Logs().Records(-200, 40.1, 3, "Error", 43, nil)
		return asked(logged(s, -60, live), 40.15)
	}
	for name, c := range map[string]struct {
		story       *analyzertest.Story
		late, close bool
	}{
		"before the end": {logged(own(3), 40, live), false, false},
		"after the end, no later than a line may be": {logged(own(3), 40.2, live), false, true},
		"after the end":                         {logged(own(3), 40.4, live), true, false},
		"after the end, which a kill gives too": {logged(own(143), 40.4, live), false, false},
		"so long after the end that it is no kill, and may be dated late": {logged(own(3), 40.9, live), true, false},
		"long after the end":                              {logged(own(3), 42.9, live), false, false},
		"after the end by a memory fault":                 {logged(own(139), 40.4, live), true, false},
		"after an end with 0":                             {logged(own(0), 40.4, live), true, false},
		"an event of the same second":                     {own(3).Event(40, decided(live)), false, true},
		"an event of the same second, and an end with 0":  {own(0).Event(40, decided(live)), false, false},
		"an event of the second before":                   {own(3).Event(39, decided(live)), false, false},
		"an event of the same second, and the log before": {logged(own(3), 40, live).Event(40, decided(live)), false, false},
		"an event of the second before, the log after":    {logged(own(3), 40.4, live).Event(39, decided(live)), true, false},
		"whole seconds for both":                          {api(3, 40), false, true},
		"whole seconds, the kill before":                  {api(3, 39), false, false},
		"PLEG saw it end after the kill, within a second": {pleg(39.9), false, true},
		"PLEG saw it end well after the kill":             {pleg(38), false, false},
		"no kill":                                         {own(3), false, false},

		"after the end, by the line's own time":      {self(logged(own(3), 40.2, live)), true, false},
		"before the end, by the same":                {self(logged(own(3), 40, live)), false, false},
		"after the end by SIGTERM, by the same":      {self(logged(own(143), 40.2, live)), true, false},
		"where a clock was set":                      {set(self(logged(own(3), 40.2, live))), false, true},
		"well after it, where a clock was set":       {set(logged(own(3), 40.9, live)), false, true},
		"asked of the runtime after the end":         {asked(logged(own(3), 40, live), 40.15), true, false},
		"asked before it, and again":                 {asked(logged(own(3), 40, live), 40.05, 40.15), false, false},
		"asked after it by a set clock":              {set(asked(logged(own(3), 40, live), 40.15)), false, false},
		"asked after it of a log of its last minute": {since(slow(), -30), false, false},
		"asked after it of a log of the kill, too":   {since(slow(), -90), true, false},
		"an own time, and an end to the second":      {self(logged(api(3, 40), 40.2, live)), false, true},
	} {
		if k := find(t, c.story).Kill; k.Late != c.late || k.Close != c.close {
			t.Errorf("%s: late %v, close %v", name, k.Late, k.Close)
		}
	}
}

func TestAnEventWithoutALineIsDoubted(t *testing.T) {
	event := func() *analyzertest.Story { return own(137).Event(39, decided(evidence.KillLiveness)) }
	bare := event()
	bare.Coverage = nil
	for name, c := range map[string]struct {
		story *analyzertest.Story
		want  bool
	}{
		"the log covers the time and has no kill": {event(), true},
		"it has one": {logged(event(), 39.1, evidence.KillLiveness), false},
		"it has one at a time that a wrong clock gives": {logged(event(), 300, evidence.KillLiveness), false},
		"no log covers the time":                        {bare, false},
	} {
		if got := find(t, c.story).Kill.Unlogged; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// While a pod is torn down, probes may fail; of several messages about one kill the more specific one counts.
func TestTheFirstReasonCounts(t *testing.T) {
	for name, c := range map[string]struct {
		pod, probe float64
		want       evidence.KillReason
	}{
		"the pod was taken down long before": {20, 39, evidence.KillPod},
		"both words are of one kill":         {38, 39, evidence.KillLiveness},
		"the probe came first":               {39, 20, evidence.KillLiveness},
	} {
		s := logged(logged(own(143), c.pod, evidence.KillPod), c.probe, evidence.KillLiveness)
		if got := find(t, s).Kill.Reason; got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A reason that nobody knows, cut or of a newer kubelet, is no reason against any other: it is unknown, and a doubt.
func TestAnUnknownReasonIsNone(t *testing.T) {
	none := find(t, logged(own(143), 39, ""))
	if f := find(t, logged(own(143), 39, evidence.KillOther)); f.Kill.Reason != "" || len(f.Doubts) != len(none.Doubts)+1 {
		t.Errorf("%q, %d doubts, and without a reason %d", f.Kill.Reason, len(f.Doubts), len(none.Doubts))
	}
	both := logged(logged(own(143), 38, evidence.KillPod), 39, evidence.KillOther)
	if got := find(t, both).Kill.Reason; got != evidence.KillPod {
		t.Errorf("after a reason that is known: %q", got)
	}
}

func TestAMissingRecordIsOneOfTheKill(t *testing.T) {
	for at, want := range map[float64]finding.YesNo{-300: finding.No, 12: finding.Yes, 39: finding.Yes} {
		s := logged(own(143), 39.5, evidence.KillResize).Add(evidence.SourceKubeletLog,
			at, about("", ""), evidence.MissingActuatedRecord{})
		if got := find(t, s).Record.Answer; got != want {
			t.Errorf("said at %v: %v, want %v", at, got, want)
		}
	}
}

func TestABootLongAfterAnEndDidNotMakeIt(t *testing.T) {
	for name, c := range map[string]struct {
		at   float64
		code int32
		want finding.YesNo
	}{
		"minutes later":                       {300, 143, finding.Yes},
		"an hour later":                       {3000, 143, finding.Unknown},
		"an hour later, and it was lost then": {3000, 255, finding.Yes},
	} {
		reason := map[int32]string{143: "Error", 255: "Unknown"}[c.code]
		s := analyzertest.New().Status(10, 42.5, c.code, reason, 0).Add(evidence.SourceSystemd,
			c.at, nobody, evidence.KernelBooted{BootID: "b2"})
		if got := find(t, s).NodeEvents.Boot.Answer; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestARuntimeThatGivesNoAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		at    float64
		state evidence.RuntimeState
		want  finding.YesNo
	}{
		"around the end":               {50, evidence.RuntimeNoAnswer, finding.Yes},
		"long before":                  {-200, evidence.RuntimeNoAnswer, finding.Unknown},
		"long after":                   {200, evidence.RuntimeNoAnswer, finding.Unknown},
		"another complaint":            {50, evidence.RuntimeSyncSkipped, finding.Unknown},
		"while the kubelet was coming": {95, evidence.RuntimeNoAnswer, finding.Unknown},
	} {
		s := base().Logs().KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(90,
			"v1.30.14", 81).Add(evidence.SourceKubeletLog, c.at, nobody, evidence.RuntimeTrouble{State: c.state})
		if got := find(t, s).RuntimeDown.Answer; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
