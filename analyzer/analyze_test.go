package analyzer_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func judge(s *analyzertest.Story) *report.Report {
	return analyzer.Analyze(s.Snapshot(), analyzer.Options{GeneratedAt: analyzertest.At(3600)})
}

// newest returns the verdict on the story's restart.
func newest(t *testing.T, s *analyzertest.Story) report.Verdict {
	t.Helper()
	r := judge(s)
	if len(r.Items) != 1 {
		t.Fatalf("%d items, want the one restart: %+v", len(r.Items), r.Items)
	}
	return r.Items[0].Verdict
}

func TestEveryStoryGetsItsCause(t *testing.T) {
	for _, told := range analyzertest.Stories() {
		t.Run(told.Name, func(t *testing.T) {
			v := newest(t, told.Story())
			if v.Cause != told.Cause || string(v.Confidence) != told.Confidence {
				t.Errorf("got %s (%s), want %s (%s)\nsummary: %s\nmissing: %+v\nalternatives: %+v",
					v.Cause, v.Confidence, told.Cause, told.Confidence, v.Summary, v.Missing, v.Alternatives)
			}
		})
	}
}

func TestAProvenVerdictShowsItsProof(t *testing.T) {
	for _, told := range analyzertest.Stories() {
		r := judge(told.Story())
		for _, it := range r.Items {
			v := it.Verdict
			if v.Confidence != report.Proven {
				if len(v.Missing) == 0 {
					t.Errorf("%s: %s without saying what is missing", told.Name, v.Confidence)
				}
				continue
			}
			if len(v.Chain) == 0 || len(v.Chain[0].Evidence) == 0 || len(v.Alternatives) > 0 {
				t.Errorf("%s: proven without evidence at its root, or with alternatives: %+v", told.Name, v)
			}
			for _, l := range v.Chain {
				for _, id := range l.Evidence {
					if r.Find(id) == nil {
						t.Errorf("%s: the chain cites %s, which the report lacks", told.Name, id)
					}
				}
			}
		}
	}
}

// Less evidence may cost confidence; it must never make the analyzer sure of another cause.
func TestLessEvidenceNeverProvesAnotherCause(t *testing.T) {
	for _, told := range analyzertest.Stories() {
		check := func(what string, s *analyzertest.Story) {
			t.Helper()
			for _, it := range judge(s).Items {
				if it.Verdict.Confidence == report.Proven && it.Verdict.Cause != told.Cause {
					t.Errorf("%s without %s: proven %s (%s)", told.Name, what, it.Verdict.Cause, it.Verdict.Summary)
				}
			}
		}
		base := told.Story()
		for i := range base.Observations {
			s := told.Story()
			gone := s.Observations[i]
			s.Observations = slices.Delete(s.Observations, i, i+1)
			check(gone.Text.String(), s)
		}
		for _, kind := range []evidence.SourceKind{evidence.SourceAPI, evidence.SourceKubeletLog,
			evidence.SourceRuntimeLog, evidence.SourceKernelLog, evidence.SourceCRI} {
			s := told.Story()
			s.Observations = slices.DeleteFunc(s.Observations, func(o evidence.Observation) bool {
				return o.Source.Kind == kind
			})
			s.Coverage = slices.DeleteFunc(s.Coverage, func(c evidence.Coverage) bool { return c.Source == kind })
			check("source "+string(kind), s)
			s = told.Story()
			s.Coverage = slices.DeleteFunc(s.Coverage, func(c evidence.Coverage) bool { return c.Source == kind })
			check("coverage of "+string(kind), s)
			s = told.Story()
			s.Observations = slices.DeleteFunc(s.Observations, func(o evidence.Observation) bool {
				return o.Source.Kind != kind
			})
			s.Coverage = slices.DeleteFunc(s.Coverage, func(c evidence.Coverage) bool { return c.Source != kind })
			check("everything but "+string(kind), s)
		}
		s := told.Story()
		s.Coverage = nil
		check("any coverage", s)
	}
}

