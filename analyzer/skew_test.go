package analyzer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// witnesses adds three other containers of the node, which ran and ended at other times and are in the records and all
// logs.
func witnesses(s *analyzertest.Story) *analyzertest.Story {
	code := int32(137)
	s.Witness() // the log that tells of its end is on the same clock
	for i := range 3 {
		start, end := float64(200+i*100), float64(250+i*100)
		w := evidence.Subject{Namespace: "ops", Pod: fmt.Sprint("w", i), PodUID: fmt.Sprint("uid-w", i),
			Container: "w", ContainerID: strings.Repeat(fmt.Sprint(i+3), 64), SandboxID: strings.Repeat(fmt.Sprint(i+6), 64)}
		id := evidence.Subject{PodUID: w.PodUID, ContainerID: w.ContainerID}
		path := "/kubepods/burstable/pod" + w.PodUID + "/" + w.ContainerID
		s.Add(evidence.SourceCRI, end, w, evidence.ContainerRecord{State: evidence.StateExited,
			Attempt: 0, Created: analyzertest.At(start - 0.1), Started: analyzertest.At(start),
			Finished: analyzertest.At(end), ExitCode: &code, Reason: "OOMKilled"})
		s.Add(evidence.SourceKubeletLog, start+0.4, id, evidence.ContainerStarted{}).Add(evidence.SourceKubeletLog,
			end+0.7, id, evidence.ContainerDied{})
		s.Add(evidence.SourceRuntimeLog, start-0.1, w, evidence.RuntimeCreated{}).Add(evidence.SourceRuntimeLog,
			end+0.05, evidence.Subject{ContainerID: w.ContainerID}, evidence.TaskExited{})
		s.Add(evidence.SourceKernelLog, end-0.02, evidence.Subject{ContainerID: w.ContainerID},
			evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: path, TaskMemcg: path, Task: "w", PID: 1})
	}
	return s
}

// shifted dates one source of a story by another clock.
func shifted(s *analyzertest.Story, source evidence.SourceKind, by time.Duration) *analyzertest.Story {
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Source.Kind == source && !o.Time.IsZero() {
			o.Time = o.Time.Add(by)
		}
	}
	for i := range s.Coverage {
		if c := &s.Coverage[i]; c.Source == source {
			c.From, c.Until = c.From.Add(by), c.Until.Add(by)
		}
	}
	return s
}

// told returns the verdict on the story's own pod, which is none of the witnesses; an empty one if there is no item
// about it.
func told(r *report.Report) report.Verdict {
	i := slices.IndexFunc(r.Items, func(it report.Item) bool { return it.Namespace != "ops" })
	if i < 0 {
		return report.Verdict{}
	}
	return r.Items[i].Verdict
}

var (
	logs   = []evidence.SourceKind{evidence.SourceKubeletLog, evidence.SourceRuntimeLog, evidence.SourceKernelLog}
	shifts = []time.Duration{-7 * time.Minute, -45 * time.Second, 20 * time.Second, 3 * time.Minute, 5 * time.Hour}
)

// holds reports whether a verdict is the one that is wanted. Where a log is ahead by what is no zone it may be late
// instead, so that what it dates after an end proves nothing.
func holds(got, want report.Verdict, by time.Duration) bool {
	ahead := by > 0 && by%(15*time.Minute) != 0
	return got.Cause == want.Cause && (got.Confidence == want.Confidence || ahead && want.Confidence == report.Proven &&
		got.Confidence == report.Likely)
}

// Another zone, another clock: verdicts stay the same.
func TestALogOnAnotherClockChangesNoVerdict(t *testing.T) {
	for _, one := range analyzertest.Stories() {
		want := told(judge(witnesses(one.Story())))
		if want.Cause == "" {
			t.Errorf("%s: nothing is told of it", one.Name)
		}
		for _, source := range logs {
			for _, by := range shifts {
				r := judge(shifted(witnesses(one.Story()), source, by))
				got := told(r)
				if !holds(got, want, by) {
					t.Errorf("%s, %s shifted by %s: %s (%s), want %s (%s)", one.Name,
						source, by, got.Cause, got.Confidence, want.Cause, want.Confidence)
				}
				i := slices.IndexFunc(r.Profile[0].ClockSkew, func(s report.ClockSkew) bool { return s.Source == string(source) })
				if i < 0 {
					t.Errorf("%s, %s shifted by %s: the report does not say so: %+v", one.Name, source, by, r.Profile)
					continue
				}
				s := r.Profile[0].ClockSkew[i]
				off := (time.Duration(s.Seconds*float64(time.Second)) - by).Abs()
				if off > 2*time.Second || s.Pairs < 3 || len(s.Evidence) == 0 {
					t.Errorf("%s, %s shifted by %s: %+v", one.Name, source, by, s)
				}
			}
		}
	}
}

// The kernel's log reports what a disk lost, by its own clock.
func TestALossOnAnotherClockIsWhereItWas(t *testing.T) {
	at := slices.IndexFunc(analyzertest.Stories(), func(s analyzertest.Told) bool {
		return told(judge(witnesses(s.Story()))).Cause == "app-exit-error"
	})
	story := analyzertest.Stories()[at].Story
	for _, by := range append(shifts, 0) {
		for lost, want := range map[float64]report.Confidence{16: report.Likely, 1500: report.Proven} {
			s := shifted(witnesses(story()), evidence.SourceKernelLog, by).Snapshot()
			s.Losses = []evidence.Loss{{Node: analyzertest.Node, Source: evidence.SourceKernelLog,
				From: analyzertest.At(lost).Add(by), Until: analyzertest.At(lost + 2).Add(by)}}
			r := analyzer.Analyze(s, analyzer.Options{GeneratedAt: analyzertest.At(3600)})
			if got := told(r).Confidence; (got == report.Proven) != (want == report.Proven) {
				t.Errorf("lost at %v by a clock that is off by %s: %s, want %s", lost, by, got, want)
			}
		}
	}
}

