package analyzer_test

import (
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// only keeps the evidence of some sources, as a collection with fewer rights would.
func only(s *analyzertest.Story, kinds ...evidence.SourceKind) *analyzertest.Story {
	s.Observations = slices.DeleteFunc(s.Observations, func(o evidence.Observation) bool {
		return !slices.Contains(kinds, o.Source.Kind)
	})
	s.Coverage = slices.DeleteFunc(s.Coverage, func(c evidence.Coverage) bool { return !slices.Contains(kinds, c.Source) })
	return s
}

// Less evidence must never raise the confidence in a wrong cause.
func TestTheAPIAloneNeverProvesAWrongCause(t *testing.T) {
	for _, story := range analyzertest.Stories() {
		v := newest(t, only(story.Story(), evidence.SourceAPI))
		if v.Confidence == report.Proven && v.Cause != story.Cause {
			t.Errorf("%s: proven %s", story.Name, v.Cause)
		}
	}
}

// The runtime may miss an out-of-memory kill when the container is gone at once, so without the kernel's log no end by
// the process itself is proven.
func TestSilenceOfTheRuntimeDoesNotRuleOutMemory(t *testing.T) {
	for _, story := range analyzertest.Stories() {
		v := newest(t, only(story.Story(), evidence.SourceAPI, evidence.SourceKubeletLog, evidence.SourceRuntimeLog))
		if v.Confidence == report.Proven && (v.Cause == "app-exit-error" || v.Cause == "app-signal" ||
			v.Cause == "init-container-failed") {
			t.Errorf("%s: proven %s without the kernel's log", story.Name, v.Cause)
		}
	}
}
