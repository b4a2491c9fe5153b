package finding_test

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// round is the story of the newest round of a loop: an instance from 110 to 115 that
// waits for its next start.
func round() *analyzertest.Story {
	return analyzertest.New().Events().Status(110, 115, 0, "Completed", 0)
}

func sent(reason string, count int, first float64) evidence.Fact {
	return evidence.APIEvent{Reason: reason, Count: count, First: analyzertest.At(first)}
}

func TestEventsThatRanDry(t *testing.T) {
	kill := evidence.KillDecided{Reason: evidence.KillLiveness,
		Message: safetext.Clean("Container a failed liveness probe, will be restarted"), Count: 3, First: analyzertest.At(20)}
	for name, c := range map[string]struct {
		story     func(s *analyzertest.Story)
		throttled bool
		before    evidence.KillReason
		answer    finding.YesNo
	}{
		"the start of this round is missing": {func(s *analyzertest.Story) { s.Event(80, sent("Started", 4, 10)) },
			true, "", finding.Unknown},
		"the start of this round is there": {func(s *analyzertest.Story) {
			s.Event(80, sent("Started", 4, 10)).Event(110, sent("Started", 1, 110))
		}, false, "", finding.NoTrace},
		"its newest start is this round's": {func(s *analyzertest.Story) { s.Event(110, sent("Started", 5, 10)) },
			false, "", finding.NoTrace},
		"no start was ever told of": {func(*analyzertest.Story) {}, false, "", finding.NoTrace},
		"only a pull was told of": {func(s *analyzertest.Story) { s.Event(80, sent("Pulled", 4, 10)) },
			false, "", finding.NoTrace},
		"a kill of an earlier round": {func(s *analyzertest.Story) {
			s.Event(80, sent("Started", 4, 10)).Event(90, kill)
		}, true, evidence.KillLiveness, finding.Unknown},
		"a kill of this round is no kill of another": {func(s *analyzertest.Story) {
			s.Event(80, sent("Started", 4, 10)).Event(114, kill)
		}, true, evidence.KillLiveness, finding.Yes},
		"a start of another container tells nothing": {func(s *analyzertest.Story) { other(s, 80, sent("Started", 4, 10)) },
			false, "", finding.NoTrace},
		"a kill of another container tells nothing": {func(s *analyzertest.Story) {
			s.Event(80, sent("Started", 4, 10))
			other(s, 90, kill)
		}, true, "", finding.Unknown},
		"the kubelet's log speaks where events do not": {func(s *analyzertest.Story) {
			s.KubeletLog().Event(80, sent("Started", 4, 10))
		}, true, "", finding.No},
	} {
		t.Run(name, func(t *testing.T) {
			s := round()
			c.story(s)
			f := find(t, s)
			if f.Throttled != c.throttled || f.KilledBefore.Reason != c.before || f.Kill.Answer != c.answer {
				t.Errorf("throttled %v, killed before for %q, killed %v; want %v, %q, %v",
					f.Throttled, f.KilledBefore.Reason, f.Kill.Answer, c.throttled, c.before, c.answer)
			}
			if f.KilledBefore.Reason != "" && (len(f.KilledBefore.Evidence) != 1 ||
				!f.KilledBefore.At.Before(f.R.From.Started)) {
				t.Errorf("the earlier kill is %+v, the round began %v", f.KilledBefore, f.R.From.Started.Format(time.TimeOnly))
			}
		})
	}
}

// other is an event about the second container of the story's pod.
func other(s *analyzertest.Story, at float64, fact evidence.Fact) {
	s.Add(evidence.SourceAPI, at, evidence.Subject{Namespace: analyzertest.Namespace,
		Pod: analyzertest.PodName, PodUID: analyzertest.PodUID, Container: "b"}, fact)
}
