package decide

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// ComputePodActions is the kubelet's function of that name alone (kuberuntime_manager.go computePodActions, 1.8+;
// before it computePodContainerChanges with what SyncPod does about init containers), and what SyncPod of 1.37 does
// right before it: InitializeActuatedPod. A nil pod or status counts as an empty one.
func ComputePodActions(p kubelet.Profile, pod *corev1.Pod, s *Status, o Options) (Actions, Trace) {
	d := decision{p: &p, pod: orEmpty(pod), s: orEmpty(s), o: &o, recorder: newRecorder(&p, o.Trace)}
	d.compute()
	return d.a, d.steps
}

func orEmpty[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

// decision is one run of computePodActions.
type decision struct {
	recorder
	p   *kubelet.Profile
	pod *corev1.Pod
	s   *Status
	o   *Options
	a   Actions
}

func (d *decision) compute() {
	if d.p.Rules.ContainerChanges {
		d.containerChanges()
		return
	}
	d.makeRecords()
	changed, attempt, id, _ := d.sandboxChanged()
	d.a.KillPod, d.a.CreateSandbox, d.a.Attempt, d.a.SandboxID = changed, changed, attempt, id
	if d.gate(kubelet.RestartAllContainersOnContainerExits) &&
		d.ask(&bResetAll, d.s.RestartAllContainers, "", d.whyReset) {
		d.resetAll()
		return
	}
	if d.ask(&bNewSandbox, changed, "", func() string {
		return fmt.Sprintf("%s said %s", d.functionName(fnSandbox), yesNo(changed))
	}) {
		d.newSandbox()
		return
	}
	d.startEphemeral()
	initialized := d.initContainers()
	if len(d.pod.Spec.InitContainers) > 0 {
		d.ask(&bInitDone, initialized && !d.a.KillPod, "", d.whyInitialized)
	}
	if !initialized || d.a.KillPod {
		return
	}
	d.regularContainers()
}

func (d *decision) whyInitialized() string {
	return fmt.Sprintf("%s to start, pod to be killed: %s",
		plural(len(d.a.InitContainersToStart), "init container", "init containers"), yesNo(d.a.KillPod))
}

// newSandbox decides what runs in the sandbox that replaces the old one: initialization starts over.
func (d *decision) newSandbox() {
	rules := &d.p.Rules
	if d.neverEnds() {
		// Up to 1.12 the sandbox is created anyway, and nothing is started in it.
		d.a.CreateSandbox = rules.NeverPod == kubelet.NeverPodGetsSandbox
		return
	}
	// Without NoIdleSandbox, a pod with init containers returns before its regular containers are considered.
	if !rules.NoIdleSandbox && d.initFirst() {
		return
	}
	var start []int
	for i := range d.pod.Spec.Containers {
		c := &d.pod.Spec.Containers[i]
		if !d.ask(&bSucceeded, d.runsOnce(c) && d.succeeded(c.Name), c.Name, func() string { return d.whySucceeded(c) }) {
			start = append(start, i)
		}
	}
	if rules.NoIdleSandbox && len(start) == 0 &&
		d.ask(&bIdleSandbox, d.wasInitialized(), "", func() string { return "every regular container has succeeded" }) {
		d.a.CreateSandbox = false
		return
	}
	if rules.NoIdleSandbox && d.initFirst() {
		return
	}
	d.a.ContainersToStart = start
}

// initFirst starts initialization in a new sandbox, and reports whether there is any.
func (d *decision) initFirst() bool {
	if !d.ask(&bInitFirst, len(d.pod.Spec.InitContainers) != 0, "", func() string {
		return plural(len(d.pod.Spec.InitContainers), "init container", "init containers")
	}) {
		return false
	}
	d.a.InitContainersToStart = []int{0}
	return true
}

func (d *decision) neverEnds() bool {
	ends := d.pod.Spec.RestartPolicy == corev1.RestartPolicyNever && d.a.Attempt != 0 &&
		(d.p.Rules.NeverPod != kubelet.NeverPodEndsIfRan || len(d.s.Containers) != 0)
	return d.ask(&bNeverEnds, ends, "", func() string {
		return fmt.Sprintf("restartPolicy %s, next sandbox attempt %d, %s", policyName(d.pod), d.a.Attempt,
			plural(len(d.s.Containers), "container record", "container records"))
	})
}

// wasInitialized reports whether initialization is over when nothing is left to start; the two functions for init
// containers check differently.
func (d *decision) wasInitialized() bool {
	if d.usesInitActions() {
		return d.regularIn(StateCreated, StateRunning, StateExited)
	}
	_, _, done := d.nextInit()
	return done
}

func (d *decision) startEphemeral() {
	if !d.p.Rules.Ephemeral || d.p.Minor < 25 && !d.gate(kubelet.EphemeralContainers) {
		return
	}
	for i := range d.pod.Spec.EphemeralContainers {
		name := d.pod.Spec.EphemeralContainers[i].Name
		if d.ask(&bEphemeral, d.s.find(name) == nil, name, func() string { return d.describe(name) }) {
			d.a.EphemeralContainersToStart = append(d.a.EphemeralContainersToStart, i)
		}
	}
}

// runsOnce reports whether a success of this container is final (restartPolicy OnFailure, its own one first where rules
// are on).
func (d *decision) runsOnce(c *corev1.Container) bool {
	if d.gate(kubelet.ContainerRestartRules) && c.RestartPolicy != nil {
		return *c.RestartPolicy == corev1.ContainerRestartPolicyOnFailure
	}
	return d.pod.Spec.RestartPolicy == corev1.RestartPolicyOnFailure
}

func (d *decision) succeeded(name string) bool {
	st := d.s.find(name)
	if st == nil || st.ExitCode != 0 {
		return false
	}
	if d.p.Rules.SucceededIsExited {
		return st.State == StateExited
	}
	return st.State != StateRunning
}

// regularIn reports whether the newest record of any regular container is in one of the states.
func (d *decision) regularIn(states ...State) bool {
	for i := range d.pod.Spec.Containers {
		if st := d.s.find(d.pod.Spec.Containers[i].Name); st != nil && slices.Contains(states, st.State) {
			return true
		}
	}
	return false
}

func (d *decision) gate(g kubelet.Gate) bool { return d.p.Gates.On(g) }

// mayRestart is shouldRestartOnFailure: it reports whether the pod's policy is not Never.
func (d *decision) mayRestart() bool { return d.pod.Spec.RestartPolicy != corev1.RestartPolicyNever }
