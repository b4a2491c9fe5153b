package finding_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A kubelet sees a process killed for memory and not whose it is: it may be this container's, unless the kernel names
// another cgroup.
func TestAVictimRightBeforeAStop(t *testing.T) {
	const other = "/kubepods/podu2/4444444444444444444444444444444444444444444444444444444444444444"
	for name, c := range map[string]struct {
		kernel *evidence.OOMKill
		doubt  bool
	}{
		"nobody says whose it is":         {nil, true},
		"the kernel names another cgroup": {&evidence.OOMKill{PID: 9, TaskMemcg: other, OOMMemcg: other}, false},
		"the kernel names another process": {
			&evidence.OOMKill{PID: 8, TaskMemcg: other, OOMMemcg: other}, true},
	} {
		s := analyzertest.New().Kubelet(10.5, analyzertest.OldID, evidence.ContainerStarted{}).
			Add(evidence.SourceKubeletLog, 39, evidence.Subject{}, evidence.OOMSeen{Process: "java", PID: 9}).
			Kubelet(40, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 30}).
			Kubelet(42.5, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 137})
		if c.kernel != nil {
			s.Add(evidence.SourceKernelLog, 39, evidence.Subject{}, *c.kernel)
		}
		got := slices.ContainsFunc(find(t, s).Doubts, func(d finding.Doubt) bool {
			return strings.Contains(d.Text, "whose is not known")
		})
		if got != c.doubt {
			t.Errorf("%s: doubt %v, want %v", name, got, c.doubt)
		}
	}
}
