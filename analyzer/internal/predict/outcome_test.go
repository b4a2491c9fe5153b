package predict

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
)

// minors are those in the table.
var minors = []string{"v1.20.15", "v1.24.17", "v1.28.15", "v1.30.14", "v1.33.13", "v1.36.3"}

// outcomeOf plays one hypothesis in a world.
func outcomeOf(t *testing.T, w *world, s sim.Hypothesis) string {
	t.Helper()
	f := w.find(t)
	profile := profileOf(f.Versions.At)
	if profile == nil {
		return "silent"
	}
	g, ok := inputsOf(f.T, f, profile)
	if !ok {
		return "silent"
	}
	x := g.state()
	s.Apply(x, g.argument(w.code))
	out, _ := x.Play(w.who, false)
	text := textOf(&out)
	if out.InitAgain {
		text += " (init again)"
	}
	return text
}

// The rows follow the kubelet's code, read for each of the versions; most answers have not changed since 1.20.
func TestWhatEachHypothesisLeadsTo(t *testing.T) {
	const (
		nothing = "nothing is stopped and nothing is started"
		whole   = "the kubelet stops a and b, creates a new sandbox and starts i, a and b (init again)"
		over    = "the kubelet stops a and b and restarts nothing: the pod has ended"
	)
	exit := func(code int32) func(*world) { return func(w *world) { w.code = code } }
	always := corev1.ContainerRestartPolicyAlways
	restartMemory := func(w *world) {
		w.pod.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{
			{ResourceName: corev1.ResourceMemory, RestartPolicy: corev1.RestartContainer}}
		w.pod.Spec.Containers[0].Resources = limits("20Mi")
	}
	for name, row := range map[string]struct {
		change []func(*world)
		s      sim.Hypothesis
		want   string
		// but holds the versions with another answer.
		but map[string]string
	}{
		"an end of its own":               {nil, sim.Ended, "the kubelet starts a", nil},
		"an end of its own, policy Never": {[]func(*world){policy(corev1.RestartPolicyNever)}, sim.Ended, nothing, nil},
		"a success, policy OnFailure": {[]func(*world){policy(corev1.RestartPolicyOnFailure), exit(0)},
			sim.Ended, nothing, nil},
		"a failure, policy OnFailure": {[]func(*world){policy(corev1.RestartPolicyOnFailure), exit(3)},
			sim.Ended, "the kubelet starts a", nil},
		"a failed liveness probe": {nil, sim.LivenessFailed, "the kubelet stops a and starts a", nil},
		"a failed liveness probe, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			sim.LivenessFailed, "the kubelet stops a", nil},
		"a failed startup probe":  {nil, sim.StartupFailed, "the kubelet stops a and starts a", nil},
		"a failed postStart hook": {nil, sim.HookFailed, "the kubelet starts a", nil},
		"another definition":      {nil, sim.HashDiffers, "the kubelet stops a and starts a", nil},
		"another definition, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			sim.HashDiffers, "the kubelet stops a and starts a", nil},
		"a sandbox that is not ready": {nil, sim.SandboxNotReady, whole, nil},
		"a sandbox that is not ready, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			sim.SandboxNotReady, over, nil},
		"no sandbox":           {nil, sim.SandboxMissing, whole, nil},
		"two ready sandboxes":  {nil, sim.SandboxSeveral, whole, nil},
		"another network mode": {nil, sim.SandboxNetwork, whole, nil},
		"no address":           {nil, sim.SandboxNoAddress, whole, nil},
		"no address in the node's network": {[]func(*world){func(w *world) { w.pod.Spec.HostNetwork = true }},
			sim.SandboxNoAddress, nothing, nil},
		"a node that went down": {nil, sim.NodeDown, "the kubelet creates a new sandbox and starts i, a and b (init again)",
			nil},
		"no cgroup":        {nil, sim.CgroupMissing, whole, nil},
		"no cgroup, Never": {[]func(*world){policy(corev1.RestartPolicyNever)}, sim.CgroupMissing, over, nil},
		"an unknown state": {nil, sim.StateUnknown, "the kubelet stops a and starts a", nil},
		"an unknown state, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			sim.StateUnknown, "the kubelet stops a and starts a", nil},
		"a record that is gone, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			sim.RecordGone, "the kubelet starts a", nil},
		"an eviction":                       {nil, sim.PodFailed, over, nil},
		"a deletion":                        {nil, sim.PodDeleted, over, nil},
		"a deadline":                        {nil, sim.PodDeadline, over, nil},
		"a refusal after a kubelet restart": {nil, sim.PodRejected, over, nil},
		"all containers in place": {nil, sim.AllRestart, "the kubelet starts a",
			map[string]string{"v1.36.3": "the kubelet stops b and starts i, a and b (init again)"}},
		"a record of resources that is gone": {[]func(*world){restartMemory},
			sim.EntryLacks, nothing, map[string]string{"v1.33.13": "the kubelet stops a and starts a",
				"v1.36.3": "the kubelet stops a and starts a"}},
		"a resize that restarts": {[]func(*world){restartMemory},
			sim.Resized, nothing, map[string]string{"v1.33.13": "the kubelet stops a and starts a",
				"v1.36.3": "the kubelet stops a and starts a"}},
		"a resize that does not": {nil, sim.Resized, nothing, nil},
		"a sidecar that ended":   {[]func(*world){sidecar, about("s")}, sim.Ended, "the kubelet starts s", silentBelow29},
		"a sidecar that ended, Never": {[]func(*world){sidecar, about("s"), policy(corev1.RestartPolicyNever)},
			sim.Ended, "the kubelet starts s", silentBelow29},
		"a sidecar whose liveness failed": {[]func(*world){sidecar, about("s")},
			sim.LivenessFailed, "the kubelet stops s and starts s", silentBelow29},
		"a sidecar with another definition": {[]func(*world){sidecar, about("s")},
			sim.HashDiffers, "the kubelet stops s and starts s", with(silentBelow29, "v1.30.14", nothing)},
		"a sandbox not ready, with a sidecar": {[]func(*world){sidecar}, sim.SandboxNotReady,
			"the kubelet stops s, a and b, creates a new sandbox and starts s, a and b", silentBelow29},
		"a sidecar beside a container of its own policy": {[]func(*world){sidecar, func(w *world) {
			w.pod.Spec.Containers[1].RestartPolicy = &always
		}}, sim.LivenessFailed, "silent", map[string]string{"v1.36.3": "the kubelet stops a and starts a"}},
		"a failed init container": {[]func(*world){about("i"), exit(1)}, sim.Ended,
			"the kubelet starts i, a and b (init again)", nil},
	} {
		for _, v := range minors {
			t.Run(name+"/"+v, func(t *testing.T) {
				want := row.want
				if other, ok := row.but[v]; ok {
					want = other
				}
				if got := outcomeOf(t, base(append([]func(*world){version(v)}, row.change...)...), row.s); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		}
	}
}

var silentBelow29 = map[string]string{"v1.20.15": "silent", "v1.24.17": "silent", "v1.28.15": "silent"}

func with(rows map[string]string, version, want string) map[string]string {
	out := map[string]string{version: want}
	for k, v := range rows {
		out[k] = v
	}
	return out
}

// Before 1.13 a pod of restartPolicy Never got another sandbox, in which nothing was started; before 1.17 startup
// probes did not kill.
func TestOldKubeletsActOtherwise(t *testing.T) {
	never := policy(corev1.RestartPolicyNever)
	for _, row := range []struct {
		version string
		s       sim.Hypothesis
		change  func(*world)
		want    string
	}{
		{"v1.12.10", sim.SandboxNotReady, never,
			"the kubelet stops a and b, creates a new sandbox and restarts nothing: the pod has ended"},
		{"v1.13.12", sim.SandboxNotReady, never, "the kubelet stops a and b and restarts nothing: the pod has ended"},
		{"v1.16.15", sim.StartupFailed, func(*world) {}, "nothing is stopped and nothing is started"},
		{"v1.17.17", sim.StartupFailed, func(*world) {}, "the kubelet stops a and starts a"},
	} {
		t.Run(fmt.Sprint(row.version, row.s), func(t *testing.T) {
			if got := outcomeOf(t, base(version(row.version), row.change), row.s); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}
