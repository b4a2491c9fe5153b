package predict

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// minors are those that the table speaks of.
var minors = []string{"v1.20.15", "v1.24.17", "v1.28.15", "v1.30.14", "v1.33.13", "v1.36.3"}

// outcomeOf plays one supposition in a world.
func outcomeOf(t *testing.T, w *world, s Supposition) string {
	t.Helper()
	f := w.find(t)
	profile := profileOf(f.Versions.At)
	if profile == nil {
		return "silent"
	}
	g, ok := settingOf(f.T, f, profile)
	if !ok {
		return "silent"
	}
	x := g.scene()
	s.apply(x, w.code)
	out, _ := x.play(false)
	text := out.Text()
	if out.InitAgain {
		text += " (init again)"
	}
	return text
}

// The rows are what the kubelet's code says, read for each of the versions; most answers have not changed since 1.20.
func TestWhatEachSuppositionLeadsTo(t *testing.T) {
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
		s      Supposition
		want   string
		// but holds the versions whose answer is another one.
		but map[string]string
	}{
		"an end of its own":               {nil, Ended, "the kubelet starts a", nil},
		"an end of its own, policy Never": {[]func(*world){policy(corev1.RestartPolicyNever)}, Ended, nothing, nil},
		"a success, policy OnFailure": {[]func(*world){policy(corev1.RestartPolicyOnFailure), exit(0)},
			Ended, nothing, nil},
		"a failure, policy OnFailure": {[]func(*world){policy(corev1.RestartPolicyOnFailure), exit(3)},
			Ended, "the kubelet starts a", nil},
		"a failed liveness probe": {nil, LivenessFailed, "the kubelet stops a and starts a", nil},
		"a failed liveness probe, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			LivenessFailed, "the kubelet stops a", nil},
		"a failed startup probe":  {nil, StartupFailed, "the kubelet stops a and starts a", nil},
		"a failed postStart hook": {nil, HookFailed, "the kubelet starts a", nil},
		"another definition":      {nil, DefinitionDiffer, "the kubelet stops a and starts a", nil},
		"another definition, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			DefinitionDiffer, "the kubelet stops a and starts a", nil},
		"a sandbox that is not ready":        {nil, SandboxNotReady, whole, nil},
		"a sandbox that is not ready, Never": {[]func(*world){policy(corev1.RestartPolicyNever)}, SandboxNotReady, over, nil},
		"no sandbox":                         {nil, SandboxMissing, whole, nil},
		"two ready sandboxes":                {nil, SandboxSeveral, whole, nil},
		"another network mode":               {nil, SandboxNetwork, whole, nil},
		"no address":                         {nil, SandboxNoAddress, whole, nil},
		"no address in the node's network": {[]func(*world){func(w *world) { w.pod.Spec.HostNetwork = true }},
			SandboxNoAddress, nothing, nil},
		"a node that went down": {nil, NodeDown, "the kubelet creates a new sandbox and starts i, a and b (init again)", nil},
		"no cgroup":             {nil, CgroupMissing, whole, nil},
		"no cgroup, Never":      {[]func(*world){policy(corev1.RestartPolicyNever)}, CgroupMissing, over, nil},
		"an unknown state":      {nil, StateUnknown, "the kubelet stops a and starts a", nil},
		"an unknown state, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			StateUnknown, "the kubelet stops a and starts a", nil},
		"a record that is gone, Never": {[]func(*world){policy(corev1.RestartPolicyNever)},
			RecordGone, "the kubelet starts a", nil},
		"an eviction":                       {nil, PodFailed, over, nil},
		"a deletion":                        {nil, PodDeleted, over, nil},
		"a deadline":                        {nil, PodDeadline, over, nil},
		"a refusal after a kubelet restart": {nil, PodRejected, over, nil},
		"all containers in place": {nil, AllRestart, "the kubelet starts a",
			map[string]string{"v1.36.3": "the kubelet stops b and starts i, a and b (init again)"}},
		"a record of resources that is gone": {[]func(*world){restartMemory},
			ResizeNoRecord, nothing, map[string]string{"v1.33.13": "the kubelet stops a and starts a",
				"v1.36.3": "the kubelet stops a and starts a"}},
		"a resize that restarts": {[]func(*world){restartMemory},
			ResizeRestarts, nothing, map[string]string{"v1.33.13": "the kubelet stops a and starts a",
				"v1.36.3": "the kubelet stops a and starts a"}},
		"a resize that does not": {nil, ResizeRestarts, nothing, nil},
		"a sidecar that ended":   {[]func(*world){sidecar, about("s")}, Ended, "the kubelet starts s", silentBelow29},
		"a sidecar that ended, Never": {[]func(*world){sidecar, about("s"), policy(corev1.RestartPolicyNever)},
			Ended, "the kubelet starts s", silentBelow29},
		"a sidecar whose liveness failed": {[]func(*world){sidecar, about("s")},
			LivenessFailed, "the kubelet stops s and starts s", silentBelow29},
		"a sidecar with another definition": {[]func(*world){sidecar, about("s")},
			DefinitionDiffer, "the kubelet stops s and starts s", with(silentBelow29, "v1.30.14", nothing)},
		"a sandbox not ready, with a sidecar": {[]func(*world){sidecar}, SandboxNotReady,
			"the kubelet stops s, a and b, creates a new sandbox and starts s, a and b", silentBelow29},
		"a sidecar beside a container of its own policy": {[]func(*world){sidecar, func(w *world) {
			w.pod.Spec.Containers[1].RestartPolicy = &always
		}}, LivenessFailed, "silent", map[string]string{"v1.36.3": "the kubelet stops a and starts a"}},
		"a failed init container": {[]func(*world){about("i"), exit(1)}, Ended,
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

// Before 1.13 a pod of restartPolicy Never got another sandbox, in which nothing was started; before 1.17 nobody killed
// for a startup probe.
func TestOldKubeletsActOtherwise(t *testing.T) {
	never := policy(corev1.RestartPolicyNever)
	for _, row := range []struct {
		version string
		s       Supposition
		change  func(*world)
		want    string
	}{
		{"v1.12.10", SandboxNotReady, never,
			"the kubelet stops a and b, creates a new sandbox and restarts nothing: the pod has ended"},
		{"v1.13.12", SandboxNotReady, never, "the kubelet stops a and b and restarts nothing: the pod has ended"},
		{"v1.16.15", StartupFailed, func(*world) {}, "nothing is stopped and nothing is started"},
		{"v1.17.17", StartupFailed, func(*world) {}, "the kubelet stops a and starts a"},
	} {
		t.Run(fmt.Sprint(row.version, row.s), func(t *testing.T) {
			if got := outcomeOf(t, base(version(row.version), row.change), row.s); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}
