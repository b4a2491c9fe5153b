package decide

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

func before(change func(*Before)) mutation { return func(s *situation) { change(&s.status.Before) } }

func TestDecideStopsWhereSyncPodStops(t *testing.T) {
	never := policy(corev1.RestartPolicyNever)
	noCgroup := before(func(b *Before) { b.CgroupMissing = true })
	noNetwork := before(func(b *Before) { b.NetworkNotReady = true })
	forbidden := before(func(b *Before) { b.NotRunnable = "AppArmor is not enabled" })
	counts := func(a *Actions) {
		a.Restarts = []Attempt{{KindRegular, 0, "a", 1, true}, {KindRegular, 1, "b", 1, true}}
	}
	stage := func(s Stage) func(*Actions) { return func(a *Actions) { a.Stage = s } }
	nothing := func(s Stage) Actions { return Actions{Stage: s} }
	killed := func(s Stage) Actions { return Actions{Stage: s, KillPod: true} }
	tests := map[string]struct {
		version string
		given   []mutation
		want    Actions
	}{
		"a healthy pod reaches its containers": {"v1.30", nil, kept(stage(StageActions))},
		"a deleted pod is stopped":             {"v1.30", []mutation{deleted}, killed(StageTerminated)},
		"so is one beyond its deadline": {"v1.30",
			[]mutation{before(func(b *Before) { b.DeadlineExceeded = true })}, killed(StageTerminated)},
		"so is one that has failed": {"v1.30",
			[]mutation{before(func(b *Before) { b.Phase = corev1.PodFailed })}, killed(StageTerminated)},
		"a running phase goes on": {"v1.30",
			[]mutation{before(func(b *Before) { b.Phase = corev1.PodRunning })}, kept(stage(StageActions))},
		"a pod that may not run is killed": {"v1.30", []mutation{forbidden}, killed(StageNotRunnable)},
		"soft admission is gone in 1.31":   {"v1.31", []mutation{forbidden}, kept(stage(StageActions))},
		"without network nothing happens": {"v1.30",
			[]mutation{noNetwork, liveness("a0", ProbeFailure)}, nothing(StageNetwork)},
		"a host pod needs no network": {"v1.30",
			[]mutation{noNetwork, func(s *situation) {
				s.pod.Spec.HostNetwork = true
				s.status.Sandboxes[0].Network = NamespaceNode
			}}, kept(stage(StageActions))},
		"a missing cgroup kills and restarts all": {"v1.30", []mutation{noCgroup},
			kept(newSandbox(1, "s0"), start(0, 1), counts, stage(StageCgroupMissing))},
		"a pod of policy Never does not come back": {"v1.30", []mutation{never, noCgroup},
			kept(newSandbox(1, "s0"), noNewSandbox, stage(StageCgroupMissing))},
		"rules bring back its cgroup, policy Never no sandbox": {"v1.35",
			[]mutation{never, noCgroup, ownPolicy("a", "Never", rule("Restart", "In", 137))},
			kept(newSandbox(1, "s0"), noNewSandbox, stage(StageCgroupMissing))},
		"a missing cgroup of a pod where nothing runs is not": {"v1.30",
			[]mutation{never, noCgroup, exited("a", 0), exited("b", 0)}, kept(killPod, stage(StageActions))},
		"pods of 1.5 had no cgroup to miss": {"v1.5", []mutation{noCgroup}, kept(stage(StageActions))},
		"an ended container without memory of crashes restarts": {"v1.30",
			[]mutation{exited("a", 1), func(s *situation) { s.record("a").RestartCount = 4 }},
			kept(start(0), stage(StageActions), func(a *Actions) { a.Restarts = []Attempt{{KindRegular, 0, "a", 5, true}} })},
		"a lost record starts the count at 0 up to 1.20": {"v1.20", []mutation{gone("a")},
			kept(start(0), stage(StageActions), func(a *Actions) { a.Restarts = []Attempt{{KindRegular, 0, "a", 0, true}} })},
		"since 1.21 the log directory knows": {"v1.21", []mutation{gone("a")},
			kept(start(0), stage(StageActions), func(a *Actions) { a.Restarts = []Attempt{{KindRegular, 0, "a", 0, false}} })},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			s.recordAll(true)
			got, _ := Decide(profileOf(t, test.version), s.pod, s.status, noon, unchanged)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(s.status.Sandboxes) > 0 && !s.status.Sandboxes[0].Ready {
				t.Error("Decide changed the status that it was given")
			}
		})
	}
}

