package timeline

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// comebacks finds for each start of a kubelet the pods whose sandboxes it found gone. A machine that went down takes
// those of all pods along, a kubelet that is restarted none.
func (t *History) comebacks() {
	type pair[K any] struct {
		run *KubeletRun
		of  K
	}
	pods, workloads := map[pair[string]]bool{}, map[pair[workload]]bool{}
	for _, r := range t.Restarts {
		n := t.Nodes[r.Node]
		if n == nil || len(n.Kubelet) == 0 {
			continue
		}
		for _, m := range r.PodMarksWith(HasSandbox) {
			if _, changed := m.Obs.Fact.(evidence.SandboxChanged); !changed {
				continue
			}
			run, _ := n.KubeletAt(m.At)
			if run == nil || m.At.Sub(run.Start) > tolerance.FirstSync || pods[pair[string]{run, r.PodUID}] {
				continue
			}
			pods[pair[string]{run, r.PodUID}] = true
			run.Remade = append(run.Remade, m)
			if of := (pair[workload]{run, workloadOf(r)}); !workloads[of] {
				workloads[of] = true
				run.Workloads++
			}
		}
	}
}
