package decide

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// The life of a new pod under v1.19, sync by sync, as articles on the kubelet's source usually describe it:
// HandlePodAdditions, syncPod, podSandboxChanged, computePodActions, startContainer. Every condition on that path is in
// the trace, by name and in the kubelet's order; "+" marks a branch that was taken.
func TestANewPodsWayIsInTheTraceBranchByBranch(t *testing.T) {
	syncPod := []string{
		"syncPod pod-deleted", "syncPod deadline-exceeded", "syncPod pod-terminal",
		"syncPod not-runnable", "syncPod network-not-ready", "syncPod cgroup-missing",
	}
	sandboxStays := cat(syncPod, "podSandboxChanged sandbox-missing", "podSandboxChanged sandbox-multiple-ready",
		"podSandboxChanged sandbox-not-ready",
		"podSandboxChanged sandbox-network-changed", "podSandboxChanged sandbox-no-ip", "computePodActions sandbox-changed")
	nothing := func(s *situation) { s.status.Sandboxes, s.status.Containers = nil, nil }
	withInit := func(s *situation) { s.pod.Spec.InitContainers = []corev1.Container{{Name: "i"}} }
	never := policy(corev1.RestartPolicyNever)
	alone := func(name string, st State, code int) mutation {
		return func(s *situation) {
			s.status.Containers = []Container{{ID: name + "0", Name: name, State: st, ExitCode: code, Hash: 7}}
		}
	}
	for name, c := range map[string]struct {
		change []mutation
		want   []string
	}{
		"admission: a kubelet takes the pod up, and it is refused": {
			[]mutation{nothing, func(s *situation) { s.status.Before.Readmitted, s.status.Before.Rejected = true, "OutOfcpu" }},
			[]string{"+HandlePodAdditions readmitted", "HandlePodAdditions spared-admission", "+HandlePodAdditions rejected"},
		},
		"the pod may not run: canRunPod": {
			[]mutation{nothing, func(s *situation) { s.status.Before.NotRunnable = "AppArmor" }},
			[]string{"syncPod pod-deleted", "syncPod deadline-exceeded", "syncPod pod-terminal", "+syncPod not-runnable"},
		},
		"the network is not ready": {
			[]mutation{nothing, func(s *situation) { s.status.Before.NetworkNotReady = true }},
			[]string{"syncPod pod-deleted", "syncPod deadline-exceeded", "syncPod pod-terminal",
				"syncPod not-runnable", "+syncPod network-not-ready"},
		},
		"the first sync: a sandbox, then every container": {
			[]mutation{nothing},
			cat(syncPod, "+podSandboxChanged sandbox-missing", "+computePodActions sandbox-changed",
				"computePodActions never-pod-ends",
				"computePodActions init-from-start", "computePodActions container-succeeded a", "startContainer restart-count a"),
		},
		"the first sync of a pod with init containers: the first of them alone": {
			[]mutation{nothing, withInit},
			cat(syncPod, "+podSandboxChanged sandbox-missing", "+computePodActions sandbox-changed",
				"computePodActions never-pod-ends",
				"+computePodActions init-from-start", "startContainer restart-count i"),
		},
		"a pod that never restarts and had its sandbox": {
			[]mutation{never, func(s *situation) { s.status.Sandboxes[0].Ready = false }},
			cat(syncPod, "podSandboxChanged sandbox-missing", "podSandboxChanged sandbox-multiple-ready",
				"+podSandboxChanged sandbox-not-ready",
				"+computePodActions sandbox-changed", "+computePodActions never-pod-ends"),
		},
		"a container that succeeded under OnFailure stays out of a new sandbox": {
			[]mutation{exited("a", 0), policy(corev1.RestartPolicyOnFailure),
				func(s *situation) { s.status.Sandboxes[0].Ready = false }},
			cat(syncPod, "podSandboxChanged sandbox-missing", "podSandboxChanged sandbox-multiple-ready",
				"+podSandboxChanged sandbox-not-ready",
				"+computePodActions sandbox-changed", "computePodActions never-pod-ends",
				"computePodActions init-from-start", "+computePodActions container-succeeded a"),
		},
		"an ephemeral container is started once": {
			[]mutation{func(s *situation) {
				s.pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{
					{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "e"}}}
			}},
			cat(sandboxStays, "+computePodActions ephemeral-start e", "computePodActions not-running a",
				"computePodActions hash-differs a",
				"computePodActions liveness-failed a", "computePodActions startup-failed a",
				"computePodActions nothing-left", "startContainer restart-count e"),
		},
		"the init container runs": {
			[]mutation{withInit, alone("i", StateRunning, 0)},
			cat(sandboxStays, "findNextInitContainerToRun init-failed i", "+findNextInitContainerToRun init-running i",
				"computePodActions initialized"),
		},
		"the init container failed, and the pod never restarts": {
			[]mutation{withInit, never, alone("i", StateExited, 1)},
			cat(sandboxStays, "+findNextInitContainerToRun init-failed i", "+computePodActions init-policy-never i",
				"computePodActions initialized"),
		},
		"the init container is in an unknown state": {
			[]mutation{withInit, alone("i", StateUnknown, 0)},
			cat(sandboxStays, "+findNextInitContainerToRun init-failed i", "computePodActions init-policy-never i",
				"+computePodActions init-unknown i",
				"computePodActions initialized", "+startContainer restart-count i"),
		},
		"the init container is done: the regular one is next": {
			[]mutation{withInit, alone("i", StateExited, 0)},
			cat(sandboxStays, "findNextInitContainerToRun init-failed i", "findNextInitContainerToRun init-running i",
				"+findNextInitContainerToRun init-exited i",
				"+computePodActions initialized", "+computePodActions not-running a",
				"ShouldContainerBeRestarted restart-deleted a",
				"+ShouldContainerBeRestarted restart-no-record a", "computePodActions nothing-left",
				"startContainer restart-count a"),
		},
		"it runs, and nothing is amiss": {
			nil,
			cat(sandboxStays, "computePodActions not-running a", "computePodActions hash-differs a",
				"computePodActions liveness-failed a",
				"computePodActions startup-failed a", "computePodActions nothing-left"),
		},
		"its definition changed: started again whatever the policy": {
			[]mutation{never, func(s *situation) { s.status.Containers[0].Hash = 8 }},
			cat(sandboxStays, "computePodActions not-running a", "+computePodActions hash-differs a",
				"computePodActions nothing-left", "+startContainer restart-count a"),
		},
		"its liveness probe failed": {
			[]mutation{func(s *situation) { s.status.Liveness["a0"] = ProbeFailure }},
			cat(sandboxStays, "computePodActions not-running a", "computePodActions hash-differs a",
				"+computePodActions liveness-failed a",
				"+computePodActions restart-after-kill a", "computePodActions nothing-left", "+startContainer restart-count a"),
		},
		"its startup probe failed, and the pod never restarts": {
			[]mutation{never, func(s *situation) { s.status.Startup["a0"] = ProbeFailure }},
			cat(sandboxStays, "computePodActions not-running a", "computePodActions hash-differs a",
				"computePodActions liveness-failed a",
				"+computePodActions startup-failed a", "computePodActions restart-after-kill a", "+computePodActions nothing-left"),
		},
		"it is in an unknown state: killed before it is started again": {
			[]mutation{state("a", StateUnknown, 0)},
			cat(sandboxStays, "+computePodActions not-running a", "ShouldContainerBeRestarted restart-deleted a",
				"ShouldContainerBeRestarted restart-no-record a",
				"ShouldContainerBeRestarted restart-running a", "+ShouldContainerBeRestarted restart-unclear a",
				"+computePodActions unknown-state a",
				"computePodActions nothing-left", "+startContainer restart-count a"),
		},
		"its cgroup is gone, and the pod never restarts": {
			[]mutation{never, func(s *situation) { s.status.Before.CgroupMissing = true }},
			cat(syncPod[:5], "+syncPod cgroup-missing", "podSandboxChanged sandbox-missing",
				"podSandboxChanged sandbox-multiple-ready",
				"+podSandboxChanged sandbox-not-ready", "+computePodActions sandbox-changed",
				"+computePodActions never-pod-ends", "+syncPod cgroup-run-once"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			onlyA := func(s *situation) {
				s.pod.Spec.Containers, s.status.Containers = s.pod.Spec.Containers[:1], s.status.Containers[:1]
			}
			s := base(append([]mutation{onlyA}, c.change...)...)
			o := unchanged
			o.Trace = true
			_, trace := Decide(profileOf(t, "v1.19.0", "+EphemeralContainers"), s.pod, s.status, noon, o)
			var got []string
			for _, step := range trace {
				mark := ""
				if step.Taken {
					mark = "+"
				}
				got = append(got, strings.TrimSpace(mark+step.Function+" "+step.Branch+" "+step.Container))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("trace (-want +got):\n%s", diff)
			}
		})
	}
}

func cat(a []string, b ...string) []string { return append(append([]string(nil), a...), b...) }
