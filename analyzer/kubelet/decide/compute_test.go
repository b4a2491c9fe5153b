package decide

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
)

// kept is what the kubelet does with a healthy pod: nothing. Each expectation is a change to it.
func kept(changes ...func(*Actions)) Actions {
	a := Actions{SandboxID: "s0"}
	for _, c := range changes {
		c(&a)
	}
	return a
}

func start(i ...int) func(*Actions)     { return func(a *Actions) { a.ContainersToStart = i } }
func startInit(i ...int) func(*Actions) { return func(a *Actions) { a.InitContainersToStart = i } }
func killPod(a *Actions)                { a.KillPod = true }

func kill(id, name string, reason ReasonCode, message string) func(*Actions) {
	return func(a *Actions) {
		a.ContainersToKill = append(a.ContainersToKill, Kill{ID: id, Name: name, Reason: reason, Message: message})
	}
}

func newSandbox(attempt uint32, id string) func(*Actions) {
	return func(a *Actions) {
		a.KillPod, a.CreateSandbox, a.Attempt, a.SandboxID = true, true, attempt, id
	}
}

func noNewSandbox(a *Actions) { a.CreateSandbox = false }

const (
	definitionChanged = "Container a definition changed, will be restarted"
	livenessFailed    = "Container a failed liveness probe, will be restarted"
)

