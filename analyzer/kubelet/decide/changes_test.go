package decide

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
)

func named(s *situation) {
	s.pod.Name, s.pod.Namespace, s.pod.UID = "web", "shop", "u1"
}

func TestComputePodContainerChanges(t *testing.T) {
	never, onFailure := policy(corev1.RestartPolicyNever), policy(corev1.RestartPolicyOnFailure)
	unhealthy := `pod "web_shop(u1)" container "a" is unhealthy, it will be killed and re-created.`
	failedInit := func(name string) mutation {
		return func(s *situation) { initContainer(name)(s); exited(name, 1)(s) }
	}
	tests := map[string]struct {
		given []mutation
		want  Actions
	}{
		"a healthy pod is left alone":                  {nil, kept()},
		"an exited container is started":               {[]mutation{exited("a", 0)}, kept(start(0))},
		"an exited one of a pod that runs once is not": {[]mutation{never, exited("a", 1)}, kept()},
		"a success under OnFailure stays":              {[]mutation{onFailure, exited("a", 0)}, kept()},
		"a failure under OnFailure is started":         {[]mutation{onFailure, exited("a", 1)}, kept(start(0))},
		"a container without a record is started":      {[]mutation{never, gone("a")}, kept(start(0))},
		"a changed hash kills and starts": {[]mutation{named, otherHash("a")},
			kept(start(0),
				kill("a0", "a", "", `Pod "web" container "a" hash changed (8 vs 7), it will be killed and re-created.`))},
		"a changed hash starts whatever the policy": {[]mutation{named, never, otherHash("a")},
			kept(start(0), kill("a0", "a", "", `Pod "web" container "a" hash changed (8 vs 7), it will be killed and re-created.`))},
		"a failed liveness probe kills and starts": {[]mutation{named, liveness("a0", ProbeFailure)},
			kept(start(0), kill("a0", "a", "", unhealthy))},
		"a failed liveness probe kills for good under Never": {[]mutation{named, never, liveness("a0", ProbeFailure)},
			kept(kill("a0", "a", "", ""))},
		"any result but success counted as failed": {[]mutation{named, liveness("a0", ProbeUnknown)},
			kept(start(0), kill("a0", "a", "", unhealthy))},
		"a passed probe keeps":         {[]mutation{liveness("a0", ProbeSuccess)}, kept()},
		"startup probes did not exist": {[]mutation{startup("a0", ProbeFailure)}, kept()},
		"a lost sandbox restarts all":  {[]mutation{sandboxNotReady}, kept(newSandbox(1, "s0"), start(0, 1))},
		"a lost sandbox ends a pod that runs once": {[]mutation{sandboxNotReady, never},
			kept(killPod, func(a *Actions) { a.Attempt = 1 })},
		"what succeeded under OnFailure is left out of the new one": {[]mutation{sandboxNotReady, onFailure, exited("a", 0)},
			kept(newSandbox(1, "s0"), start(1))},
		"nothing left to run: no new sandbox": {
			[]mutation{sandboxNotReady, onFailure, exited("a", 0), exited("b", 0)},
			kept(killPod, func(a *Actions) { a.Attempt = 1 })},
		"all succeeded: the pod is stopped": {[]mutation{onFailure, exited("a", 0), exited("b", 0)}, kept(killPod)},
		"a first sandbox":                   {[]mutation{noSandbox, notStarted}, kept(newSandbox(0, ""), start(0, 1))},
		"a running record that the spec does not have is killed": {[]mutation{addRecord("x", StateRunning)},
			kept(kill("x0", "x", "", ""))},
		"an older running instance is killed too": {[]mutation{func(s *situation) {
			s.status.Containers = append(s.status.Containers, Container{ID: "a-old", Name: "a", State: StateRunning, Hash: 7})
		}}, kept(kill("a-old", "a", "", ""))},
		"init containers come first": {[]mutation{notStarted, initContainer("i"), gone("i")}, kept(startInit(0))},
		"one after the other": {
			[]mutation{notStarted, initContainer("i"), initContainer("j"), gone("j")}, kept(startInit(1))},
		"a running one is waited for": {
			[]mutation{notStarted, initContainer("i"), state("i", StateRunning, 0)}, kept()},
		"when all have succeeded the others start": {[]mutation{notStarted, initContainer("i")},
			kept(start(0, 1))},
		"a failed one is run again":                            {[]mutation{notStarted, failedInit("i")}, kept(startInit(0))},
		"a failed one of a pod that runs once ends the starts": {[]mutation{notStarted, never, failedInit("i")}, kept()},
		"a failed one kills what runs": {[]mutation{failedInit("i")},
			kept(startInit(0), kill("a0", "a", "", `Failed to initialize pod. "a" will be restarted.`),
				kill("b0", "b", "", `Failed to initialize pod. "b" will be restarted.`))},
		"a failed one ends a running pod that runs once":           {[]mutation{never, failedInit("i")}, kept(killPod)},
		"lost records of init containers: no rerun while all runs": {[]mutation{initContainer("i"), gone("i")}, kept()},
		"but a crash runs them again, and the crashed one waits": {
			[]mutation{initContainer("i"), gone("i"), exited("a", 1)}, kept(startInit(0))},
		"in a new sandbox, init containers that succeeded stay done": {[]mutation{initContainer("i"), sandboxNotReady},
			kept(newSandbox(1, "s0"), start(0, 1))},
		"in a new sandbox, one that failed runs again": {[]mutation{failedInit("i"), sandboxNotReady},
			kept(newSandbox(1, "s0"), startInit(0))},
		"a container in state created is started": {[]mutation{never, state("a", StateCreated, 0)}, kept(start(0))},
		"a container in state unknown is started, not killed": {[]mutation{never, state("a", StateUnknown, 0)},
			kept(start(0))},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, version := range []string{"v1.6.13", "v1.7.0"} {
				s := base(test.given...)
				got, _ := ComputePodActions(profileOf(t, version), s.pod, s.status, unchanged)
				if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", version, diff)
				}
			}
		})
	}
}

