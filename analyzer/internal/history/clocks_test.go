package history_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// PIDs are reused: after a boot kubelets often get the same one again.
func TestOneKubeletToldTwiceAndTwoWithOnePID(t *testing.T) {
	for name, c := range map[string]struct {
		apart float64
		pid   int
		want  int
	}{
		"one start, told twice":         {1, 80, 1},
		"one PID, ten minutes later":    {600, 80, 2},
		"another PID a second later":    {1, 81, 2},
		"told without a PID soon after": {5, 0, 1},
	} {
		s := analyzertest.New().KubeletStarts(0, "v1.30.14", 80).KubeletStarts(c.apart, "v1.30.14", c.pid)
		if got := len(history.Build(s.Snapshot()).Nodes[analyzertest.Node].Kubelet); got != c.want {
			t.Errorf("%s: %d processes, want %d", name, got, c.want)
		}
	}
}

func TestSinceWhenANodeHasItsVersion(t *testing.T) {
	s := analyzertest.New()
	for i, v := range []string{"v1.29.1", "v1.30.1", "v1.30.1", "v1.31.1", "v1.30.1", "v1.30.1"} {
		s.KubeletStarts(float64(100*i), v, 100+i)
	}
	n := history.Build(s.Snapshot()).Nodes[analyzertest.Node]
	for at, want := range map[float64]float64{50: -1, 150: 100, 250: 100, 350: 300, 450: 400, 550: 400} {
		got := -1.0
		if run := n.Upgraded(analyzertest.At(at)); run != nil {
			got = run.Start.Sub(analyzertest.T0).Seconds()
		}
		if got != want {
			t.Errorf("at %v: since %v, want %v", at, got, want)
		}
	}
	for span, want := range map[[2]float64]bool{{150, 250}: true, {150, 299}: true,
		{150, 350}: false, {150, 450}: false, {410, 900}: true, {-10, 50}: false} {
		if got := n.OneVersion(analyzertest.At(span[0]), analyzertest.At(span[1])); got != want {
			t.Errorf("%v: %v, want %v", span, got, want)
		}
	}
	var nowhere *timeline.NodeStory
	if nowhere.Upgraded(analyzertest.T0) != nil {
		t.Error("a node that is not known has a version")
	}
}

func TestBetweenWhichMomentsAnInstanceEnded(t *testing.T) {
	for name, c := range map[string]struct {
		story            *analyzertest.Story
		earliest, latest float64
	}{
		"by the runtime's record": {analyzertest.New().Records(10, 42.3, 1, "Error", 44, nil), 42.3, 42.3},
		"by the API":              {analyzertest.New().Status(10, 42.3, 1, "Error", 44), 42, 43},
		"by PLEG": {analyzertest.New().Add(evidence.SourceKubeletLog, 10, named("a", analyzertest.OldID, ""),
			evidence.ContainerStarted{}).
			Kubelet(42.3, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 1}), 41.3, 42.3},
	} {
		earliest, latest := history.Build(c.story.Snapshot()).Restarts[0].From.EndWithin()
		if !earliest.Equal(at(c.earliest)) || !latest.Equal(at(c.latest)) {
			t.Errorf("%s: %v to %v", name, earliest, latest)
		}
	}
	started := analyzertest.New().Add(evidence.SourceKubeletLog, 10, named("a", analyzertest.OldID, ""),
		evidence.ContainerStarted{}).Kubelet(42.3, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 1})
	if !history.Build(started.Snapshot()).Restarts[0].From.StartByPLEG() ||
		history.Build(started.Records(10, 42.3, 1, "Error", 44, nil).Snapshot()).Restarts[0].From.StartByPLEG() {
		t.Error("who told the start")
	}
	var unknown timeline.Instance
	if a, b := unknown.EndWithin(); !a.IsZero() || !b.IsZero() {
		t.Errorf("an end that is not known: %v to %v", a, b)
	}
}