func TestComputePodActions(t *testing.T) {
	never, onFailure := policy(corev1.RestartPolicyNever), policy(corev1.RestartPolicyOnFailure)
	tests := map[string]struct {
		version string
		gates   []string
		given   []mutation
		want    Actions
	}{
		"a healthy pod is left alone":              {"v1.36", nil, nil, kept()},
		"a container that exited is started again": {"v1.31", nil, []mutation{exited("a", 1)}, kept(start(0))},
		"a container without a record is started":  {"v1.31", nil, []mutation{gone("b")}, kept(start(1))},
		"a failed liveness probe kills and restarts": {"v1.31", nil,
			[]mutation{liveness("a0", ProbeFailure)}, kept(start(0), kill("a0", "a", ReasonLivenessProbe, livenessFailed))},
		"before 1.21 a kill had no reason code": {"v1.20", nil,
			[]mutation{liveness("a0", ProbeFailure)}, kept(start(0), kill("a0", "a", "", livenessFailed))},
		"before 1.14 the text was a sentence with two full stops": {"v1.13", nil,
			[]mutation{liveness("a0", ProbeFailure)},
			kept(start(0), kill("a0", "a", "", "Container failed liveness probe.. Container will be killed and recreated."))},
		"a liveness result that is not a failure kills nothing": {"v1.31", nil,
			[]mutation{liveness("a0", ProbeUnknown)}, kept()},
		"a pod of policy Never is killed by liveness and stays down": {"v1.31", nil,
			[]mutation{never, liveness("a0", ProbeFailure)},
			kept(kill("a0", "a", ReasonLivenessProbe, "Container a failed liveness probe"))},
		"a failed startup probe kills and restarts": {"v1.17", nil,
			[]mutation{startup("a0", ProbeFailure)},
			kept(start(0), kill("a0", "a", "", "Container a failed startup probe, will be restarted"))},
		"in 1.16 a failed startup probe kills nothing": {"v1.16", nil, []mutation{startup("a0", ProbeFailure)}, kept()},
		"liveness comes before startup": {"v1.31", nil,
			[]mutation{startup("a0", ProbeFailure), liveness("a0", ProbeFailure)},
			kept(start(0), kill("a0", "a", ReasonLivenessProbe, livenessFailed))},
		"a changed definition restarts whatever the policy": {"v1.31", nil,
			[]mutation{never, otherHash("a")}, kept(start(0), kill("a0", "a", "", definitionChanged))},
		"before 1.14 both hashes stood in the text": {"v1.8", nil,
			[]mutation{otherHash("a")},
			kept(start(0),
				kill("a0", "a", "", "Container spec hash changed (8 vs 7).. Container will be killed and recreated."))},
		"a container in state unknown is killed before its start": {"v1.31", nil,
			[]mutation{state("a", StateUnknown, 0)},
			kept(start(0), kill("a0", "a", ReasonUnknown, `Container is in "unknown" state, try killing it before restart`))},
		"before 1.14 it was only started":        {"v1.13", nil, []mutation{state("a", StateUnknown, 0)}, kept(start(0))},
		"a created container is started":         {"v1.31", nil, []mutation{state("a", StateCreated, 0)}, kept(start(0))},
		"policy Never starts nothing that ended": {"v1.31", nil, []mutation{never, exited("a", 1)}, kept()},
		"policy OnFailure leaves a success":      {"v1.31", nil, []mutation{onFailure, exited("a", 0)}, kept()},
		"policy OnFailure restarts a failure":    {"v1.31", nil, []mutation{onFailure, exited("a", 3)}, kept(start(0))},
		"a pod with nothing left is killed": {"v1.31", nil, []mutation{onFailure, exited("a", 0), exited("b", 0)},
			kept(killPod)},
		"nothing of a deleted pod is started": {"v1.18", nil, []mutation{deleted, exited("a", 1)}, kept()},
		"up to 1.17.10 it was":                {"v1.17.10", nil, []mutation{deleted, exited("a", 1)}, kept(start(0))},
		"a record of a container outside the spec changes nothing": {"v1.31", nil, []mutation{func(s *situation) {
			s.status.Containers[0].Name = "x"
			s.pod.Spec.Containers = s.pod.Spec.Containers[1:]
		}}, kept()},
		"a pod that never had a sandbox starts from attempt 0": {"v1.31", nil,
			[]mutation{noSandbox, notStarted}, kept(newSandbox(0, ""), start(0, 1))},
		"a dead sandbox restarts everything": {"v1.31", nil,
			[]mutation{sandboxNotReady}, kept(newSandbox(1, "s0"), start(0, 1))},
		"a dead sandbox starts initialization over": {"v1.31", nil,
			[]mutation{sandboxNotReady, initContainer("i"), initContainer("j")}, kept(newSandbox(1, "s0"), startInit(0))},
		"a dead sandbox ends a pod of policy Never": {"v1.31", nil,
			[]mutation{never, sandboxNotReady}, kept(newSandbox(1, "s0"), noNewSandbox)},
		"up to 1.12 such a pod got an empty sandbox": {"v1.12", nil,
			[]mutation{never, sandboxNotReady}, kept(newSandbox(1, "s0"))},
		"a pod of policy Never that never ran is tried again": {"v1.16", nil,
			[]mutation{never, sandboxNotReady, notStarted}, kept(newSandbox(1, "s0"), start(0, 1))},
		"in 1.14.3 it was not": {"v1.14.3", nil,
			[]mutation{never, sandboxNotReady, notStarted}, kept(newSandbox(1, "s0"), noNewSandbox)},
		"1.14.4 brought it": {"v1.14.4", nil,
			[]mutation{never, sandboxNotReady, notStarted}, kept(newSandbox(1, "s0"), start(0, 1))},
		"a new sandbox leaves out what has succeeded": {"v1.31", nil,
			[]mutation{onFailure, sandboxNotReady, exited("a", 0)}, kept(newSandbox(1, "s0"), start(1))},
		"no sandbox is made for a pod that is done": {"v1.20", nil,
			[]mutation{onFailure, sandboxNotReady, exited("a", 0), exited("b", 0)}, kept(newSandbox(1, "s0"), noNewSandbox)},
		"in 1.19.3 one was made": {"v1.19.3", nil,
			[]mutation{onFailure, sandboxNotReady, exited("a", 0), exited("b", 0)}, kept(newSandbox(1, "s0"))},
		"until 1.31 a container in state unknown had succeeded": {"v1.31", nil,
			[]mutation{onFailure, sandboxNotReady, state("a", StateUnknown, 0)}, kept(newSandbox(1, "s0"), start(1))},
		"since 1.32 it has not": {"v1.32", nil, []mutation{onFailure, sandboxNotReady, state("a", StateUnknown, 0)},
			kept(newSandbox(1, "s0"), start(0, 1))},
		"with rules a success under its own OnFailure is left out": {"v1.35", nil,
			[]mutation{sandboxNotReady, ownPolicy("a", corev1.ContainerRestartPolicyOnFailure), exited("a", 0)},
			kept(newSandbox(1, "s0"), start(1))},
		"a matching rule restarts what the policy would not": {"v1.35", nil,
			[]mutation{never, ownPolicy("a", corev1.ContainerRestartPolicyNever, rule("Restart", "In", 42)), exited("a", 42)},
			kept(start(0))},
		"a rule for other codes does not": {"v1.35", nil,
			[]mutation{never, ownPolicy("a", corev1.ContainerRestartPolicyNever, rule("Restart", "NotIn", 42)), exited("a", 42)},
			kept()},
		"in 1.34 rules are not looked at": {"v1.34", nil,
			[]mutation{never, ownPolicy("a", corev1.ContainerRestartPolicyAlways), exited("a", 42)}, kept()},
		"in 1.34 with the gate they are": {"v1.34", []string{"+ContainerRestartRules"},
			[]mutation{never, ownPolicy("a", corev1.ContainerRestartPolicyAlways), exited("a", 42)}, kept(start(0))},
		"a container's own policy OnFailure restarts a failure": {"v1.35", nil,
			[]mutation{never, ownPolicy("a", corev1.ContainerRestartPolicyOnFailure), exited("a", 1)}, kept(start(0))},
		"an unknown policy of its own falls back to the pod's": {"v1.35", nil,
			[]mutation{never, ownPolicy("a", "Sometimes"), exited("a", 1)}, kept()},
		"after a probe failure the container's own policy decides": {"v1.35", nil,
			[]mutation{ownPolicy("a", corev1.ContainerRestartPolicyNever), liveness("a0", ProbeFailure)},
			kept(kill("a0", "a", ReasonLivenessProbe, "Container a failed liveness probe"))},
		"an ephemeral container that never ran is started": {"v1.25", nil, []mutation{ephemeral("e")},
			kept(func(a *Actions) { a.EphemeralContainersToStart = []int{0} })},
		"in 1.22 ephemeral containers are off": {"v1.22", nil, []mutation{ephemeral("e")}, kept()},
		"an ephemeral container that ended stays so": {"v1.36", nil, []mutation{ephemeral("e"), addRecord("e", StateExited)},
			kept()},
		"restarting all containers removes them, the one that asked last": {"v1.36", nil, []mutation{
			initContainer("i"), ownPolicy("a", corev1.ContainerRestartPolicyNever, rule("RestartAllContainers", "In", 9)),
			exited("a", 9), restartAll,
		}, kept(func(a *Actions) {
			a.ContainersToReset = []Reset{{"b0", "b", true}, {"i0", "i", false}, {"a0", "a", false}}
		})},
		"in 1.35 that is off":                     {"v1.35", nil, []mutation{restartAll}, kept()},
		"a profile beyond the model acts like it": {"v1.40", nil, []mutation{exited("a", 1)}, kept(start(0))},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			got, trace := ComputePodActions(profileOf(t, test.version, test.gates...), s.pod, s.status, unchanged)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if trace != nil {
				t.Errorf("a trace that nobody asked for: %v", trace)
			}
		})
	}
}