func TestIn15ACreatedContainerCountsAsEnded(t *testing.T) {
	s := base(policy(corev1.RestartPolicyNever), state("a", StateCreated, 0))
	old, _ := ComputePodActions(profileOf(t, "v1.5.8"), s.pod, s.status, unchanged)
	if len(old.ContainersToStart) != 0 {
		t.Errorf("started %v", old.ContainersToStart)
	}
}

func TestTheOldDecisionSaysWhatItModels(t *testing.T) {
	s := base(liveness("a0", ProbeFailure))
	o := unchanged
	o.Trace = true
	for version, want := range map[string]string{"v1.5.8": "the docker manager, is not modelled",
		"v1.7.0": "CRI is the default since 1.6"} {
		_, trace := ComputePodActions(profileOf(t, version), s.pod, s.status, o)
		first := trace[0]
		if first.Branch != "modelled-cri" || first.Function != "computePodContainerChanges" ||
			!strings.Contains(first.Fact, want) {
			t.Errorf("%s begins with %+v", version, first)
		}
		for _, step := range trace {
			if step.Function == "computePodActions" {
				t.Errorf("%s names a function that it does not have: %+v", version, step)
			}
		}
	}
	_, trace := ComputePodActions(profileOf(t, "v1.8.0"), s.pod, s.status, o)
	if trace[0].Branch == "modelled-cri" {
		t.Error("1.8 says the same")
	}
}

func TestOldKubeletsKillForTheCgroupSince16(t *testing.T) {
	s := base(func(s *situation) { s.status.Before.CgroupMissing = true })
	for version, want := range map[string]Stage{"v1.5.8": StageActions, "v1.6.13": StageCgroupMissing,
		"v1.7.0": StageCgroupMissing} {
		got, _ := Decide(profileOf(t, version), s.pod, s.status, noon, unchanged)
		if got.Stage != want || got.KillPod != (want == StageCgroupMissing) {
			t.Errorf("%s: %+v", version, got)
		}
	}
}
