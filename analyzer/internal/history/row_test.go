package history_test

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A row of a table has one end, however many restarts it counts: the table's gap counts those.
func TestARowHasOneEnd(t *testing.T) {
	for _, c := range []struct {
		uid  string
		want int
	}{{evidence.Row + "shop/web-0", 1}, {"6f1c2d3e", 2}} {
		b := evidence.NewBuilder(time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC))
		b.Pod(evidence.Pod{Namespace: "shop", Name: "web-0", UID: c.uid, Phase: "Running"})
		b.Observe(evidence.Observation{
			Subject: evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: c.uid, Container: evidence.Unnamed,
				ContainerID: "id"},
			Source: evidence.Source{Kind: evidence.SourceAPI},
			Fact: evidence.ContainerRecord{Kind: evidence.KindInit, State: evidence.StateExited, Attempt: 2, RestartCount: 2,
				Reason: "Error"},
		})
		if got := history.Build(b.Build()).Restarts; len(got) != c.want {
			t.Errorf("%s: %d ends, want %d", c.uid, len(got), c.want)
		}
	}
}
