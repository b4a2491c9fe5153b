package decide_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// A container with a different stored hash is killed and restarted, even under restartPolicy Never.
func ExampleComputePodActions() {
	p, err := kubelet.ProfileFor(kubelet.Version{Major: 1, Minor: 31})
	if err != nil {
		fmt.Println(err)
		return
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever,
		Containers:    []corev1.Container{{Name: "app", Image: "web:7"}},
	}}
	status := &decide.Status{
		Sandboxes: []decide.Sandbox{{ID: "s", Ready: true, NetworkReported: true, IP: "10.0.0.7"}},
		Containers: []decide.Container{
			{ID: "aa", Name: "app", SandboxID: "s", State: decide.StateRunning, Hash: 0xc87f01d2},
		},
	}
	actions, trace := decide.ComputePodActions(p, pod, status, decide.Options{Trace: true})
	for _, kill := range actions.ContainersToKill {
		fmt.Println("kill", kill.Name, "and start", actions.ContainersToStart)
	}
	for _, step := range trace {
		if step.Container == "app" && step.Taken {
			fmt.Println(step.Function, step.Branch)
		}
	}
	// Output:
	// kill app and start [0]
	// computePodActions hash-differs
}
