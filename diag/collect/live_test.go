package collect

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestOnlyEventfulNodesAreAskedForLogs(t *testing.T) {
	record := func(node string, r evidence.ContainerRecord) evidence.Observation {
		return evidence.Observation{Subject: evidence.Subject{Node: node}, Fact: r}
	}
	s := &evidence.Snapshot{Observations: []evidence.Observation{
		record("calm", evidence.ContainerRecord{State: evidence.StateRunning}),
		record("last", evidence.ContainerRecord{Last: true}),
		record("count", evidence.ContainerRecord{State: evidence.StateRunning, RestartCount: 2}),
		record("exited", evidence.ContainerRecord{State: evidence.StateExited}),
	}}
	if got := strings.Join(eventful(s, []string{"calm", "count", "exited", "last", "unseen"}),
		" "); got != "count exited last" {
		t.Errorf("asked: %s", got)
	}
}

func TestOnlyWhatIsReadIsRenamed(t *testing.T) {
	sources := map[string]string{"nodes/n1/logs/a": "/var/log/a", "nodes/n1/logs/twice": ""}
	for why, want := range map[string]string{
		"read nodes/n1/logs/a: cut: here":   "read /var/log/a: cut: here",
		"read nodes/n1/logs/b: cut":         "read nodes/n1/logs/b: cut",
		"read nodes/n1/logs/twice: cut":     "read nodes/n1/logs/twice: cut",
		"list pods: nodes/n1/logs/a: no":    "list pods: nodes/n1/logs/a: no",
		"read nodes/n1/logs/a, and no more": "read nodes/n1/logs/a, and no more",
	} {
		if got := ownPath(why, sources); got != want {
			t.Errorf("%q: %q, want %q", why, got, want)
		}
	}
}
