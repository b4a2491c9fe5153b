package analyzer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var kinds = []evidence.SourceKind{
	evidence.SourceAPI, evidence.SourceKubeletLog, evidence.SourceRuntimeLog,
	evidence.SourceKernelLog, evidence.SourceCRI, evidence.SourceSystemd,
}

// "any" accepts any confidence where several honest answers exist; a proven other cause is never honest.
func TestMisleadingStoriesAreNotBelieved(t *testing.T) {
	for _, told := range misleading() {
		t.Run(told.Name, func(t *testing.T) {
			for _, it := range judge(told.Story()).Items {
				v := it.Verdict
				if v.Confidence == report.Proven && v.Cause != told.Cause {
					t.Errorf("proven %s, the truth is %s", v.Cause, told.Cause)
				}
				if told.Confidence != "any" && (v.Cause != told.Cause || string(v.Confidence) != told.Confidence) {
					t.Errorf("got %s (%s), want %s (%s)\nsummary: %s\nmissing: %+v\nalternatives: %+v",
						v.Cause, v.Confidence, told.Cause, told.Confidence, v.Summary, v.Missing, v.Alternatives)
				}
				if told.Confidence == "any" && v.Cause != told.Cause {
					t.Logf("%s (%s), the truth is %s", v.Cause, v.Confidence, told.Cause)
				}
			}
		})
	}
}

// Permissions differ from place to place: any subset of the sources may be available. None may make the analyzer sure
// of something wrong.
func TestNoSubsetOfTheSourcesProvesAnotherCause(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	for _, told := range slices.Concat(analyzertest.Stories(), misleading()) {
		for set := range 1 << len(kinds) {
			var chosen []evidence.SourceKind
			for i, k := range kinds {
				if set&(1<<i) != 0 {
					chosen = append(chosen, k)
				}
			}
			for _, silent := range []bool{false, true} {
				s := only(told.Story(), chosen...)
				if silent {
					s.Coverage = nil
				}
				for _, it := range judge(s).Items {
					if it.Verdict.Confidence == report.Proven && it.Verdict.Cause != told.Cause {
						t.Errorf("%s, from %v (without coverage: %v): proven %s: %s", told.Name,
							chosen, silent, it.Verdict.Cause, it.Verdict.Summary)
					}
				}
			}
		}
	}
}

func TestNoSinglePieceOfAMisleadingStoryIsAllThatHoldsItBack(t *testing.T) {
	for _, told := range misleading() {
		for i := range told.Story().Observations {
			s := told.Story()
			gone := s.Observations[i]
			s.Observations = slices.Delete(s.Observations, i, i+1)
			// A log that lost a line does not cover the time.
			s.Coverage = slices.DeleteFunc(s.Coverage, func(c evidence.Coverage) bool { return c.Source == gone.Source.Kind })
			for _, it := range judge(s).Items {
				if it.Verdict.Confidence == report.Proven && it.Verdict.Cause != told.Cause {
					t.Errorf("%s without %s (%s): proven %s", told.Name, gone.Text, gone.Source.Kind, it.Verdict.Cause)
				}
			}
		}
	}
}

func TestAReadinessFlipAfterAKubeletRestartIsNoRestart(t *testing.T) {
	s := analyzertest.New().Events().Logs().KubeletStarts(-500, "v1.25.3", 80).KubeletStarts(38, "v1.25.3", 2080)
	s.Add(evidence.SourceAPI, 10, evidence.Subject{Namespace: analyzertest.Namespace,
		Pod: analyzertest.PodName, PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.NewID},
		evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 0, Started: analyzertest.At(10), RestartCount: 0})
	s.Event(39, evidence.ProbeFailed{Probe: evidence.ProbeReadiness, Count: 1})
	for _, it := range judge(s).Items {
		if it.Kind == report.Restart || it.Kind == report.Death {
			t.Errorf("a %s is reported: %s", it.Kind, it.Verdict.Summary)
		}
	}
}

