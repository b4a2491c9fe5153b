package probe

import "fmt"

// Grace is the grace period in seconds of a kill for a failed probe, and where
// it comes from; a kubelet takes at least 2 s (kubelet v1.36
// kuberuntime_container.go setTerminationGracePeriod).
//
// pod is terminationGracePeriodSeconds of the pod, probe that of the probe (nil
// where unset), deletion the grace of a deletion that is under way.
func Grace(r Rules, pod, probe, deletion *int64) (int64, string) {
	const minimum = 2
	grace, why := int64(minimum), "no grace period is set: the kubelet's minimum"
	switch {
	case deletion != nil:
		grace, why = *deletion, "the pod is being deleted: the deletion's grace period"
	case pod != nil && probe != nil && r.ProbeGrace:
		grace, why = *probe, "terminationGracePeriodSeconds of the probe"
	case pod != nil && probe != nil:
		grace, why = *pod, fmt.Sprintf("terminationGracePeriodSeconds of the pod: %s does not read the probe's by default",
			r.Version.MinorString())
	case pod != nil:
		grace, why = *pod, "terminationGracePeriodSeconds of the pod"
	}
	if grace < minimum {
		return minimum, why + ", raised to the kubelet's minimum of 2 s"
	}
	return grace, why
}

// Runtime tells apart the runtimes that treat an exec run's timeout differently.
type Runtime int

// CRI is every runtime behind the CRI; Dockershim is the kubelet's own, to 1.23.
const (
	CRI Runtime = iota
	Dockershim
)

// ExecTimeout is what an exec run over its timeoutSeconds counts as. enforced
// false: the run is not ended at the timeout but goes on as long as it likes,
// and its own exit code counts.
func ExecTimeout(r Rules, runtime Runtime) (outcome RunResult, enforced bool, why string) {
	switch {
	case runtime == Dockershim && !r.DockershimExecTimeout:
		return Passed, false, "dockershim does not end an exec run at its timeout; its exit code counts whenever it comes"
	case r.ExecTimeoutFails:
		return Failed, true, "since 1.20 an exec run over its timeout has failed"
	}
	return Errored, true, "before 1.20 an exec run over its timeout is an error, which is not counted"
}

// AfterKubeletRestart says what a restart of the kubelet does to the results of
// a probe whose container went on running.
func AfterKubeletRestart(r Rules, k Kind) string {
	switch {
	case k == Liveness:
		return "the failures counted so far are lost: it takes failureThreshold failures again"
	case k == Startup && !r.StartupProbes:
		return "this kubelet has no startup probes"
	case r.KeepsOverRestart && k == Startup:
		return "a container that had started stays started: its startup probe is not run again"
	case r.KeepsOverRestart:
		return "a container that was ready stays ready until its probe has run"
	case k == Startup && !r.StartupKills:
		return "the startup probe runs again on the old container, and the other probes wait until it passes"
	case k == Startup:
		return "the startup probe runs again on the old container, the other probes wait until it passes, and the kubelet " +
			"kills the container if it fails"
	case r.AddedAfterSync:
		return "the first status may still show ready, depending on whether it or the worker comes first; then it is not " +
			"ready until the probe has passed"
	}
	return "the first status still shows ready; then it is not ready until the probe has passed"
}
