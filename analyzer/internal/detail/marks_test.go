package detail

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// seen is an observation of container a.
func seen(id string, kind evidence.SourceKind, seconds float64, f evidence.Fact) *evidence.Observation {
	return &evidence.Observation{ID: id, Time: at(seconds), Subject: evidence.Subject{Container: "a", ContainerID: "old"},
		Source: evidence.Source{Kind: kind}, Fact: f}
}

// laid puts observations on a board, log lines first.
func laid(decisive string, obs ...*evidence.Observation) []report.Lane {
	var order []int32
	for i := range obs {
		order = append(order, int32(i))
	}
	b := newBoard()
	twice(obs, order, func(o *evidence.Observation) {
		for _, x := range known().tellAll(o) {
			b.put(x, o, "a", o.ID == decisive)
		}
	})
	return b.lanes(at(0))
}

func mark(seconds float64, text string, ids ...string) report.Mark {
	return report.Mark{At: at(seconds), Text: text, Evidence: ids}
}

func TestOneThingIsOneMark(t *testing.T) {
	kill := evidence.KillDecided{Reason: evidence.KillLiveness, Message: says("Container a failed liveness probe"),
		Count: 1}
	const words = "decides to kill a (attempt 3): Container a failed liveness probe"
	line := seen("line", evidence.SourceKubeletLog, 10.4, kill)
	event := func(seconds float64, f evidence.Fact) *evidence.Observation {
		return seen("event", evidence.SourceAPI, seconds, f)
	}
	other := evidence.KillDecided{Message: says("Stopping container a"), Count: 1}
	for _, c := range []struct {
		name string
		obs  []*evidence.Observation
		want []report.Mark
	}{
		{"an event of the second of a log line", []*evidence.Observation{event(10, kill), line},
			[]report.Mark{mark(10.4, words, "line", "event")}},
		{"an event of another second", []*evidence.Observation{event(12, kill), line},
			[]report.Mark{mark(10.4, words, "line"), mark(12, words, "event")}},
		{"an event that says something else", []*evidence.Observation{event(10, other), line},
			[]report.Mark{mark(10, "decides to kill a (attempt 3): Stopping container a", "event"), mark(10.4, words, "line")}},
		{"the same line told twice", []*evidence.Observation{line, seen("again", evidence.SourceKubeletLog, 10.4, kill)},
			[]report.Mark{mark(10.4, words, "line", "again")}},
		{"the same line later", []*evidence.Observation{line, seen("later", evidence.SourceKubeletLog, 10.5, kill)},
			[]report.Mark{mark(10.4, words, "line"), mark(10.5, words, "later")}},
		{"two lines about one end", []*evidence.Observation{
			seen("died", evidence.SourceKubeletLog, 11, evidence.ContainerDied{}),
			seen("code", evidence.SourceKubeletLog, 11.001, evidence.ContainerFinished{ExitCode: 1})},
			[]report.Mark{mark(11, "sees that a (attempt 3) ended with exit code 1", "died", "code")}},
		{"two lines about one end, the other way round", []*evidence.Observation{
			seen("code", evidence.SourceKubeletLog, 11, evidence.ContainerFinished{ExitCode: 1}),
			seen("died", evidence.SourceKubeletLog, 11.001, evidence.ContainerDied{})},
			[]report.Mark{mark(11, "sees that a (attempt 3) ended with exit code 1", "code", "died")}},
		{"two ends", []*evidence.Observation{
			seen("died", evidence.SourceKubeletLog, 11, evidence.ContainerDied{}),
			seen("code", evidence.SourceKubeletLog, 12, evidence.ContainerFinished{ExitCode: 1})},
			[]report.Mark{mark(11, "sees that a (attempt 3) ended", "died"),
				mark(12, "sees that a (attempt 3) ended with exit code 1", "code")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lanes := laid("", c.obs...)
			if len(lanes) != 1 {
				t.Fatalf("%d lanes, want the kubelet's: %+v", len(lanes), lanes)
			}
			if diff := cmp.Diff(c.want, lanes[0].Marks); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAJoinedMarkIsDecisiveIfOneOfItsSourcesIs(t *testing.T) {
	kill := evidence.KillDecided{Message: says("m"), Count: 1}
	lanes := laid("event", seen("line", evidence.SourceKubeletLog, 10.4, kill),
		seen("event", evidence.SourceAPI, 10, kill), seen("other", evidence.SourceKubeletLog, 11, evidence.KillStarted{}))
	marks := lanes[0].Marks
	if len(marks) != 2 || !marks[0].Decisive || marks[1].Decisive {
		t.Errorf("marks %+v: want the first decisive, the second not", marks)
	}
}

func TestLanesComeInTheirOrder(t *testing.T) {
	lanes := laid("",
		seen("1", evidence.SourceAPI, 1, evidence.APIEvent{Reason: "Scheduled"}),
		seen("2", evidence.SourceSystemd, 2, evidence.UnitChanged{Unit: "u", Change: "started"}),
		seen("3", evidence.SourceKernelLog, 3, evidence.KernelBooted{}),
		seen("4", evidence.SourceRuntimeLog, 4, evidence.TaskStarted{}),
		seen("5", evidence.SourceKubeletLog, 5, evidence.KillStarted{}),
		seen("6", evidence.SourceKubeletLog, 6, evidence.ProbeFailed{}))
	var got []report.LaneKind
	for _, l := range lanes {
		got = append(got, l.Kind)
		if l.Name == "" {
			t.Errorf("lane %s has no name", l.Kind)
		}
	}
	if !slices.Equal(got, []report.LaneKind{"probe", "kubelet", "runtime", "kernel", "systemd", "api"}) {
		t.Errorf("lanes %v", got)
	}
	for _, kind := range order {
		if laneNames[kind] == "" {
			t.Errorf("lane %s has no name", kind)
		}
	}
}

func TestAFullLaneKeepsWhatIsNearAndWhatDecides(t *testing.T) {
	obs := []*evidence.Observation{seen("far", evidence.SourceKubeletLog,
		-90000, evidence.ProbeFailed{Probe: evidence.ProbeStartup})}
	for i := range mostMarks + 500 {
		obs = append(obs, seen(fmt.Sprint(i), evidence.SourceKubeletLog, float64(-i),
			evidence.ProbeFailed{Probe: evidence.ProbeReadiness}))
	}
	lane := laid("far", obs...)[0]
	if len(lane.Marks) != mostMarks {
		t.Fatalf("%d marks, want %d", len(lane.Marks), mostMarks)
	}
	if want := fmt.Sprintf("probes (%d of %d)", mostMarks, mostMarks+501); lane.Name != want {
		t.Errorf("named %q, want %q: what is left out is said", lane.Name, want)
	}
	if !lane.Marks[0].Decisive || lane.Marks[len(lane.Marks)-1].Evidence[0] != "0" {
		t.Errorf("kept from %+v to %+v: want the decisive one first and the nearest last",
			lane.Marks[0], lane.Marks[len(lane.Marks)-1])
	}
	if !slices.IsSortedFunc(lane.Marks, func(a, b report.Mark) int { return a.At.Compare(b.At) }) {
		t.Error("the marks that are left are not in order")
	}
}
