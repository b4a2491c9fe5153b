package analyzer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var counted = evidence.Subject{
	Namespace: analyzertest.Namespace,
	Pod:       analyzertest.PodName,
	PodUID:    analyzertest.PodUID,
	Container: analyzertest.Container,
}

// A monitoring system with the same data as a story adds no item and raises no confidence; with other data about the
// pod's name, its node or its kubelet, nothing becomes proven that was not.
func TestMetricsMakeNoVerdictSurer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is the race detector's run: this has one goroutine, and make test runs it whole")
	}
	code := int32(137)
	another := counted
	another.PodUID = "another-pod-of-the-name"
	for name, add := range map[string]func(*analyzertest.Story){
		"the same restart": func(s *analyzertest.Story) {
			s.Add(evidence.SourceMetrics, 60, counted,
				evidence.RestartCounted{Count: 1, By: 1, Since: analyzertest.At(30), Started: analyzertest.At(43)})
		},
		"a restart of another pod of the name": func(s *analyzertest.Story) {
			s.Add(evidence.SourceMetrics, 60, another,
				evidence.RestartCounted{Count: 1, By: 1, Since: analyzertest.At(30),
					Started: analyzertest.At(44), Finished: analyzertest.At(42), ExitCode: &code, Reason: "OOMKilled"})
			s.Add(evidence.SourceMetrics, 60, another,
				evidence.Counted{Counter: evidence.CountedOOM, By: 1, Since: analyzertest.At(30)})
		},
		"failed probes and memory kills": func(s *analyzertest.Story) {
			for _, c := range []evidence.Counter{evidence.CountedLiveness, evidence.CountedStartup, evidence.CountedOOM} {
				s.Add(evidence.SourceMetrics, 41, counted, evidence.Counted{Counter: c, By: 5, Since: analyzertest.At(11)})
			}
		},
		"a boot": func(s *analyzertest.Story) {
			s.Add(evidence.SourceMetrics, 41, evidence.Subject{}, evidence.KernelBooted{})
		},
		"another kubelet": func(s *analyzertest.Story) {
			s.Add(evidence.SourceMetrics, -500, evidence.Subject{}, evidence.KubeletStarted{Version: "v1.30.14"})
			s.Add(evidence.SourceMetrics, 38, evidence.Subject{}, evidence.KubeletStarted{Version: "v1.36.3"})
		},
	} {
		for _, told := range append(analyzertest.Stories(), misleading()...) {
			plain := judge(told.Story())
			s := told.Story()
			add(s)
			r := judge(s)
			of := 0
			for i := range r.Items {
				it := &r.Items[i]
				if it.PodUID != another.PodUID {
					of++
				}
				was := func(p report.Item) bool {
					return p.Verdict.Confidence == report.Proven && p.Verdict.Cause == it.Verdict.Cause
				}
				if it.Verdict.Confidence == report.Proven && !slices.ContainsFunc(plain.Items, was) {
					t.Errorf("%s, %s: %s is proven", told.Name, name, it.Verdict.Cause)
				}
			}
			if name == "a restart of another pod of the name" && of != len(plain.Items) {
				t.Errorf("%s, %s: %d items, were %d", told.Name, name, of, len(plain.Items))
			}
		}
	}
}

// The rule itself: the same claim from the log, from metrics, and from both.
func TestWhatOnlyMetricsShowIsAtMostLikely(t *testing.T) {
	upgrade := func(kinds ...evidence.SourceKind) report.Verdict {
		s := analyzertest.New()
		for _, told := range analyzertest.Stories() {
			if told.Name == "an in-place kubelet upgrade" {
				s = told.Story()
			}
		}
		var rest []evidence.Observation
		for _, o := range s.Observations {
			if _, start := o.Fact.(evidence.KubeletStarted); !start {
				rest = append(rest, o)
			}
		}
		s.Observations = rest
		for _, kind := range kinds {
			s.Add(kind, -500, evidence.Subject{}, evidence.KubeletStarted{Version: "v1.30.14"}).
				Add(kind, 38, evidence.Subject{}, evidence.KubeletStarted{Version: "v1.36.3"})
		}
		return newest(t, s)
	}
	for _, c := range []struct {
		kinds []evidence.SourceKind
		want  report.Confidence
	}{
		{[]evidence.SourceKind{evidence.SourceKubeletLog}, report.Proven},
		{[]evidence.SourceKind{evidence.SourceMetrics}, report.Likely},
		{[]evidence.SourceKind{evidence.SourceMetrics, evidence.SourceKubeletLog}, report.Proven},
		{[]evidence.SourceKind{evidence.SourceKubeletLog, evidence.SourceMetrics}, report.Proven},
	} {
		if v := upgrade(c.kinds...); v.Cause != "hash-kubelet-upgrade" || v.Confidence != c.want {
			t.Errorf("%v: %s (%s)", c.kinds, v.Cause, v.Confidence)
		}
	}
}

