package describe

// sidecars marks the init containers that run on beside the others: a description leaves out their restart policy. Only
// those may have probes (kubernetes pkg/apis/core/validation validateInitContainers), and only those still run when a
// container of the pod is started.
func (p *pod) sidecars() {
	inits, _ := p.spec["initContainers"].([]object)
	statuses, _ := p.status["initContainerStatuses"].([]object)
	started := ""
	apps, _ := p.status["containerStatuses"].([]object)
	for _, app := range apps {
		for _, is := range []string{"running", "terminated"} {
			if at, ok := inState(app, is)["startedAt"].(string); ok && (started == "" || at < started) {
				started = at
			}
		}
	}
	for i, c := range inits {
		ended := inState(statuses[i], "terminated")
		began, _ := ended["startedAt"].(string)
		finished, _ := ended["finishedAt"].(string)
		if c["livenessProbe"] != nil || c["readinessProbe"] != nil || c["startupProbe"] != nil ||
			began != "" && began < started && started < finished {
			c["restartPolicy"] = "Always"
		}
	}
}

func inState(status object, is string) object {
	state, _ := status["state"].(object)
	in, _ := state[is].(object)
	return in
}