// All logs of a node that was read in a wrong zone.
func TestAllLogsOnAnotherClockChangeNoVerdict(t *testing.T) {
	for _, one := range analyzertest.Stories() {
		want := told(judge(witnesses(one.Story())))
		for _, by := range shifts {
			s := witnesses(one.Story())
			for _, source := range logs {
				s = shifted(s, source, by)
			}
			if got := told(judge(s)); !holds(got, want, by) {
				t.Errorf("%s shifted by %s: %s (%s), want %s (%s)", one.Name, by, got.Cause,
					got.Confidence, want.Cause, want.Confidence)
			}
		}
	}
}

// Without enough pairs nothing is corrected, and nothing wrong becomes certain.
func TestAClockThatNothingTellsOfNeverProvesAnotherCause(t *testing.T) {
	for _, one := range slices.Concat(analyzertest.Stories(), misleading()) {
		// What the kubelet did last is true whatever was behind it.
		last := map[string]bool{one.Cause: true}
		for _, it := range judge(one.Story()).Items {
			last[it.Verdict.Mechanism] = true
		}
		for _, source := range logs {
			for _, by := range shifts {
				s := one.Story()
				for _, o := range s.Observations { // a runtime's log has the end of every container
					if f, ok := o.Fact.(evidence.ContainerRecord); ok && o.Source.Kind == evidence.SourceCRI && !f.Finished.IsZero() {
						s.Add(evidence.SourceRuntimeLog, f.Finished.Sub(analyzertest.T0).Seconds()+0.05,
							evidence.Subject{ContainerID: o.Subject.ContainerID}, evidence.TaskExited{})
					}
				}
				for _, it := range judge(shifted(s, source, by)).Items {
					if v := it.Verdict; v.Confidence == report.Proven && !last[v.Cause] {
						t.Errorf("%s, %s shifted by %s: proven %s (%s)", one.Name, source, by, v.Cause, v.Summary)
					}
				}
			}
		}
	}
}

func TestTheAPIServersClockIsBroughtToTheNodes(t *testing.T) {
	edit := func() *analyzertest.Story {
		s := analyzertest.New().Events().Logs().Status(310, 342.5, 137, "Error", 343)
		s.Pod.SpecWrites = []evidence.SpecWrite{{Manager: "kubectl", Time: analyzertest.At(339),
			Images: []string{"a"}, OnlyImages: true}}
		return s
	}
	for _, by := range []time.Duration{-10 * time.Minute, 4 * time.Minute} {
		s := edit()
		s.Pod.CreatedAt = s.Pod.CreatedAt.Add(by)
		s.Pod.SpecWrites[0].Time = s.Pod.SpecWrites[0].Time.Add(by)
		s.Add(evidence.SourceAPI, 300, evidence.Subject{},
			evidence.ClockCompared{Offset: -by, Least: -by, Most: -by, Pairs: 5})
		r := judge(s)
		if len(r.Profile) != 1 || len(r.Profile[0].ClockSkew) != 1 || r.Profile[0].ClockSkew[0].Seconds != by.Seconds() {
			t.Fatalf("API server %s ahead: %+v", by, r.Profile)
		}
		if want, got := told(judge(edit())), told(r); got.Cause != want.Cause || got.Confidence != want.Confidence {
			t.Errorf("API server %s ahead: %s (%s), want %s (%s)", by, got.Cause, got.Confidence, want.Cause, want.Confidence)
		}
	}
}

// What people see of it.
func TestADifferentClockIsSaid(t *testing.T) {
	s := shifted(witnesses(analyzertest.Stories()[0].Story()), evidence.SourceKernelLog, -3*time.Minute)
	r := judge(s)
	if len(r.NodeNotes) != 1 || !strings.HasPrefix(r.NodeNotes[0].Text,
		"its kernel-log is 3m0s behind its containers' times, by 3 pairs") {
		t.Errorf("%+v", r.NodeNotes)
	}
	for _, id := range r.NodeNotes[0].Evidence {
		if r.Find(id) == nil {
			t.Errorf("the note cites %s, which the report lacks", id)
		}
	}
	if r := judge(witnesses(analyzertest.Stories()[0].Story())); len(r.NodeNotes) > 0 || len(r.Profile[0].ClockSkew) > 0 {
		t.Errorf("clocks that agree are said to differ: %+v %+v", r.NodeNotes, r.Profile)
	}
}

func TestASnapshotStaysAsItIs(t *testing.T) {
	s := shifted(witnesses(analyzertest.Stories()[0].Story()), evidence.SourceKubeletLog, time.Hour).Snapshot()
	before := slices.Clone(s.Observations)
	analyzer.Analyze(s, analyzer.Options{})
	for i := range before {
		if !before[i].Time.Equal(s.Observations[i].Time) || before[i].ID != s.Observations[i].ID {
			t.Fatalf("observation %d was changed", i)
		}
	}
}
