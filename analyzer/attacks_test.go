package analyzer_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The evidence points to one cause but has another one. None of these may be likely, or proven, for the wrong one.
func TestAttacksAreHeldOff(t *testing.T) {
	for _, told := range attacks() {
		items := judge(told.Story()).Items
		if len(items) == 0 {
			t.Errorf("%s: nothing is judged", told.Name)
		}
		for _, it := range items {
			if it.Container != analyzertest.Container {
				continue // the story is about one of the pod's containers
			}
			if v := it.Verdict; v.Cause != told.Cause && v.Confidence.Rank() >= report.Likely.Rank() {
				t.Errorf("%s: %s (%s), the truth is %s: %s", told.Name, v.Cause, v.Confidence, told.Cause, v.Summary)
			}
		}
	}
}

// A rule for all containers makes init containers run again too; any other end next to one of them does not.
func TestAnInitContainerRunsAgainWithAllOthers(t *testing.T) {
	for code, want := range map[int32]string{7: "restart-all-containers", 8: "init-rerun"} {
		for _, it := range judge(initBeside(code)).Items {
			if it.Container == analyzertest.Container && it.Verdict.Cause != want {
				t.Errorf("code %d: %s (%s), want %s", code, it.Verdict.Cause, it.Verdict.Confidence, want)
			}
		}
	}
}

// Anyone with the right to write events can forge one of the kubelet, and events with whole seconds may belong to
// another instance: the log decides, where there is one.
func TestAnEventThatTheLogDoesNotKnowProvesNothing(t *testing.T) {
	if v := newest(t, unlogged()); v.Confidence.Rank() >= report.Likely.Rank() && v.Cause != "app-signal" {
		t.Errorf("%s (%s)", v.Cause, v.Confidence)
	}
	logged := unlogged().Kubelet(39.2, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 30})
	logged.Kubelet(39.1, analyzertest.OldID, evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1})
	logged.Runtime(39.21, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: 30})
	// It is not proven: with 139, the process may have been writing its core when its probe failed.
	if v := newest(t, logged); v.Cause != "liveness-probe-failed" || v.Confidence != report.Likely {
		t.Errorf("and with the kill in the log: %s (%s)", v.Cause, v.Confidence)
	}
}
