package decide

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// changes is one run of computePodContainerChanges, the function before computePodActions (kubelet v1.5–v1.7
// kuberuntime_manager.go), and of what SyncPod of the same file did with it. Only the way through CRI is modelled,
// which was the default since 1.6; the docker manager, the default of 1.5, had its own function.
type changes struct {
	sandbox    bool
	initFailed bool
	// start holds the message per index of the spec, keep the IDs of regular and keepInit those of init containers.
	start          map[int]string
	keep, keepInit map[string]bool
}

// containerChanges decides for kubelets up to 1.7.
func (d *decision) containerChanges() {
	d.ask(&bOldModel, true, "", func() string {
		if d.p.Minor == 5 {
			return "in 1.5 CRI had to be asked for (--experimental-cri); its default, the docker manager, is not modelled"
		}
		return "CRI is the default since 1.6"
	})
	changed, attempt, id, _ := d.sandboxChanged()
	d.a.Attempt, d.a.SandboxID = attempt, id
	c := changes{sandbox: changed, start: map[int]string{}, keep: map[string]bool{}, keepInit: map[string]bool{}}
	d.ask(&bNewSandbox, changed, "", func() string {
		return fmt.Sprintf("%s said %s", d.functionName(fnSandbox), yesNo(changed))
	})
	if !changed {
		c.initFailed = d.keepInits(c.keepInit)
	}
	for i := range d.pod.Spec.Containers {
		d.changeOf(&c, i)
	}
	idle := len(c.start) == 0 && len(c.keep) == 0
	d.ask(&bNothingLeft, idle, "", func() string { return fmt.Sprintf("%d kept, %d to start", len(c.keep), len(c.start)) })
	d.a.KillPod = changed || idle
	d.a.CreateSandbox = changed && len(c.start) > 0
	if !d.a.KillPod {
		d.killUnwanted(&c)
	}
	d.startChanged(&c)
}

// keepInits keeps what ran or runs, up to the first that failed (checkAndKeepInitContainers), and returns whether one
// did.
func (d *decision) keepInits(keep map[string]bool) (failed bool) {
	for i := range d.pod.Spec.InitContainers {
		name := d.pod.Spec.InitContainers[i].Name
		st := d.s.find(name)
		if st == nil {
			continue
		}
		if st.State == StateRunning || st.State == StateExited {
			keep[st.ID] = true
		}
		if st.State != StateRunning && d.initFailed(st) {
			return true
		}
	}
	return false
}

// changeOf decides about one regular container: the first reason that applies counts.
func (d *decision) changeOf(c *changes, i int) {
	container := &d.pod.Spec.Containers[i]
	name := container.Name
	st := d.s.find(name)
	why := func() string { return d.whyPolicy(container) }
	if d.ask(&bNotRunning, st == nil || st.State != StateRunning, name, func() string { return d.describe(name) }) {
		if d.shouldRestart(container) {
			// Upstream's text includes the whole spec, environment and all.
			c.start[i] = "Container " + name + " is dead, but RestartPolicy says that we should restart it."
		}
		return
	}
	if c.sandbox {
		if d.ask(&bOldSandbox, d.mayRestart(), name, why) {
			c.start[i] = "Container " + name + "'s pod sandbox is dead, the container will be recreated."
		}
		return
	}
	if d.ask(&bOldInitFailed, c.initFailed, name, func() string {
		return "a failed init container has a record: " + yesNo(c.initFailed)
	}) {
		if d.ask(&bRestartKill, d.mayRestart(), name, why) {
			c.start[i] = fmt.Sprintf("Failed to initialize pod. %q will be restarted.", name)
		}
		return
	}
	if d.hashDiffers(&bHash, container, st) {
		expected, _ := d.expectedHash(container)
		c.start[i] = fmt.Sprintf("Pod %q container %q hash changed (%d vs %d), it will be killed and re-created.",
			d.pod.Name, name, st.Hash, expected)
		return
	}
	result, found := d.s.Liveness[st.ID]
	if !d.ask(&bLiveness, found && result != ProbeSuccess, name, func() string { return whyProbe(d.s.Liveness, st.ID) }) {
		c.keep[st.ID] = true
		return
	}
	if d.ask(&bRestartKill, d.mayRestart(), name, why) {
		c.start[i] = fmt.Sprintf("pod %q container %q is unhealthy, it will be killed and re-created.", fullName(d.pod), name)
	}
}

// fullName is how the kubelet of that time writes a pod (util/format Pod).
func fullName(pod *corev1.Pod) string {
	return pod.Name + "_" + pod.Namespace + "(" + string(pod.UID) + ")"
}

// killUnwanted kills every running record that nothing keeps, whether or not the spec has it.
func (d *decision) killUnwanted(c *changes) {
	for i := range d.s.Containers {
		st := &d.s.Containers[i]
		if st.State != StateRunning {
			continue
		}
		if !d.ask(&bOldUnwanted, !c.keep[st.ID] && !c.keepInit[st.ID], st.Name,
			func() string { return "kept: " + yesNo(c.keep[st.ID] || c.keepInit[st.ID]) }) {
			continue
		}
		message := ""
		if at := slices.IndexFunc(d.pod.Spec.Containers, func(sc corev1.Container) bool {
			return sc.Name == st.Name
		}); at >= 0 {
			message = c.start[at]
		}
		d.kill(st.ID, st.Name, "", message)
	}
}

// startChanged is the second half of SyncPod. It uses the init containers' records from before the sandbox was
// replaced: those that had succeeded do not run again.
func (d *decision) startChanged(c *changes) {
	failed, next, done := d.nextInit()
	if failed != nil && d.ask(&bOldInitEnds, !d.mayRestart(), failed.Name,
		func() string { return "the pod's restartPolicy is " + policyName(d.pod) }) {
		return
	}
	if next >= 0 {
		if d.ask(&bOldInitStart, len(c.start) > 0, d.pod.Spec.InitContainers[next].Name, func() string {
			return plural(len(c.start), "regular container", "regular containers") + " to start after it"
		}) {
			d.a.InitContainersToStart = []int{next}
		}
		return
	}
	if !done || c.initFailed {
		return
	}
	for i := range d.pod.Spec.Containers {
		if _, ok := c.start[i]; ok {
			d.a.ContainersToStart = append(d.a.ContainersToStart, i)
		}
	}
}
