package history

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// A start that the kubelet may have called off failed unless its pod is known to have ended then.
func TestAStartIsCalledOffOnlyForAnEnd(t *testing.T) {
	at := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	deleted := evidence.PodConfig{Op: "DELETE"}
	for name, c := range map[string]struct {
		end    evidence.Fact
		before time.Duration // from the end to the failure
		count  int
		again  time.Duration // before the failure; 0 for none
		other  string        // another message
		want   int
	}{
		"no end is known":                     {nil, 0, 1, 0, "", 1},
		"a deletion":                          {deleted, time.Second, 1, 0, "", 0},
		"an eviction in the status":           {evidence.PodEvicted{Reason: "Evicted"}, 0, 1, 0, "", 0},
		"a deletion long after":               {deleted, -time.Hour, 1, 0, "", 1},
		"an event that counts several":        {deleted, time.Second, 5, 0, "", 1},
		"it had failed before, too":           {deleted, time.Second, 1, time.Minute, "", 1},
		"another error":                       {deleted, time.Second, 1, 0, "no space left", 1},
		"its manifest was added, not deleted": {evidence.PodConfig{Op: "ADD"}, time.Second, 1, 0, "", 1},
	} {
		said := func(id string, at time.Time, f evidence.Fact, container string) evidence.Observation {
			return evidence.Observation{ID: id, Time: at, Fact: f,
				Source:  evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"},
				Subject: evidence.Subject{Node: "n1", Namespace: "obs", Pod: "loki-0", PodUID: "u1", Container: container}}
		}
		failed := evidence.StartFailed{Reason: "CreateContainerError", Count: c.count, CalledOff: c.other == "",
			Message: safetext.Clean("context canceled")}
		s := &evidence.Snapshot{}
		if c.end != nil {
			end := said("end", at.Add(-c.before), c.end, "")
			if c.before == 0 {
				end.Time = time.Time{}
			}
			s.Observations = append(s.Observations, end)
		}
		if c.again > 0 {
			s.Observations = append(s.Observations, said("again", at.Add(-c.again), failed, "loki"))
		}
		s.Observations = append(s.Observations, said("why", at, failed, "loki"))
		starts := 0
		for _, r := range Build(s).Restarts {
			if r.Container == "loki" && r.Waiting.Reason == failed.Reason {
				starts++
			}
		}
		if starts != c.want {
			t.Errorf("%s: %d starts failed, want %d", name, starts, c.want)
		}
	}
}
