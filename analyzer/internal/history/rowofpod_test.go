package history

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What a table's row says of an eviction is of the pod that a log names with its UID, unless several had that name.
func TestARowsEvictionIsOfThePodInTheLog(t *testing.T) {
	at := time.Date(2026, 11, 27, 5, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		uids []string
		want int
	}{
		"one pod":          {[]string{"u1"}, 1},
		"two of that name": {[]string{"u1", "u2"}, 3},
	} {
		row := evidence.Row + "/ci/builder"
		s := &evidence.Snapshot{
			Pods: []evidence.Pod{{UID: row, Namespace: "ci", Name: "builder", Node: "n1", Phase: "Failed", Reason: "Evicted"}},
			Observations: []evidence.Observation{{ID: "row", Source: evidence.Source{Kind: evidence.SourceAPI},
				Subject: evidence.Subject{Node: "n1", Namespace: "ci", Pod: "builder", PodUID: row},
				Fact:    evidence.PodEvicted{Reason: "Evicted"}}},
		}
		for i, uid := range c.uids {
			s.Observations = append(s.Observations, evidence.Observation{ID: uid, Time: at.Add(time.Duration(i) * time.Hour),
				Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"},
				Subject: evidence.Subject{Node: "n1", Namespace: "ci", Pod: "builder", PodUID: uid, Container: "a",
					ContainerID: uid + "0000000000000000000000000000000000000000000000000000000000000000"[:62]},
				Fact: evidence.ContainerFinished{ExitCode: 137}})
		}
		if got := len(Build(s).Restarts); got != c.want {
			t.Errorf("%s: %d items, want %d", name, got, c.want)
		}
	}
}
