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
	const other = "4444444444444444444444444444444444444444444444444444444444444444"
	for name, c := range map[string]struct {
		pid   int // of the kernel's victim, 0: it tells of none
		owner evidence.Subject
		doubt bool
	}{
		"nobody says whose it is":            {0, evidence.Subject{}, true},
		"the kernel names another container": {9, evidence.Subject{PodUID: "u2", ContainerID: other}, false},
		"the kernel names a pod's cgroup":    {9, evidence.Subject{PodUID: analyzertest.PodUID}, true},
		"the kernel names another process":   {8, evidence.Subject{PodUID: "u2", ContainerID: other}, true},
	} {
		s := analyzertest.New().Kubelet(10.5, analyzertest.OldID, evidence.ContainerStarted{}).
			Add(evidence.SourceKubeletLog, 39, evidence.Subject{}, evidence.OOMSeen{Process: "java", PID: 9}).
			Kubelet(40, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 30}).
			Kubelet(42.5, analyzertest.OldID, evidence.ContainerFinished{ExitCode: 137})
		if c.pid != 0 {
			memcg := "/kubepods/pod" + c.owner.PodUID + "/" + c.owner.ContainerID
			s.Add(evidence.SourceKernelLog, 39, c.owner, evidence.OOMKill{PID: c.pid, TaskMemcg: memcg, OOMMemcg: memcg})
		}
		got := slices.ContainsFunc(find(t, s).Doubts, func(d finding.Doubt) bool {
			return strings.Contains(d.Text, "nothing shows whose process it was")
		})
		if got != c.doubt {
			t.Errorf("%s: doubt %v, want %v", name, got, c.doubt)
		}
	}
}