func ephemeral(name string) mutation {
	return func(s *situation) {
		s.pod.Spec.EphemeralContainers = append(s.pod.Spec.EphemeralContainers,
			corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: name}})
	}
}

func addRecord(name string, st State) mutation {
	return func(s *situation) {
		s.status.Containers = append(s.status.Containers,
			Container{ID: name + "0", Name: name, SandboxID: "s0", State: st, Hash: 7})
	}
}

func restartAll(s *situation) { s.status.RestartAllContainers = true }

func TestPodSandboxChanged(t *testing.T) {
	box := func(change func(*Sandbox)) mutation { return func(s *situation) { change(&s.status.Sandboxes[0]) } }
	host := func(s *situation) { s.pod.Spec.HostNetwork = true }
	tests := map[string]struct {
		version string
		given   []mutation
		changed bool
		attempt uint32
		id      string
	}{
		"a ready sandbox stays": {"v1.36", nil, false, 0, "s0"},
		"none at all":           {"v1.36", []mutation{noSandbox}, true, 0, ""},
		"two that are ready": {"v1.36",
			[]mutation{func(s *situation) { s.status.Sandboxes = append(s.status.Sandboxes, Sandbox{ID: "old", Ready: true}) }},
			true, 1, "s0"},
		"only an older one is ready": {"v1.36", []mutation{sandboxNotReady,
			func(s *situation) { s.status.Sandboxes = append(s.status.Sandboxes, Sandbox{ID: "old", Ready: true}) }},
			true, 1, "s0"},
		"not ready": {"v1.36", []mutation{sandboxNotReady, box(func(b *Sandbox) { b.Attempt = 4 })}, true, 5, "s0"},
		"the pod wants the node's network: no ID": {"v1.36", []mutation{host}, true, 1, ""},
		"a host pod in its node's network stays": {"v1.36",
			[]mutation{host, box(func(b *Sandbox) { b.Network, b.IP = NamespaceNode, "" })}, false, 0, "s0"},
		"another mode is another mode since 1.10": {"v1.10",
			[]mutation{box(func(b *Sandbox) { b.Network = NamespaceContainer })}, true, 1, ""},
		"before, only the node's network was compared": {"v1.9",
			[]mutation{box(func(b *Sandbox) { b.Network = NamespaceContainer })}, false, 0, "s0"},
		"no address":                       {"v1.8", []mutation{box(func(b *Sandbox) { b.IP = "" })}, true, 1, "s0"},
		"no address did not matter in 1.7": {"v1.7", []mutation{box(func(b *Sandbox) { b.IP = "" })}, false, 0, "s0"},
		"no network block counts as no address": {"v1.24",
			[]mutation{box(func(b *Sandbox) { b.IP, b.NetworkReported = "", false })}, true, 1, "s0"},
		"but not since 1.25": {"v1.25",
			[]mutation{box(func(b *Sandbox) { b.IP, b.NetworkReported = "", false })}, false, 0, "s0"},
		"attempts wrap around like the kubelet's": {"v1.36", []mutation{sandboxNotReady,
			box(func(b *Sandbox) { b.Attempt = 1<<32 - 1 })}, true, 0, "s0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			changed, attempt, id, _ := PodSandboxChanged(profileOf(t, test.version), s.pod, s.status)
			if changed != test.changed || attempt != test.attempt || id != test.id {
				t.Errorf("got %v, %d, %q; want %v, %d, %q", changed, attempt, id, test.changed, test.attempt, test.id)
			}
		})
	}
}
