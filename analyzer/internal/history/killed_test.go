package history_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A pod has one container of a name at a time: what the kernel kills in its cgroup while that runs is another one.
func TestAVictimBesideARunningContainerIsAnother(t *testing.T) {
	other := strings.Repeat("77", 32)
	group := "/kubepods/pod" + analyzertest.PodUID + "/" + other
	for name, c := range map[string]struct {
		at     float64
		beside bool
	}{
		"while it ran":                       {30, true},
		"at the moment of its end":           {42.7, true},
		"between its end and the next start": {50, false},
	} {
		s := analyzertest.New().Status(2, 42.5, 1, "Error", 60).Records(2, 42.5, 1, "Error", 60, nil)
		s.Add(evidence.SourceKernelLog, c.at, evidence.Subject{PodUID: analyzertest.PodUID, ContainerID: other},
			evidence.OOMKill{TaskMemcg: group, OOMMemcg: group, Task: "web", PID: 77})
		found := ""
		for _, r := range history.Build(s.Snapshot()).Restarts {
			if r.From.ID == other {
				found = r.Container
			}
		}
		if found == "" || (found != analyzertest.Container) != c.beside {
			t.Errorf("%s: the victim is an instance of %q", name, found)
		}
	}
}
