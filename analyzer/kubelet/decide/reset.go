package decide

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

func (d *decision) whyReset() string {
	return fmt.Sprintf("condition AllContainersRestarting: %s", yesNo(d.s.RestartAllContainers))
}

// resetAll removes every record of every container: first those that did not cause it, regular before init, and last
// those whose exit caused it, so that an interrupted kubelet still sees the reason (kuberuntime_manager.go
// getContainersToReset, 1.35+).
func (d *decision) resetAll() {
	initSources, initTargets := d.toReset(d.pod.Spec.InitContainers)
	sources, targets := d.toReset(d.pod.Spec.Containers)
	for _, part := range [][]Reset{targets, initTargets, sources, initSources} {
		d.a.ContainersToReset = append(d.a.ContainersToReset, part...)
	}
}

func (d *decision) toReset(containers []corev1.Container) (sources, targets []Reset) {
	for i := range containers {
		for j := range d.s.Containers {
			st := &d.s.Containers[j]
			if st.Name != containers[i].Name {
				continue
			}
			r := Reset{ID: st.ID, Name: st.Name, Kill: st.State != StateExited}
			rule := MatchingRule(&containers[i], st.ExitCode)
			if !r.Kill && rule != nil && rule.Action == corev1.ContainerRestartRuleActionRestartAllContainers {
				sources = append(sources, r)
			} else {
				targets = append(targets, r)
			}
		}
	}
	return sources, targets
}