func TestBackOffDelaysAStart(t *testing.T) {
	crashed := func(ago time.Duration) mutation {
		return func(s *situation) {
			exited("a", 1)(s)
			s.record("a").FinishedAt = noon.Add(-ago)
		}
	}
	entry := func(delay, age time.Duration) BackOff { return BackOff{"a": {delay, noon.Add(-age)}} }
	tests := map[string]struct {
		version string
		ago     time.Duration
		memory  BackOff
		want    []Wait
	}{
		"no memory, no wait": {"v1.30", time.Second, nil, nil},
		"a fresh crash waits": {"v1.30", 4 * time.Second,
			entry(40*time.Second, time.Minute), []Wait{{KindRegular, 0, "a", noon.Add(36 * time.Second), 40 * time.Second}}},
		"the delay is over":                  {"v1.30", 40 * time.Second, entry(40*time.Second, time.Minute), nil},
		"a long life is forgiven after 10 m": {"v1.30", time.Second, entry(5*time.Minute, 11*time.Minute), nil},
		"and not before": {"v1.30", time.Second, entry(5*time.Minute, 10*time.Minute),
			[]Wait{{KindRegular, 0, "a", noon.Add(299 * time.Second), 5 * time.Minute}}},
		"since 1.32 the limit does not depend on": {"v1.36", time.Second, entry(time.Minute, 9*time.Minute),
			[]Wait{{KindRegular, 0, "a", noon.Add(59 * time.Second), time.Minute}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := base(crashed(test.ago))
			o := unchanged
			o.BackOff, o.MaxBackOff = test.memory, time.Minute
			got, _ := Decide(profileOf(t, test.version), s.pod, s.status, noon, o)
			if diff := cmp.Diff(test.want, got.BackOff); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestARunningContainerNeedsNoStart(t *testing.T) {
	s := base()
	for minor := kubelet.OldestMinor; minor <= kubelet.NewestMinor+1; minor++ {
		p := profileOf(t, fmt.Sprintf("v1.%d", minor))
		if ShouldContainerBeRestarted(p, &s.pod.Spec.Containers[0], s.pod, s.status) {
			t.Errorf("v1.%d starts a container that runs", minor)
		}
	}
}

// Up to 1.13 a final kill has only the reason, without the text about the container's restart.
func TestAKillForGoodSaysNothingOfARestart(t *testing.T) {
	for version, want := range map[string]string{
		"v1.12": "Container failed liveness probe.",
		"v1.14": "Container a failed liveness probe",
	} {
		s := base(policy(corev1.RestartPolicyNever), liveness("a0", ProbeFailure))
		s.recordAll(true)
		got, _ := Decide(profileOf(t, version), s.pod, s.status, noon, unchanged)
		if len(got.ContainersToKill) != 1 || got.ContainersToKill[0].Message != want {
			t.Errorf("%s: %+v, want %q", version, got.ContainersToKill, want)
		}
	}
}

func TestBackOffLimits(t *testing.T) {
	both := []string{"+KubeletCrashLoopBackOffMax", "+ReduceDefaultCrashLoopBackOffDecay"}
	tests := map[string]struct {
		version       string
		gates         []string
		configured    time.Duration
		base, longest time.Duration
	}{
		"today":                            {"v1.37", nil, 0, 10 * time.Second, 5 * time.Minute},
		"configured":                       {"v1.37", nil, 30 * time.Second, 10 * time.Second, 30 * time.Second},
		"configured below the first delay": {"v1.37", nil, 2 * time.Second, 2 * time.Second, 2 * time.Second},
		"1.34 does not look at it":         {"v1.34", nil, 30 * time.Second, 10 * time.Second, 5 * time.Minute},
		"reduced":                          {"v1.34", both[1:], 0, time.Second, time.Minute},
		// The configuration's default is set before anything uses the other gate.
		"reduced, and the default of the configuration": {"v1.34", both, 0, time.Second, 5 * time.Minute},
		"reduced and configured":                        {"v1.37", both, 20 * time.Second, time.Second, 20 * time.Second},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			base, longest := BackOffLimits(profileOf(t, test.version, test.gates...), test.configured)
			if base != test.base || longest != test.longest {
				t.Errorf("%s to %s, want %s to %s", base, longest, test.base, test.longest)
			}
		})
	}
}