func TestAnotherHourGivesTheSameVerdict(t *testing.T) {
	for _, told := range slices.Concat(analyzertest.Stories(), misleading()) {
		want := judge(told.Story())
		for _, by := range []float64{-1800, 1800} {
			s := told.Story()
			shift := analyzertest.At(by).Sub(analyzertest.At(0))
			s.Pod.CreatedAt = s.Pod.CreatedAt.Add(shift)
			for i := range s.Observations {
				o := &s.Observations[i]
				if !o.Time.IsZero() {
					o.Time = o.Time.Add(shift)
				}
				switch f := o.Fact.(type) {
				case evidence.ContainerRecord:
					if !f.Created.IsZero() {
						f.Created = f.Created.Add(shift)
					}
					if !f.Started.IsZero() {
						f.Started = f.Started.Add(shift)
					}
					if !f.Finished.IsZero() {
						f.Finished = f.Finished.Add(shift)
					}
					o.Fact = f
				case evidence.SandboxRecord:
					f.Created = f.Created.Add(shift)
					o.Fact = f
				case evidence.StaticManifest:
					f.Changed = f.Changed.Add(shift)
					o.Fact = f
				}
			}
			for i := range s.Coverage {
				s.Coverage[i].From, s.Coverage[i].Until = s.Coverage[i].From.Add(shift), s.Coverage[i].Until.Add(shift)
			}
			same(t, fmt.Sprintf("%s, %v s later", told.Name, by), want, judge(s))
		}
	}
}

func TestOtherNamesGiveTheSameVerdict(t *testing.T) {
	names := strings.NewReplacer("1111", "9c9c", "2222", "4d4d", "5a5a", "e1e1", "5b5b", "f2f2", "0b222463", "7c111352")
	for _, told := range slices.Concat(analyzertest.Stories(), misleading()) {
		s := told.Story()
		rename(s, names.Replace, "blog", "db-7", "node-b")
		same(t, told.Name, judge(told.Story()), judge(s))
	}
}

// rename gives a story other names, ids and another node.
func rename(s *analyzertest.Story, id func(string) string, namespace, pod, node string) {
	s.Witness()
	s.Pod.Namespace, s.Pod.Name, s.Pod.UID, s.Pod.Node = namespace, pod, id(s.Pod.UID), node
	s.NodeInfo.Name = node
	for i := range s.Observations {
		o := &s.Observations[i]
		sub := &o.Subject
		if sub.Pod != "" {
			sub.Namespace, sub.Pod = namespace, pod
		}
		sub.PodUID, sub.ContainerID, sub.SandboxID = id(sub.PodUID), id(sub.ContainerID), id(sub.SandboxID)
		sub.Node, o.Source.Node = node, node
		if k, ok := o.Fact.(evidence.OOMKill); ok {
			k.OOMMemcg, k.TaskMemcg = id(k.OOMMemcg), id(k.TaskMemcg)
			o.Fact = k
		}
	}
	for i := range s.Coverage {
		if s.Coverage[i].Node != "" {
			s.Coverage[i].Node = node
		}
	}
}

// same compares verdicts without names and times.
func same(t *testing.T, what string, want, got *report.Report) {
	t.Helper()
	if len(want.Items) != len(got.Items) {
		t.Errorf("%s: %d items, want %d", what, len(got.Items), len(want.Items))
		return
	}
	for i := range want.Items {
		w, g := want.Items[i].Verdict, got.Items[i].Verdict
		if w.Cause != g.Cause || w.Mechanism != g.Mechanism || w.Confidence != g.Confidence ||
			len(w.Chain) != len(g.Chain) || w.Eliminated.Count() != g.Eliminated.Count() {
			t.Errorf("%s: %s (%s), want %s (%s)", what, g.Cause, g.Confidence, w.Cause, w.Confidence)
		}
	}
}

// A second node with a story of its own changes nothing for the first.
func TestTwoNodesDoNotMixTheirStories(t *testing.T) {
	names := strings.NewReplacer("1111", "9c9c", "2222", "4d4d", "5a5a", "e1e1", "5b5b", "f2f2", "0b222463", "7c111352")
	all := slices.Concat(analyzertest.Stories(), misleading())
	for i, told := range all {
		other := all[(i+7)%len(all)]
		one, two := told.Story().Witness(), other.Story()
		rename(two, names.Replace, "blog", "db-7", "n2")
		b := evidence.NewBuilder(analyzertest.At(3600))
		for _, s := range []*analyzertest.Story{one, two} {
			b.Node(s.NodeInfo)
			b.Pod(s.Pod)
			for _, o := range s.Observations {
				b.Observe(o)
			}
			for _, c := range s.Coverage {
				b.Cover(c)
			}
		}
		r := analyzer.Analyze(b.Build(), analyzer.Options{GeneratedAt: analyzertest.At(3600)})
		mine, theirs := &report.Report{}, &report.Report{}
		for _, it := range r.Items {
			if it.Node == analyzertest.Node {
				mine.Items = append(mine.Items, it)
			} else {
				theirs.Items = append(theirs.Items, it)
			}
		}
		same(t, told.Name+" beside "+other.Name, judge(told.Story()), mine)
		same(t, other.Name+" beside "+told.Name, judge(other.Story()), theirs)
	}
}