// A count whose known instance began at another time is a different count: it was reset, or a clock is wrong.
func TestACountThatDoesNotFitMakesNoItem(t *testing.T) {
	base := func() *analyzertest.Story { return analyzertest.New().Status(10, 42, 1, "Error", 43) }
	for name, c := range map[string]struct {
		f    evidence.RestartCounted
		at   float64
		want int
	}{
		"the same end": {evidence.RestartCounted{Count: 1,
			By: 1, Since: analyzertest.At(30), Started: analyzertest.At(43), Finished: analyzertest.At(42)}, 60, 1},
		"the same end without its times": {evidence.RestartCounted{Count: 1, By: 1, Since: analyzertest.At(30)}, 60, 1},
		"the same count an hour before": {evidence.RestartCounted{Count: 1,
			By: 1, Since: analyzertest.At(-3600), Started: analyzertest.At(-3590)}, -3570, 1},
		"the same end, and the one before": {evidence.RestartCounted{Count: 1, By: 1}, 60, 1},
		"one more that the API knows not": {evidence.RestartCounted{Count: 2,
			By: 1, Since: analyzertest.At(300), Started: analyzertest.At(320), Finished: analyzertest.At(310)}, 330, 2},
	} {
		s := base().Add(evidence.SourceMetrics, c.at, counted, c.f)
		if r := judge(s); len(r.Items) != c.want {
			var all string
			for i := range r.Items {
				all += fmt.Sprintf("%s %s %s\n", r.Items[i].Time, r.Items[i].Kind, r.Items[i].Verdict.Cause)
			}
			t.Errorf("%s: %d items, want %d\n%s", name, len(r.Items), c.want, all)
		}
	}
}

// The API's last instance before the present one is the one with that count, even if the readings do not date it.
func TestTheLastStateIsNotCountedTwice(t *testing.T) {
	s := analyzertest.New().Status(1000, 1042, 1, "Error", 1043)
	for i := range s.Observations {
		if rec, ok := s.Observations[i].Fact.(evidence.ContainerRecord); ok && !rec.Last {
			rec.Attempt, rec.RestartCount = 2, 2
			s.Observations[i].Fact = rec
		}
	}
	s.Add(evidence.SourceMetrics, 300, counted, evidence.RestartCounted{Count: 1, By: 1, Since: analyzertest.At(270)})
	s.Add(evidence.SourceMetrics, 1060, counted, evidence.RestartCounted{Count: 2, By: 1, Since: analyzertest.At(1030)})
	r := judge(s)
	if len(r.Items) != 2 || r.Items[0].From.ContainerID != analyzertest.OldID {
		for i := range r.Items {
			t.Errorf("%s %+v", r.Items[i].Time, r.Items[i].From)
		}
	}
}