// Systemd's lines name no container. One file has one clock.
func TestSystemdIsDatedByTheClockOfItsFile(t *testing.T) {
	const syslog, unit = "nodes/n1/syslog", "containerd.service"
	story := func(where string, by time.Duration) *timeline.NodeStory {
		s := analyzertest.New().Logs()
		for i := range 4 {
			at := float64(10 + 100*i)
			id := string(rune('1'+i)) + analyzertest.OldID[1:]
			s.Add(evidence.SourceCRI, at, named("a", id, ""), exited(i, at, at+50, 1))
			s.Kubelet(at+50.4, id, evidence.ContainerDied{})
		}
		s.Add(evidence.SourceSystemd, 60, evidence.Subject{}, evidence.UnitChanged{Unit: unit, Change: "stopping"})
		for i := range s.Observations {
			switch o := &s.Observations[i]; o.Source.Kind {
			case evidence.SourceKubeletLog:
				o.Source.Where, o.Time = syslog, o.Time.Add(by)
			case evidence.SourceSystemd:
				o.Source.Where, o.Time = where, o.Time.Add(by)
			}
		}
		return history.Build(s.Snapshot()).Nodes[analyzertest.Node]
	}
	for name, c := range map[string]struct {
		where string
		by    time.Duration
		want  float64
	}{
		"the same file, five hours ahead":   {syslog, 5 * time.Hour, 60},
		"the same file, seven minutes late": {syslog, -7 * time.Minute, 60},
		"the same file on the same clock":   {syslog, 0, 60},
		"a file of its own":                 {"nodes/n1/boot.log", 5 * time.Hour, 60 + 5*3600},
	} {
		deeds := story(c.where, c.by).AdminActions
		if len(deeds) != 1 || deeds[0].At.Sub(at(c.want)).Abs() > 2*time.Second {
			t.Errorf("%s: %+v, want second %v", name, deeds, c.want)
		}
	}
}

// The kubelet sees starts and ends late: how late must not count as part of a time zone, or what it did right after an
// end would move before it.
func TestHowLateLinesAreIsNoPartOfAZone(t *testing.T) {
	for by, want := range map[time.Duration]time.Duration{time.Hour: time.Hour, -5 * time.Hour: -5 * time.Hour,
		5*time.Hour + 30*time.Minute: 5*time.Hour + 30*time.Minute, 40 * time.Second: 40*time.Second + 700*time.Millisecond,
		-40 * time.Second:               -40*time.Second + 700*time.Millisecond,
		-30*time.Minute - 2*time.Second: -30*time.Minute - 1300*time.Millisecond} { // lines never come early
		s := analyzertest.New()
		for i := range 4 {
			of := evidence.Subject{PodUID: "u1", Container: "app", ContainerID: strings.Repeat(strconv.Itoa(i), 64)}
			start, end := float64(100*i), float64(100*i+50)
			s.Add(evidence.SourceCRI, end, of, evidence.ContainerRecord{State: evidence.StateExited, Attempt: i,
				Started: analyzertest.At(start), Finished: analyzertest.At(end)})
			s.Add(evidence.SourceKubeletLog, start+0.7+by.Seconds(), of, evidence.ContainerStarted{})
			s.Add(evidence.SourceKubeletLog, end+0.9+by.Seconds(), of, evidence.ContainerDied{})
		}
		got := history.Build(s.Snapshot()).Clocks[timeline.Clock{Node: analyzertest.Node, Source: evidence.SourceKubeletLog}]
		if got.Offset != want {
			t.Errorf("lines that are %s ahead: %s, want %s", by, got.Offset, want)
		}
		if want := by%tolerance.ZoneStep != 0; got.Loose != want {
			t.Errorf("lines that are %s ahead: loose is %v", by, got.Loose)
		}
	}
}

// A relist that was stuck shows many ends at once, each as late as the others: that is no clock.
func TestOneLateRelistIsNoClock(t *testing.T) {
	for name, c := range map[string]struct {
		soon bool // another line comes right behind what it tells
		seen func(i int) float64
		want time.Duration
	}{
		"one relist":            {false, func(int) float64 { return 73 }, 0},
		"one each, and one now": {true, func(i int) float64 { return 73 + float64(i) }, 0},
		"one each":              {false, func(i int) float64 { return 73 + float64(i) }, 23 * time.Second},
	} {
		s := analyzertest.New().Logs()
		of := func(i int) evidence.Subject {
			return evidence.Subject{PodUID: "u1", Container: "c" + strconv.Itoa(i),
				ContainerID: strings.Repeat(strconv.Itoa(i), 64)}
		}
		for i := range 4 {
			end := 50 + float64(i)
			s.Add(evidence.SourceCRI, end, of(i), evidence.ContainerRecord{State: evidence.StateExited,
				Started: analyzertest.At(1), Finished: analyzertest.At(end)})
			s.Add(evidence.SourceKubeletLog, c.seen(i), of(i), evidence.ContainerFinished{ExitCode: 1})
			s.Add(evidence.SourceKubeletLog, c.seen(i), of(i), evidence.ContainerDied{})
		}
		if c.soon {
			s.Add(evidence.SourceKubeletLog, 1.4, of(0), evidence.ContainerStarted{})
		}
		h := history.Build(s.Snapshot())
		if got := h.Clocks[timeline.Clock{Node: analyzertest.Node, Source: evidence.SourceKubeletLog}]; got.Offset != c.want {
			t.Errorf("%s: %s, want %s", name, got.Offset, c.want)
		}
	}
}
