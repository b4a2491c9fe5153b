package probe_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func storyOf(t *testing.T, name string) *analyzertest.Story {
	t.Helper()
	for _, s := range analyzertest.Stories() {
		if s.Name == name {
			return s.Story()
		}
	}
	t.Fatalf("no story %q", name)
	return nil
}

func verdictOf(t *testing.T, s *analyzertest.Story) report.Verdict {
	t.Helper()
	items := analyzer.Analyze(s.Snapshot(), analyzer.Options{GeneratedAt: analyzertest.At(3600)}).Items
	if len(items) == 0 {
		t.Fatal("nothing restarted in the story")
	}
	return items[0].Verdict
}

// A container that was killed before its probe can have failed often enough: something else is behind that, and nothing
// shows what.
func TestAKillThatComesTooEarlyIsNotProven(t *testing.T) {
	s := storyOf(t, "a failed liveness probe")
	s.Spec(func(c *evidence.Container) {
		c.Liveness = &evidence.Probe{Handler: "exec", Period: 60, Timeout: 1, FailureThreshold: 3}
	})
	if v := verdictOf(t, s); v.Cause != "liveness-probe-failed" || v.Confidence != report.Likely {
		t.Errorf("%s %s", v.Cause, v.Confidence)
	}
}

// Failures that lie apart are none in a row: a clock was set between them, or lines are missing. The story has two
// right before its kill.
func TestFailuresThatLieApart(t *testing.T) {
	for name, c := range map[string]struct {
		at   []float64
		want report.Confidence
	}{
		"right before the kill": {[]float64{36, 38}, report.Proven},
		"long before it":        {[]float64{11, 12}, report.Likely},
	} {
		s := storyOf(t, "a failed liveness probe")
		s.Spec(func(c *evidence.Container) {
			c.Liveness = &evidence.Probe{Handler: "exec", Period: 2, Timeout: 1, FailureThreshold: 4}
		})
		for _, at := range c.at {
			s.Add(evidence.SourceKubeletLog, at, evidence.Subject{Namespace: analyzertest.Namespace,
				Pod: analyzertest.PodName, PodUID: analyzertest.PodUID, Container: "a"},
				evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1})
		}
		if v := verdictOf(t, s); v.Cause != "liveness-probe-failed" || v.Confidence != c.want {
			t.Errorf("%s: %s %s, want %s", name, v.Cause, v.Confidence, c.want)
		}
	}
}

// The container of the story starts at 10 s and is killed at 40.2 s.
func TestTheChainSaysWhenTheKillHadToCome(t *testing.T) {
	schedule := func(period, failures int32) func(*evidence.Container) {
		return func(c *evidence.Container) {
			c.Liveness = &evidence.Probe{Handler: "exec", Period: period, Timeout: 1, FailureThreshold: failures}
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*analyzertest.Story)
		want   string
	}{
		{"in time", func(s *analyzertest.Story) { s.Spec(schedule(10, 3)) },
			"a liveness probe that never passes leads to a kill 20s to 41s after its start; this kill came after 30s"},
		{"late", func(s *analyzertest.Story) { s.Spec(schedule(5, 2)) },
			"a liveness probe that never passes leads to a kill 5s to 21s after its start; this kill came after 30s: the probe had passed before, or its runs failed to execute or hung"},
		{"after a kubelet restart", func(s *analyzertest.Story) { s.Spec(schedule(5, 3)).KubeletStarts(25, "v1.36.3", 90) },
			"a liveness probe that never passes leads to a kill 10s to 26s after the kubelet's start; this kill came after 15s"},
		{"nothing where a startup probe held it off", func(s *analyzertest.Story) {
			s.Spec(schedule(10, 3)).Spec(func(c *evidence.Container) { c.Startup = c.Liveness })
		}, ""},
		{"nothing for a schedule that cannot be", func(s *analyzertest.Story) { s.Spec(schedule(0, 3)) }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := storyOf(t, "a failed liveness probe")
			before := verdictOf(t, s)
			s = storyOf(t, "a failed liveness probe")
			tt.change(s)
			v := verdictOf(t, s)
			if v.Cause != before.Cause || v.Confidence != before.Confidence {
				t.Errorf("cause %s %s, was %s %s: the window only explains", v.Cause, v.Confidence, before.Cause, before.Confidence)
			}
			got := ""
			if i := slices.IndexFunc(v.Chain, func(l report.Link) bool {
				return strings.Contains(l.Text, "never passes")
			}); i >= 0 {
				got = v.Chain[i].Text
				if len(v.Chain[i].Evidence) == 0 {
					t.Error("the step cites nothing")
				}
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}