// A kubelet that began before the instance and was scraped all the time since neither booted nor was exchanged in
// between, although only a monitoring system knows. Without that reading either is possible.
func TestAKubeletThatIsReadAllTheTimeRanOn(t *testing.T) {
	code := int32(137)
	first := func(read bool) (causes []string) {
		s := analyzertest.New()
		s.Add(evidence.SourceMetrics, -20, evidence.Subject{}, evidence.KubeletStarted{Version: "v1.31.0"})
		s.Add(evidence.SourceMetrics, 60, counted, evidence.RestartCounted{Count: 1, By: 1, Since: analyzertest.At(30),
			Began: analyzertest.At(10), Finished: analyzertest.At(42), Started: analyzertest.At(43),
			ExitCode: &code, Reason: "Error"})
		snapshot := s.Snapshot()
		if read {
			snapshot.Coverage = append(snapshot.Coverage, evidence.Coverage{Source: evidence.SourceMetrics,
				Node: analyzertest.Node, From: analyzertest.At(-100), Until: analyzertest.At(600)})
		}
		r := analyzer.Analyze(snapshot, analyzer.Options{})
		if len(r.Items) != 1 || r.Items[0].Verdict.Confidence == report.Proven {
			t.Fatalf("items: %+v", r.Items)
		}
		v := r.Items[0].Verdict
		causes = append(causes, v.Cause)
		for _, a := range v.Alternatives {
			causes = append(causes, a.Cause)
		}
		return causes
	}
	for _, cause := range []string{"hash-kubelet-upgrade", "node-reboot"} {
		if slices.Contains(first(true), cause) {
			t.Errorf("%s may be, although the kubelet ran on: %v", cause, first(true))
		}
		if !slices.Contains(first(false), cause) {
			t.Errorf("%s cannot be, although nothing tells that the kubelet ran on: %v", cause, first(false))
		}
	}
}

// The kernel's own counter of out-of-memory kills moves memory up among the causes of a 137 when it rose at the end,
// and down when it was read all the time and did not.
func TestTheKernelsCountRanksMemory(t *testing.T) {
	place := func(rose, read bool) int {
		s := analyzertest.New().Status(10, 42, 137, "Error", 43)
		node := evidence.Subject{Node: analyzertest.Node}
		if rose {
			s.Add(evidence.SourceMetrics, 60, node, evidence.HostOOMKills{By: 1, Since: analyzertest.At(-60)})
		}
		snapshot := s.Snapshot()
		if read {
			snapshot.Coverage = append(snapshot.Coverage, evidence.Coverage{Source: evidence.SourceHostMetrics,
				Node: analyzertest.Node, From: analyzertest.At(-1000), Until: analyzertest.At(600)})
		}
		v := analyzer.Analyze(snapshot, analyzer.Options{}).Items[0].Verdict
		all := []string{v.Cause}
		for _, a := range v.Alternatives {
			all = append(all, a.Cause)
		}
		if i := slices.IndexFunc(all, func(c string) bool { return c == "oom-node" || c == "oom-child-process" }); i >= 0 {
			return i
		}
		return len(all)
	}
	rose, unread, quiet := place(true, true), place(false, false), place(false, true)
	if rose != 0 || unread >= quiet {
		t.Errorf("memory's place is %d where the count rose, %d where nobody counted, %d where it stood still",
			rose, unread, quiet)
	}
}

// A kubelet's own counters of probes, since before the start of the container, move its probes among the causes of a
// 137: down if none ever failed, up if one failed often enough. Later counts say nothing.
func TestTheKubeletsCountersRankProbes(t *testing.T) {
	place := func(totals *evidence.ProbeTotals) int {
		s := analyzertest.New().Status(10, 42, 137, "Error", 43).Spec(func(c *evidence.Container) {
			c.Liveness = &evidence.Probe{Handler: "httpGet", Period: 10, Timeout: 1, FailureThreshold: 3}
		})
		if totals != nil {
			s.Add(evidence.SourceMetrics, 600, counted, *totals)
		}
		v := analyzer.Analyze(s.Snapshot(), analyzer.Options{}).Items[0].Verdict
		if v.Confidence == report.Proven {
			t.Fatalf("%+v", v)
		}
		all := []string{v.Cause}
		for _, a := range v.Alternatives {
			all = append(all, a.Cause)
		}
		if i := slices.Index(all, "liveness-probe-failed"); i >= 0 {
			return i
		}
		return len(all)
	}
	before, after := analyzertest.At(-5000), analyzertest.At(30)
	unread, never := place(nil), place(&evidence.ProbeTotals{Since: before})
	often, late := place(&evidence.ProbeTotals{Since: before, Liveness: 3}), place(&evidence.ProbeTotals{Since: after})
	if often != 0 || never <= unread || late != unread {
		t.Errorf("the probe's place is %d where it failed, %d where nobody counted, %d where it never failed, "+
			"%d where that was counted too late", often, unread, never, late)
	}
}
