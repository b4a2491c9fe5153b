package detail

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAnInstanceIsASpanThatSaysHowItEnded(t *testing.T) {
	base := func() *timeline.Instance {
		return &timeline.Instance{ID: "c", Attempt: 2, Started: at(1), Finished: at(9),
			ExitCode: code(137), Reason: "OOMKilled", Records: []string{"r1"}}
	}
	for _, c := range []struct {
		name   string
		change func(*timeline.Instance)
		until  time.Time
		want   report.Span
	}{
		{name: "killed", until: at(9), want: report.Span{From: report.Time(at(1)),
			To: report.Time(at(9)), Text: "attempt 2: exit code 137 (OOMKilled)", Bad: true, Evidence: []string{"r1"}}},
		{name: "an exit code without a reason", until: at(9), change: func(in *timeline.Instance) { in.Reason = "" },
			want: report.Span{From: report.Time(at(1)), To: report.Time(at(9)),
				Text: "attempt 2: exit code 137", Bad: true, Evidence: []string{"r1"}}},
		{name: "a clean exit", until: at(9), change: func(in *timeline.Instance) {
			in.ExitCode, in.Reason = code(0), "Completed"
		},
			want: report.Span{From: report.Time(at(1)), To: report.Time(at(9)),
				Text: "attempt 2: exit code 0 (Completed)", Evidence: []string{"r1"}}},
		{name: "an end without a code", until: at(9), change: func(in *timeline.Instance) { in.ExitCode = nil },
			want: report.Span{From: report.Time(at(1)), To: report.Time(at(9)),
				Text: "attempt 2: ended, its exit code is not known", Evidence: []string{"r1"}}},
		{name: "an end that only its successor tells of", until: at(20),
			change: func(in *timeline.Instance) { in.ExitCode, in.Finished = nil, time.Time{} },
			want: report.Span{From: report.Time(at(1)), To: report.Time(at(20)),
				Text: "attempt 2: when it ended is not known", Evidence: []string{"r1"}}},
		{name: "one that runs", change: func(in *timeline.Instance) { in.ExitCode, in.Finished = nil, time.Time{} },
			want: report.Span{From: report.Time(at(1)), Text: "attempt 2: runs", Evidence: []string{"r1"}}},
		{name: "an attempt that nobody counted", until: at(9), change: func(in *timeline.Instance) { in.Attempt = -1 },
			want: report.Span{From: report.Time(at(1)), To: report.Time(at(9)),
				Text: "an instance: exit code 137 (OOMKilled)", Bad: true, Evidence: []string{"r1"}}},
		{name: "made and never started", until: at(9), change: func(in *timeline.Instance) {
			in.Started, in.Created = time.Time{}, at(0.5)
		},
			want: report.Span{From: report.Time(at(0.5)), To: report.Time(at(9)),
				Text: "attempt 2: exit code 137 (OOMKilled)", Bad: true, Evidence: []string{"r1"}}},
		{name: "a beginning that nobody saw", until: at(9), change: func(in *timeline.Instance) { in.Started = time.Time{} },
			want: report.Span{To: report.Time(at(9)), Text: "attempt 2: exit code 137 (OOMKilled)",
				Bad: true, Evidence: []string{"r1"}}},
		{name: "log lines of its start and end", until: at(9), change: func(in *timeline.Instance) {
			in.Marks = []timeline.Occurrence{
				{At: at(1), Obs: &evidence.Observation{ID: "l1", Fact: evidence.ContainerStarted{}}},
				{At: at(5), Obs: &evidence.Observation{ID: "l2", Fact: evidence.ProbeFailed{}}},
				{At: at(9), Obs: &evidence.Observation{ID: "l3", Fact: evidence.TaskExited{}}},
				{At: at(9), Obs: &evidence.Observation{ID: "r1", Fact: evidence.ContainerDied{}}},
			}
		}, want: report.Span{From: report.Time(at(1)), To: report.Time(at(9)),
			Text: "attempt 2: exit code 137 (OOMKilled)", Bad: true, Evidence: []string{"r1", "l1", "l3"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := base()
			if c.change != nil {
				c.change(in)
			}
			if diff := cmp.Diff(c.want, instanceSpan(in, c.until)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestASandboxIsASpanThatSaysWhetherItDied(t *testing.T) {
	obs := func(id string, f evidence.Fact) *evidence.Observation {
		return &evidence.Observation{ID: id, Fact: f}
	}
	base := func() *timeline.Sandbox { return &timeline.Sandbox{ID: "box", Attempt: 1, Created: at(1), Ready: true} }
	died := timeline.Occurrence{At: at(9), Obs: obs("died", evidence.ContainerDied{})}
	for _, c := range []struct {
		name   string
		change func(*timeline.Sandbox)
		want   report.Span
	}{
		{"one that is ready", func(*timeline.Sandbox) {},
			report.Span{From: report.Time(at(1)), Text: "attempt 1: ready", Evidence: []string{"record"}}},
		{"one of which no more is known", func(b *timeline.Sandbox) { b.Ready, b.Attempt = false, -1 },
			report.Span{From: report.Time(at(1)), Text: "sandbox", Evidence: []string{"record"}}},
		{"one that died by itself", func(b *timeline.Sandbox) { b.Died = []timeline.Occurrence{died} },
			report.Span{From: report.Time(at(1)), To: report.Time(at(9)), Text: "attempt 1: ended",
				Bad: true, Evidence: []string{"record", "died"}}},
		{"one that died before it was stopped", func(b *timeline.Sandbox) {
			b.Died, b.StopRequested = []timeline.Occurrence{died},
				[]timeline.Occurrence{{At: at(11), Obs: obs("stop", evidence.SandboxStopRequested{})}}
		}, report.Span{From: report.Time(at(1)), To: report.Time(at(9)), Text: "attempt 1: ended before the stop request",
			Bad: true, Evidence: []string{"record", "stop", "died"}}},
		{"one that was stopped", func(b *timeline.Sandbox) {
			b.Died, b.StopRequested = []timeline.Occurrence{died},
				[]timeline.Occurrence{{At: at(8), Obs: obs("stop", evidence.SandboxStopRequested{})}}
		}, report.Span{From: report.Time(at(1)), To: report.Time(at(9)), Text: "attempt 1: ended",
			Evidence: []string{"record", "stop", "died"}}},
		{"one whose end nobody saw", func(b *timeline.Sandbox) {
			b.StopRequested = []timeline.Occurrence{{At: at(8), Obs: obs("stop", evidence.SandboxStopRequested{})}}
		}, report.Span{From: report.Time(at(1)), To: report.Time(at(8)), Text: "attempt 1: stopped",
			Evidence: []string{"record", "stop"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := base()
			c.change(b)
			all := []*evidence.Observation{
				{ID: "record", Subject: evidence.Subject{SandboxID: "box"}, Fact: evidence.SandboxRecord{}},
				{ID: "another", Subject: evidence.Subject{SandboxID: "other"}, Fact: evidence.SandboxRecord{}},
				{ID: "container", Subject: evidence.Subject{SandboxID: "box", ContainerID: "c"}, Fact: evidence.ContainerRecord{}},
			}
			s := &scene{ix: &index{obs: all}, records: []int32{0, 1, 2}}
			if diff := cmp.Diff(c.want, s.sandboxSpan(b)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSpansAreInOrder(t *testing.T) {
	spans := inOrder([]report.Span{{From: report.Time(at(5)), Text: "b"},
		{From: report.Time(at(5)), Text: "a"}, {To: report.Time(at(1)), Text: "open"}, {From: report.Time(at(2)), Text: "c"}})
	got := ""
	for _, s := range spans {
		got += s.Text + " "
	}
	if got != "open c a b " {
		t.Errorf("in the order %s", got)
	}
}
