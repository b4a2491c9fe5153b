package decide

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// profileOf parses "v1.28.1" or "v1.28"; gates are names with a sign, "+SidecarContainers".
func profileOf(t testing.TB, version string, gates ...string) kubelet.Profile {
	t.Helper()
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kubelet.ProfileFor(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gates {
		if p, err = p.WithGate(g[1:], g[0] == '+'); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// sameHash makes every container unchanged: stored and expected hash are 7.
func sameHash(*corev1.Container) (uint64, bool) { return 7, true }

var unchanged = Options{ExpectedHash: sameHash, ExpectedHashWithoutResources: sameHash}

// situation is a pod with the containers a and b in a healthy sandbox of attempt 0, which mutations change.
type situation struct {
	pod    *corev1.Pod
	status *Status
}

type mutation func(*situation)

func base(mutations ...mutation) situation {
	s := situation{
		pod: &corev1.Pod{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyAlways,
			Containers:    []corev1.Container{{Name: "a"}, {Name: "b"}},
		}},
		status: &Status{
			Sandboxes: []Sandbox{{ID: "s0", Ready: true, NetworkReported: true, IP: "10.0.0.1"}},
			Containers: []Container{
				{ID: "a0", Name: "a", SandboxID: "s0", State: StateRunning, Hash: 7, HashWithoutResources: 7},
				{ID: "b0", Name: "b", SandboxID: "s0", State: StateRunning, Hash: 7, HashWithoutResources: 7},
			},
			Liveness: map[string]ProbeResult{}, Startup: map[string]ProbeResult{},
		},
	}
	for _, m := range mutations {
		m(&s)
	}
	return s
}

func (s *situation) record(name string) *Container { return s.status.find(name) }

func state(name string, to State, exitCode int) mutation {
	return func(s *situation) {
		r := s.record(name)
		r.State, r.ExitCode = to, exitCode
	}
}

func exited(name string, code int) mutation { return state(name, StateExited, code) }

func policy(p corev1.RestartPolicy) mutation {
	return func(s *situation) { s.pod.Spec.RestartPolicy = p }
}

func ownPolicy(name string, p corev1.ContainerRestartPolicy, rules ...corev1.ContainerRestartRule) mutation {
	return func(s *situation) {
		eachOf(s, name, func(c *corev1.Container) { c.RestartPolicy, c.RestartPolicyRules = &p, rules })
	}
}

func rule(action corev1.ContainerRestartRuleAction, op corev1.ContainerRestartRuleOnExitCodesOperator,
	codes ...int32) corev1.ContainerRestartRule {
	return corev1.ContainerRestartRule{Action: action,
		ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{Operator: op, Values: codes}}
}

func eachOf(s *situation, name string, change func(*corev1.Container)) {
	for _, list := range [][]corev1.Container{s.pod.Spec.Containers, s.pod.Spec.InitContainers} {
		for i := range list {
			if list[i].Name == name {
				change(&list[i])
			}
		}
	}
}

func gone(name string) mutation {
	return func(s *situation) {
		var kept []Container
		for _, c := range s.status.Containers {
			if c.Name != name {
				kept = append(kept, c)
			}
		}
		s.status.Containers = kept
	}
}

// initContainer adds one that succeeded; sidecar adds one that runs.
func initContainer(name string) mutation {
	return func(s *situation) {
		s.pod.Spec.InitContainers = append(s.pod.Spec.InitContainers, corev1.Container{Name: name})
		s.status.Containers = append(s.status.Containers,
			Container{ID: name + "0", Name: name, SandboxID: "s0", State: StateExited, Hash: 7})
	}
}

func sidecar(name string) mutation {
	return func(s *situation) {
		initContainer(name)(s)
		ownPolicy(name, corev1.ContainerRestartPolicyAlways)(s)
		state(name, StateRunning, 0)(s)
	}
}

func notStarted(s *situation) { gone("a")(s); gone("b")(s) }

func probes(name string) mutation {
	return func(s *situation) {
		eachOf(s, name, func(c *corev1.Container) { c.LivenessProbe, c.StartupProbe = &corev1.Probe{}, &corev1.Probe{} })
	}
}

func liveness(id string, r ProbeResult) mutation {
	return func(s *situation) { s.status.Liveness[id] = r }
}

func startup(id string, r ProbeResult) mutation {
	return func(s *situation) { s.status.Startup[id] = r }
}

func otherHash(name string) mutation {
	return func(s *situation) { s.record(name).Hash, s.record(name).HashWithoutResources = 8, 8 }
}

func sandboxNotReady(s *situation) { s.status.Sandboxes[0].Ready = false }

func noSandbox(s *situation) { s.status.Sandboxes = nil }

func deleted(s *situation) { s.pod.DeletionTimestamp = &metav1.Time{Time: noon} }