func TestOrderAndRepetitionDoNotMatter(t *testing.T) {
	for _, told := range analyzertest.Stories() {
		want := newest(t, told.Story())
		s := told.Story()
		slices.Reverse(s.Observations)
		s.Observations = append(s.Observations, s.Observations...)
		if got := newest(t, s); got.Cause != want.Cause || got.Confidence != want.Confidence || got.Summary != want.Summary {
			t.Errorf("%s: shuffled and doubled: %s (%s)", told.Name, got.Cause, got.Confidence)
		}
	}
}

func TestFiltersChooseItems(t *testing.T) {
	s := analyzertest.Stories()[0].Story().Snapshot()
	base := analyzer.Options{}
	cases := map[string]struct {
		change func(*analyzer.Options)
		want   int
	}{
		"no filter":            {func(*analyzer.Options) {}, 1},
		"its cause":            {func(o *analyzer.Options) { o.Cause = "app-exit-error" }, 1},
		"another cause":        {func(o *analyzer.Options) { o.Cause = "app-exit-zero" }, 0},
		"its container":        {func(o *analyzer.Options) { o.Container = "a" }, 1},
		"another container":    {func(o *analyzer.Options) { o.Container = "b" }, 0},
		"another node":         {func(o *analyzer.Options) { o.Nodes = []string{"n2"} }, 0},
		"since before its end": {func(o *analyzer.Options) { o.Since = analyzertest.At(5) }, 1},
		"since after its end":  {func(o *analyzer.Options) { o.Since = analyzertest.At(500) }, 0},
		"a pod that is not kept": {func(o *analyzer.Options) {
			o.Keep = func(_, pod, _ string) bool { return pod != "web-0" }
		}, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := base
			c.change(&o)
			if got := len(analyzer.Analyze(s, o).Items); got != c.want {
				t.Errorf("%d items, want %d", got, c.want)
			}
		})
	}
}

func TestTheEndOfADeletedPodIsNoRestart(t *testing.T) {
	base := func() *analyzertest.Story {
		s := analyzertest.New().Events().Logs().Status(10, 42, 137, "Error", 0)
		return s.Kubelet(40, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 30})
	}
	s := base()
	s.Pod.DeletedAt = analyzertest.At(70)
	s.PodEvent(40, evidence.PodDeleted{Until: analyzertest.At(70), GraceSeconds: 30})
	if r := judge(s); len(r.Items) != 1 || r.Items[0].Kind != report.Death || r.Items[0].Verdict.Cause != "pod-deleted" {
		t.Errorf("a pod that is being deleted: %+v", r.Items)
	}
	// Once the pod is gone, nobody asks about its end any more, unless another pod has its name.
	gone := func(next bool) *evidence.Snapshot {
		s := base()
		s.Add(evidence.SourceKubeletLog, 40, evidence.Subject{Node: analyzertest.Node,
			Namespace: s.Pod.Namespace, Pod: s.Pod.Name, PodUID: s.Pod.UID}, evidence.PodConfig{Op: "DELETE", Origin: "api"})
		snap := s.Snapshot()
		other := snap.Pods[0]
		other.UID, other.CreatedAt = "another", analyzertest.At(50)
		if !next {
			other.Name = "unrelated"
		}
		snap.Pods[0] = other
		return snap
	}
	if r := analyzer.Analyze(gone(false), analyzer.Options{}); len(r.Items) != 0 {
		t.Errorf("the end of a pod that is gone is listed: %+v", r.Items)
	}
	r := analyzer.Analyze(gone(true), analyzer.Options{})
	if len(r.Items) != 1 || r.Items[0].Kind != report.None || r.Items[0].Verdict.Cause != "pod-replaced" {
		t.Errorf("a pod that another one replaced: %+v", r.Items)
	}
}

func TestAJobThatCompletedIsNoNews(t *testing.T) {
	s := analyzertest.New().Status(10, 42, 0, "Completed", 0)
	s.Pod.RestartPolicy = "OnFailure"
	if got := len(judge(s).Items); got != 0 {
		t.Errorf("%d items for a job that completed", got)
	}
}

// What could not be read comes before what was assumed.
func TestMinorGapsComeLast(t *testing.T) {
	s := &evidence.Snapshot{Gaps: []evidence.Gap{{Why: "no year", Minor: true}, {Why: "denied"}, {Why: "cut"}}}
	var got []string
	for _, g := range analyzer.Analyze(s, analyzer.Options{}).Gaps {
		got = append(got, g.Why)
	}
	if !slices.Equal(got, []string{"denied", "cut", "no year"}) {
		t.Errorf("got %q", got)
	}
}

