package decide

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
)

func TestInitContainers(t *testing.T) {
	never := policy(corev1.RestartPolicyNever)
	i, j := initContainer("i"), initContainer("j")
	unknownText := `Init container is in "unknown" state, try killing it before restart`
	tests := map[string]struct {
		version string
		gates   []string
		given   []mutation
		want    Actions
	}{
		"initialization starts from the first": {"v1.20", nil, []mutation{notStarted, i, j, gone("i"), gone("j")},
			kept(startInit(0))},
		"also in the newer function": {"v1.36", nil, []mutation{notStarted, i, j, gone("i"), gone("j")},
			kept(startInit(0))},
		"a success brings the next one": {"v1.20", nil, []mutation{notStarted, i, j, gone("j")},
			kept(startInit(1))},
		"also there": {"v1.36", nil, []mutation{notStarted, i, j, gone("j")}, kept(startInit(1))},
		"the last success brings the regular ones": {"v1.20", nil, []mutation{notStarted, i, j}, kept(start(0, 1))},
		"there too": {"v1.36", nil, []mutation{notStarted, i, j}, kept(start(0, 1))},
		"a running one is waited for": {"v1.20", nil,
			[]mutation{notStarted, i, j, gone("j"), state("i", StateRunning, 0)}, kept()},
		"there it is too": {"v1.36", nil, []mutation{notStarted, i, j, gone("j"), state("i", StateRunning, 0)},
			kept()},
		"a failed one is run again": {"v1.20", nil, []mutation{notStarted, i, exited("i", 1)}, kept(startInit(0))},
		"there it is run again too": {"v1.36", nil, []mutation{notStarted, i, exited("i", 1)}, kept(startInit(0))},
		"a failed one ends a pod of policy Never": {"v1.20", nil,
			[]mutation{never, notStarted, i, exited("i", 1)}, kept(killPod)},
		"it does there too": {"v1.36", nil, []mutation{never, notStarted, i, exited("i", 1)}, kept(killPod)},
		"its own policy may save the pod": {"v1.36", nil,
			[]mutation{never, notStarted, i, ownPolicy("i", corev1.ContainerRestartPolicyOnFailure), exited("i", 1)},
			kept(startInit(0))},
		"an OOM kill with exit code 0 is a failure since 1.23": {"v1.23", nil,
			[]mutation{notStarted, i, oomKilled("i")}, kept(startInit(0))},
		"before, it was a success": {"v1.22", nil, []mutation{notStarted, i, oomKilled("i")}, kept(start(0, 1))},
		"an unknown one is killed and run again": {"v1.24", nil,
			[]mutation{notStarted, i, state("i", StateUnknown, 0)},
			kept(startInit(0), kill("i0", "i", ReasonUnknown, unknownText))},
		"there it is killed too": {"v1.36", nil,
			[]mutation{notStarted, i, state("i", StateUnknown, 0)},
			kept(startInit(0), kill("i0", "i", ReasonUnknown, unknownText))},
		"under policy Never the pod ends": {"v1.36", nil,
			[]mutation{never, notStarted, i, state("i", StateUnknown, 0)}, kept(killPod)},
		"in 1.13 an unknown one was not noticed": {"v1.13", nil,
			[]mutation{notStarted, i, state("i", StateUnknown, 0)}, kept(startInit(0))},
		"a created one is started": {"v1.27", nil,
			[]mutation{notStarted, i, state("i", StateCreated, 0)}, kept(startInit(0))},
		"in 1.29.8 it is waited for, for ever": {"v1.29.8", nil,
			[]mutation{notStarted, i, state("i", StateCreated, 0)}, kept()},
		"1.29.9 takes the older function for pods without sidecars": {"v1.29.9", nil,
			[]mutation{notStarted, i, state("i", StateCreated, 0)}, kept(startInit(0))},
		"since 1.34 the newer one starts it too": {"v1.34", nil,
			[]mutation{notStarted, i, state("i", StateCreated, 0)}, kept(startInit(0))},
		"lost records run init containers again beside running ones": {"v1.20", nil,
			[]mutation{i, gone("i")}, kept(startInit(0))},
		"since 1.21 they do not":    {"v1.21", nil, []mutation{i, gone("i")}, kept()},
		"nor in the newer function": {"v1.36", nil, []mutation{i, gone("i")}, kept()},
		"1.28.1 takes an exited regular container for initialization": {"v1.28.1", nil,
			[]mutation{i, gone("i"), exited("a", 1), exited("b", 1)}, kept(start(0, 1))},
		"1.28.2 does not": {"v1.28.2", nil, []mutation{i, gone("i"), exited("a", 1), exited("b", 1)}, kept(startInit(0))},
		"but does with its gate on": {"v1.28.2", []string{"+SidecarContainers"},
			[]mutation{i, gone("i"), exited("a", 1), exited("b", 1)}, kept(start(0, 1))},
		"1.33 takes the older function when told to": {"v1.33", []string{"+LegacySidecarContainers"},
			[]mutation{notStarted, i, state("i", StateUnknown, 0)},
			kept(startInit(0), kill("i0", "i", ReasonUnknown, unknownText))},
		"a sidecar without startup probe lets the next one start": {"v1.29", nil,
			[]mutation{notStarted, sidecar("i"), j, gone("j")}, kept(startInit(1))},
		"a sidecar as the last init container ends initialization": {"v1.29", nil,
			[]mutation{notStarted, sidecar("i")}, kept(start(0, 1))},
		"a sidecar before its startup probe's first result holds it": {"v1.29", nil,
			[]mutation{notStarted, sidecar("i"), probes("i")}, kept()},
		"a startup probe that has not passed holds it": {"v1.29", nil,
			[]mutation{notStarted, sidecar("i"), probes("i"), startup("i0", ProbeUnknown)}, kept()},
		"a startup probe that failed kills the sidecar": {"v1.29", nil,
			[]mutation{sidecar("i"), probes("i"), startup("i0", ProbeFailure)},
			kept(startInit(0), kill("i0", "i", ReasonStartupProbe, "Init container i failed startup probe"))},
		"a startup probe that passed lets the others go on": {"v1.29", nil,
			[]mutation{notStarted, sidecar("i"), probes("i"), startup("i0", ProbeSuccess)}, kept(start(0, 1))},
		"a failed liveness probe restarts a sidecar": {"v1.29", nil,
			[]mutation{sidecar("i"), probes("i"), startup("i0", ProbeSuccess), liveness("i0", ProbeFailure)},
			kept(startInit(0), kill("i0", "i", ReasonLivenessProbe, "Init container i failed liveness probe"))},
		"a liveness probe that passes does not": {"v1.36", nil,
			[]mutation{sidecar("i"), probes("i"), startup("i0", ProbeSuccess), liveness("i0", ProbeSuccess), recorded("i")},
			kept()},
		"in 1.31 a changed sidecar goes on": {"v1.31", nil, []mutation{sidecar("i"), otherHash("i")}, kept()},
		"since 1.32 it is restarted": {"v1.32", nil,
			[]mutation{sidecar("i"), otherHash("i")},
			kept(startInit(0), kill("i0", "i", "", "Init container i definition changed"))},
		"an exited sidecar comes back under policy Never": {"v1.29", nil,
			[]mutation{never, sidecar("i"), exited("i", 0)}, kept(startInit(0))},
		"an unknown sidecar is killed and comes back under Never": {"v1.29", nil,
			[]mutation{never, sidecar("i"), state("i", StateUnknown, 0)},
			kept(startInit(0), kill("i0", "i", ReasonUnknown, unknownText))},
		"a sidecar without a record comes back": {"v1.29", nil, []mutation{sidecar("i"), gone("i")}, kept(startInit(0))},
		"a sidecar that has not had its turn does not": {"v1.29", nil,
			[]mutation{notStarted, i, sidecar("j"), gone("j"), state("i", StateRunning, 0)}, kept()},
		"sidecars do not keep a pod alive that is done": {"v1.29", nil,
			[]mutation{never, sidecar("i"), exited("i", 0), sidecar("j"), exited("a", 0), exited("b", 0)}, kept(killPod)},
		"nor after a sidecar that must come back first": {"v1.29", nil,
			[]mutation{never, sidecar("i"), exited("i", 0), exited("a", 0), exited("b", 0)}, kept(startInit(0))},
		"once a later container is seen the earlier ones are past": {"v1.36", nil,
			[]mutation{notStarted, i, j, exited("i", 1)}, kept(start(0, 1))},
		"a sidecar before and an ordinary one after: both in order": {"v1.36", nil,
			[]mutation{notStarted, sidecar("i"), exited("i", 1), j, gone("j")}, kept(startInit(0))},
		"a dead sandbox with all done and sidecars makes no sandbox": {"v1.29", nil,
			[]mutation{policy(corev1.RestartPolicyOnFailure), sidecar("i"), exited("a", 0), exited("b", 0), sandboxNotReady},
			kept(newSandbox(1, "s0"), noNewSandbox)},
		"init containers of a pod that is done but not initialized run": {"v1.20", nil,
			[]mutation{policy(corev1.RestartPolicyOnFailure), i, exited("i", 1),
				exited("a", 0), exited("b", 0), sandboxNotReady}, kept(newSandbox(1, "s0"), startInit(0))},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			p := profileOf(t, test.version, test.gates...)
			s.recordAll(p.Rules.Resize != 0)
			got, _ := ComputePodActions(p, s.pod, s.status, unchanged)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func oomKilled(name string) mutation {
	return func(s *situation) { s.record(name).Reason = "OOMKilled" }
}

// recorded gives a container an actuated record that equals its spec.
func recorded(name string) mutation {
	return func(s *situation) {
		if s.status.Resources == nil {
			s.status.Resources = map[string]corev1.ResourceRequirements{}
		}
		eachOf(s, name, func(c *corev1.Container) { s.status.Resources[name] = c.Resources })
	}
}

func (s *situation) recordAll(yes bool) {
	if yes {
		recorded("a")(s)
		recorded("b")(s)
	}
}
