package decide

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
)

// ofOldSandbox moves the containers' records to an older sandbox.
func ofOldSandbox(names ...string) mutation {
	return func(s *situation) {
		s.status.Sandboxes = append(s.status.Sandboxes[:1:1], Sandbox{ID: "old", NetworkReported: true})
		s.status.Sandboxes[0].Attempt = 1
		for _, name := range names {
			s.record(name).SandboxID = "old"
		}
	}
}

// Since 1.37 initialization depends on the records of the active sandbox.
func TestInitializationIsJudgedByTheActiveSandbox(t *testing.T) {
	i, both := initContainer("i"), func(code int) mutation {
		return func(s *situation) { exited("a", code)(s); exited("b", code)(s) }
	}
	second := func(a *Actions) { a.Attempt = 1 }
	evented := func(s *situation) { s.status.Evented = true }
	tests := map[string]struct {
		version string
		gates   []string
		given   []mutation
		want    Actions
	}{
		"regular containers ended, the init record is gone: up to 1.36 again from the start": {"v1.36", nil,
			[]mutation{i, gone("i"), both(1)}, kept(startInit(0))},
		"since 1.37 they start at once": {"v1.37", nil, []mutation{i, gone("i"), both(1)}, kept(start(0, 1))},
		"a record in state unknown is one": {"v1.37", nil,
			[]mutation{i, gone("i"), gone("b"), state("a", StateUnknown, 0)},
			kept(start(0, 1), kill("a0", "a", ReasonUnknown, unknownText(StateUnknown)))},
		"in 1.36 it was none": {"v1.36", nil, []mutation{i, gone("i"), gone("b"), state("a", StateUnknown, 0)},
			kept(startInit(0))},
		"a regular container of an older sandbox shows nothing": {"v1.37", nil,
			[]mutation{i, gone("i"), ofOldSandbox("a", "b")}, kept(second, startInit(0))},
		"in 1.36 it did": {"v1.36", nil, []mutation{i, gone("i"), ofOldSandbox("a", "b")}, kept(second)},
		"an init container of an older sandbox is not done": {"v1.37", nil, []mutation{notStarted, i, ofOldSandbox("i")},
			kept(second, startInit(0))},
		"in 1.36 it was": {"v1.36", nil, []mutation{notStarted, i, ofOldSandbox("i")}, kept(second, start(0, 1))},
		"a sidecar of an older sandbox is started": {"v1.37", nil,
			[]mutation{sidecar("i"), ofOldSandbox("i")}, kept(second, startInit(0))},
		"in 1.36 one that ran there was left": {"v1.36", nil, []mutation{sidecar("i"), ofOldSandbox("i")}, kept(second)},
		"one record of a container in this sandbox is enough": {"v1.37", nil,
			[]mutation{i, gone("i"), ofOldSandbox("a"), exited("b", 1)}, kept(second, start(1))},
		"with EventedPLEG no record counts": {"v1.37", []string{"+EventedPLEG"},
			[]mutation{i, evented}, kept(startInit(0))},
		"unless the runtime leaves out the time": {"v1.37", []string{"+EventedPLEG"}, []mutation{i}, kept()},
		"nor does it matter without the gate":    {"v1.37", nil, []mutation{i, evented}, kept()},
		"a pod without init containers has nothing to initialize": {"v1.37", nil,
			[]mutation{ofOldSandbox("a", "b"), exited("b", 1)}, kept(second, start(1))},
		"what a pod lost with its sandbox is asked of every record": {"v1.37", nil, []mutation{
			policy(corev1.RestartPolicyOnFailure), i, both(0), ofOldSandbox("a", "b"), sandboxNotReady,
		}, kept(newSandbox(2, "s0"), noNewSandbox)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			got, _ := ComputePodActions(profileOf(t, test.version, test.gates...), s.pod, s.status, unchanged)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecordsOfResources(t *testing.T) {
	small, large := requirements("1Gi", "500m", "100m"), requirements("2Gi", "500m", "100m")
	lost := func(s *situation) { s.status.Resources, s.status.PodResources = nil, nil }
	podLevel := func(s *situation) { s.pod.Spec.Resources, s.status.PodResources = &large, &large }
	restarts := restartFor("a", corev1.ResourceMemory)
	resizes := func(a *Actions) { a.UpdatePodResources = true }
	restarted := kept(start(0), kill("a0", "a", "", "Container a resize requires restart"), resizes)
	tests := map[string]struct {
		version string
		given   []mutation
		want    Actions
	}{
		"without any record 1.36 restarts": {"v1.36", []mutation{wants("a", small), restarts, lost}, restarted},
		"1.37 makes them first":            {"v1.37", []mutation{wants("a", small), restarts, lost}, kept()},
		"an entry that lacks the container stays so": {"v1.37", []mutation{wants("a", small), restarts, recorded("b")},
			restarted},
		"and so does one of the pod's own resources": {"v1.37", []mutation{wants("a", small), restarts, lost, podLevel},
			restarted},
		"a resize is a resize": {"v1.37", []mutation{wants("a", large), has("a", small), restarts}, restarted},
		"a container that starts resized: not in 1.36.3": {"v1.36.3",
			[]mutation{exited("a", 1), wants("a", large), has("a", small)}, kept(start(0))},
		"in 1.36.4 the pod's cgroup is resized first": {"v1.36.4",
			[]mutation{exited("a", 1), wants("a", large), has("a", small)}, kept(start(0), resizes)},
		"also for an init container": {"v1.37", []mutation{notStarted, initContainer("i"),
			exited("i", 1), wants("i", large), has("i", small)}, kept(startInit(0), resizes)},
		"one without a record has another size": {"v1.37", []mutation{exited("a", 1), wants("a", large), recorded("b")},
			kept(start(0), resizes)},
		"the same size is none": {"v1.37", []mutation{exited("a", 1), wants("a", large), recorded("a")}, kept(start(0))},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			got, _ := ComputePodActions(profileOf(t, test.version), s.pod, s.status, unchanged)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheConditionSaysWhySince137(t *testing.T) {
	box := func(change func(*Sandbox)) mutation { return func(s *situation) { change(&s.status.Sandboxes[0]) } }
	for want, given := range map[string]mutation{
		"":                      func(*situation) {},
		"no pod sandbox exists": noSandbox,
		"multiple pod sandboxes are ready and need to be reconciled": func(s *situation) {
			s.status.Sandboxes = append(s.status.Sandboxes, Sandbox{ID: "old", Ready: true})
		},
		"pod sandbox is not ready": sandboxNotReady,
		"network namespace mode changed and sandbox needs to be recreated": box(func(b *Sandbox) {
			b.Network = NamespaceNode
		}),
		"pod sandbox has no IP address": box(func(b *Sandbox) { b.IP = "" }),
	} {
		s := base(given)
		if _, _, _, reason := PodSandboxChanged(profileOf(t, "v1.37"), s.pod, s.status); reason != want {
			t.Errorf("%q, want %q", reason, want)
		}
		if _, _, _, reason := PodSandboxChanged(profileOf(t, "v1.36"), s.pod, s.status); reason != "" {
			t.Errorf("1.36 says %q", reason)
		}
	}
}
