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

// What is about to exit answers no probe: a kill for that alone may have come too late to end anything.
func TestAProbeThatFailsOnlyAtTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		code   int32
		failed []float64
		doubt  bool
	}{
		"in the last second alone":               {3, []float64{41.6}, true},
		"well before, too":                       {3, []float64{31.6, 41.6}, false},
		"in the last second, and SIGTERM's code": {143, []float64{41.6}, false},
	} {
		s := analyzertest.New().Logs().Kubelet(10.5, analyzertest.OldID, evidence.ContainerStarted{})
		for _, at := range c.failed {
			s.Kubelet(at, analyzertest.OldID, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1})
		}
		s.Kubelet(41.7, analyzertest.OldID, decided(evidence.KillLiveness)).
			Kubelet(41.7, analyzertest.OldID, evidence.KillStarted{GraceSeconds: 30}).
			Kubelet(42.5, analyzertest.OldID, evidence.ContainerFinished{ExitCode: c.code})
		got := slices.ContainsFunc(find(t, s).Doubts, func(d finding.Doubt) bool {
			return strings.Contains(d.Text, "may have been about to exit")
		})
		if got != c.doubt {
			t.Errorf("%s: doubt %v, want %v", name, got, c.doubt)
		}
	}
}
