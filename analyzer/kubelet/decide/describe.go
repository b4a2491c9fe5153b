package decide

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// describe returns the text for a container's newest record.
func (d *decision) describe(name string) string { return describe(d.s.find(name)) }

func describe(st *Container) string {
	switch {
	case st == nil:
		return "the runtime has no record of it"
	case st.State == StateExited && st.Reason != "":
		return fmt.Sprintf("it exited with code %d (%s)", st.ExitCode, st.Reason)
	case st.State == StateExited:
		return fmt.Sprintf("it exited with code %d", st.ExitCode)
	case st.State == "":
		return "it is in no known state"
	}
	return fmt.Sprintf("it is %s", st.State)
}

func (d *decision) whySucceeded(c *corev1.Container) string {
	policy := "restartPolicy " + policyName(d.pod)
	if c.RestartPolicy != nil {
		policy += fmt.Sprintf(", its own %s", *c.RestartPolicy)
	}
	return policy + "; " + d.describe(c.Name)
}

// whyPolicy names the policies that decide about a container.
func (d *decision) whyPolicy(c *corev1.Container) string {
	if c.RestartPolicy != nil {
		return fmt.Sprintf("the pod's restartPolicy is %s, the container's %s", policyName(d.pod), *c.RestartPolicy)
	}
	return "the pod's restartPolicy is " + policyName(d.pod)
}

func policyName(pod *corev1.Pod) string {
	if pod.Spec.RestartPolicy == "" {
		return "Always (not set)"
	}
	return string(pod.Spec.RestartPolicy)
}

func whyProbe(results map[string]ProbeResult, id string) string {
	if r, ok := results[id]; ok {
		return "the probe's present result is " + string(r)
	}
	return "the probe has no result for this container"
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
