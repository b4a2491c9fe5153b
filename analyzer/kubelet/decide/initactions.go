package decide

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// IsSidecar reports whether it is an init container with restartPolicy Always (api/v1/pod IsRestartableInitContainer).
func IsSidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// initState is the state of the walk over the init containers.
type initState struct {
	// over: initialization is over. passed: a later init container, or a regular one, shows that the present one is
	// done.
	over, passed bool
	last         int
}

// initActions is computeInitContainerActions: from the last init container to the first, because the records of those
// that are done may be gone. It returns whether initialization is over.
func (d *decision) initActions() bool {
	inits := d.pod.Spec.InitContainers
	if len(inits) == 0 {
		return true
	}
	over := d.regularMade()
	d.ask(&bInitRegular, over, "", d.whyRegular)
	w := initState{over: over, passed: over, last: len(inits) - 1}
	for i := range slices.Backward(inits) {
		c := &inits[i]
		st := d.initRecord(c.Name)
		what := func() string { return d.describeInit(c.Name) }
		if st == nil {
			if IsSidecar(c) && d.ask(&bInitMissing, w.passed, c.Name, what) {
				d.startInit(i)
			}
			continue
		}
		if d.ask(&bInitPast, w.passed && !IsSidecar(c), c.Name, what) {
			continue
		}
		if ended := d.initAction(&w, i, st); ended {
			return false
		}
		w.passed = true
	}
	if d.ask(&bInitNoRecord, !w.passed, "", func() string { return "none of them has a record" + d.ofSandbox() }) {
		d.startInit(0)
	}
	slices.Reverse(d.a.InitContainersToStart)
	d.resizeForStart(inits, d.a.InitContainersToStart)
	return w.over
}

// initAction decides about one init container with a record and returns true when the pod has failed because of it.
func (d *decision) initAction(w *initState, i int, st *Container) (ended bool) {
	c := &d.pod.Spec.InitContainers[i]
	what := func() string { return describe(st) }
	switch st.State {
	case StateCreated:
		d.ask(&bInitCreated, true, c.Name, what)
		if d.p.Rules.CreatedInitStarts {
			d.startInit(i)
		}
	case StateRunning:
		if d.ask(&bInitRuns, !IsSidecar(c), c.Name, what) {
			if d.gate(kubelet.InPlacePodVerticalScalingInitContainers) {
				d.resize(i, KindInit, st)
			}
			return false
		}
		d.runningSidecar(w, i, st)
	case StateExited:
		if d.ask(&bSideExited, IsSidecar(c), c.Name, what) {
			d.startInit(i)
			return false
		}
		if d.ask(&bInitFailed, d.initFailed(st), c.Name, what) {
			return !d.retryInit(i)
		}
		d.initIsDone(w, i)
	default:
		d.ask(&bInitUnknown, true, c.Name, what)
		if !IsSidecar(c) && !d.ask(&bInitRetry, d.policyAllows(c), c.Name, func() string { return d.whyPolicy(c) }) {
			d.failPod()
			return true
		}
		d.kill(st.ID, c.Name, ReasonUnknown, unknownInitText(st.State))
		d.startInit(i)
	}
	return false
}

// runningSidecar: a sidecar that has started lets the next one start, and may be killed for its own reasons.
func (d *decision) runningSidecar(w *initState, i int, st *Container) {
	c := &d.pod.Spec.InitContainers[i]
	if c.StartupProbe != nil {
		result, found := d.s.Startup[st.ID]
		why := func() string { return whyProbe(d.s.Startup, st.ID) }
		if d.ask(&bSideStartup, !found || result != ProbeSuccess, c.Name, why) {
			if found && d.ask(&bSideFailed, result == ProbeFailure, c.Name, why) {
				d.restartSidecar(i, st, ReasonStartupProbe, "Init container "+c.Name+" failed startup probe")
			}
			return
		}
	}
	if i == w.last {
		w.over = true
	} else if !w.passed {
		d.startInit(i + 1)
	}
	if d.p.HashesSidecars && d.hashDiffers(&bSideHash, c, st) {
		d.restartSidecar(i, st, "", "Init container "+c.Name+" definition changed")
		return
	}
	if c.LivenessProbe != nil {
		result, found := d.s.Liveness[st.ID]
		if d.ask(&bSideLive, found && result == ProbeFailure, c.Name,
			func() string { return whyProbe(d.s.Liveness, st.ID) }) {
			d.restartSidecar(i, st, ReasonLivenessProbe, "Init container "+c.Name+" failed liveness probe")
			return
		}
		if !found {
			return
		}
	}
	if d.p.Rules.Resize == kubelet.ResizeActuated {
		d.resize(i, KindInit, st)
	}
}

func (d *decision) restartSidecar(i int, st *Container, reason ReasonCode, message string) {
	d.kill(st.ID, d.pod.Spec.InitContainers[i].Name, reason, message)
	d.startInit(i)
}

// initIsDone: the container was the last one, or the next may start.
func (d *decision) initIsDone(w *initState, i int) {
	if i == w.last {
		w.over = true
		return
	}
	d.startInit(i + 1)
}

// retryInit starts a failed init container again, or ends the pod. With restart rules the whole of
// ShouldContainerBeRestarted decides (1.34+).
func (d *decision) retryInit(i int) bool {
	c := &d.pod.Spec.InitContainers[i]
	again := d.mayRestart()
	if d.gate(kubelet.ContainerRestartRules) {
		again = d.shouldRestart(c)
	}
	if !d.ask(&bInitRetry, again, c.Name, func() string { return d.whyPolicy(c) }) {
		d.failPod()
		return false
	}
	d.startInit(i)
	return true
}

// policyAllows is the container's own policy where restart rules are on, else the pod's. Rules do not apply: there is
// no exit code.
func (d *decision) policyAllows(c *corev1.Container) bool {
	if d.gate(kubelet.ContainerRestartRules) && c.RestartPolicy != nil {
		return *c.RestartPolicy != corev1.ContainerRestartPolicyNever
	}
	return d.mayRestart()
}

func (d *decision) startInit(i int) {
	d.a.InitContainersToStart = append(d.a.InitContainersToStart, i)
}

func (d *decision) failPod() {
	d.a.KillPod, d.a.InitContainersToStart = true, nil
}