func TestAnEmptySnapshotGivesAnEmptyReport(t *testing.T) {
	r := analyzer.Analyze(&evidence.Snapshot{}, analyzer.Options{ToolVersion: "v0"})
	if len(r.Items) != 0 || r.Items == nil || r.Kind != report.Kind || r.Tool.Version != "v0" {
		t.Errorf("%+v", r)
	}
}

// Someone on the node who ends a process again and again makes lives of roughly equal length; a process that is done
// makes equal ones.
func TestCleanEndsAgainAndAgainAreProvenByEqualLives(t *testing.T) {
	for name, c := range map[string]struct {
		ends []float64
		want report.Confidence
	}{
		"twice":                     {[]float64{25.4}, report.Likely},
		"three equal lives":         {[]float64{25.4, 47.4}, report.Proven},
		"three lives, not as equal": {[]float64{25.4, 48.6}, report.Likely},
	} {
		t.Run(name, func(t *testing.T) {
			r := judge(endsAgain(c.ends))
			if len(r.Items) != len(c.ends)+1 {
				t.Fatalf("%d items", len(r.Items))
			}
			for _, it := range r.Items {
				if it.Verdict.Cause != "app-exit-zero" || it.Verdict.Confidence != c.want {
					t.Errorf("%s: %s (%s): %+v", it.ID, it.Verdict.Cause, it.Verdict.Confidence, it.Verdict.Missing)
				}
			}
		})
	}
}

// endsAgain is a container that ended with 0 again and again at these times; the next ones started at 18, 40 and 62.
func endsAgain(ends []float64) *analyzertest.Story {
	s := analyzertest.Stories()[1].Story()
	code := int32(0)
	subject := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
		PodUID: analyzertest.PodUID, Container: "a", SandboxID: analyzertest.OldBox}
	for i := range len(ends) + 1 {
		id, began := analyzertest.NewID, 18+22*float64(i)
		if i > 0 {
			id = strings.Repeat(strconv.Itoa(4+i), 64)
		}
		subject.ContainerID = id
		if i == len(ends) {
			return s.Add(evidence.SourceCRI, began, subject, evidence.ContainerRecord{State: evidence.StateRunning,
				Attempt: i + 1, Started: analyzertest.At(began)})
		}
		s.Add(evidence.SourceCRI, ends[i], subject, evidence.ContainerRecord{State: evidence.StateExited,
			Attempt: i + 1, Started: analyzertest.At(began), Finished: analyzertest.At(ends[i]), ExitCode: &code,
			Reason: "Completed"})
		s.Kubelet(ends[i]+.5, id, evidence.ContainerDied{}).Runtime(ends[i], id, evidence.TaskExited{})
	}
	return s
}

// Logs alone do not distinguish init containers from others, so neither cause can be proven from them.
func TestLogsAloneDoNotTellInitContainersFromOthers(t *testing.T) {
	snap := only(analyzertest.Stories()[0].Story(), evidence.SourceCRI, evidence.SourceKubeletLog,
		evidence.SourceRuntimeLog, evidence.SourceKernelLog).Snapshot()
	snap.Pods = nil
	r := analyzer.Analyze(snap, analyzer.Options{})
	if len(r.Items) != 1 || r.Items[0].Verdict.Cause != "app-exit-error" ||
		r.Items[0].Verdict.Confidence != report.Likely {
		t.Errorf("%+v", r.Items)
	}
}

func TestANoticeOfTheRuntimePointsToAChild(t *testing.T) {
	s := analyzertest.Stories()[0].Story().Runtime(17.2, analyzertest.OldID, evidence.TaskOOM{})
	if v := newest(t, only(s, evidence.SourceAPI, evidence.SourceKubeletLog,
		evidence.SourceRuntimeLog)); v.Cause != "oom-child-process" || v.Confidence != report.Likely {
		t.Errorf("%s (%s): %+v", v.Cause, v.Confidence, v.Alternatives)
	}
}
