package history

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// The kubelet's log says why a container that ended is not made again.
func TestTheLogSaysWhyAContainerIsNotMadeAgain(t *testing.T) {
	end := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		reason string
		after  time.Duration
		want   string
	}{
		"the disk is full":        {"CreateContainerError", time.Second, "CreateContainerError"},
		"its turn has not come":   {"CrashLoopBackOff", time.Second, ""},
		"it failed before it ran": {"CreateContainerError", -time.Hour, ""},
	} {
		said := func(id string, at time.Time, f evidence.Fact, of string) evidence.Observation {
			return evidence.Observation{ID: id, Time: at, Fact: f,
				Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"},
				Subject: evidence.Subject{Node: "n1", Namespace: "obs", Pod: "loki-0", PodUID: "u1", Container: "loki",
					ContainerID: of}}
		}
		code := evidence.ContainerFinished{ExitCode: 1}
		failed := evidence.StartFailed{Reason: c.reason, Message: safetext.Clean("no space left")}
		s := &evidence.Snapshot{Observations: []evidence.Observation{
			said("end", end, code, "7cdc439b4a3e0192a11400fa8fc55f27a6288777bd6ca7b09d94d320e57f1273"),
			said("why", end.Add(c.after), failed, ""),
		}}
		all := Build(s).Restarts
		if len(all) != 1 || all[0].Waiting.Reason != c.want {
			t.Errorf("%s: %d ends, %q, want %q", name, len(all), all[0].Waiting.Reason, c.want)
		}
	}
}

// The runtime's word that a sandbox could not be made is of a pod that never started where it was the first; a later
// one replaces one in which containers ran.
func TestTheRuntimeRefusesAFirstSandbox(t *testing.T) {
	at := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ attempt, want int }{
		"the first": {0, 1},
		"the next":  {1, 0},
	} {
		s := &evidence.Snapshot{Observations: []evidence.Observation{{ID: "why", Time: at,
			Fact:    evidence.RuntimeFailed{Op: "RunPodSandbox", Attempt: c.attempt, Message: safetext.Clean("no address")},
			Source:  evidence.Source{Kind: evidence.SourceRuntimeLog, Node: "n1"},
			Subject: evidence.Subject{Node: "n1", Namespace: "obs", Pod: "loki-0", PodUID: "u1"}}}}
		refused := 0
		for _, r := range Build(s).Restarts {
			if r.Kind == timeline.KindRefused {
				refused++
			}
		}
		if refused != c.want {
			t.Errorf("%s: %d refused, want %d", name, refused, c.want)
		}
	}
}
