package replay

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// supposed replays the pod of a snapshot under facts.
func supposed(t *testing.T, version string, s *evidence.Snapshot, texts ...string) *Result {
	t.Helper()
	var facts []sim.Supposition
	for _, text := range texts {
		f, err := sim.ParseSupposition(text)
		if err != nil {
			t.Fatal(err)
		}
		facts = append(facts, f)
	}
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Pod(s, &s.Pods[0], v, facts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func branchTaken(r *Result, branch string) (taken, asked bool) {
	for _, s := range r.Trace {
		if s.Branch == branch {
			return s.Taken, true
		}
	}
	return false, false
}

func probed(_ *evidence.Snapshot, p *corev1.Pod) {
	p.Spec.Containers[0].ReadinessProbe = &corev1.Probe{}
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
}

func TestAReadmittedPodRunsOn(t *testing.T) {
	for version, courses := range map[string]int{"v1.12.4": 2, "v1.24.0": 2, "v1.24.17": 1, "v1.34": 1, "v1.36": 1} {
		ofVersion := func(s *evidence.Snapshot, _ *corev1.Pod) { s.Nodes[0].KubeletVersion, s.Observations = version, nil }
		r := supposed(t, version, snapshot(probed, ofVersion), "readmitted")
		if r.Stage != decide.StageActions || r.KillPod || len(r.Kill)+len(r.Start) > 0 {
			t.Errorf("%s: stage %s, kills %v, starts %v", version, r.Stage, r.Kill, r.Start)
		}
		if len(r.Readiness) != 1 || r.Readiness[0].Container != "app" || len(r.Readiness[0].Courses) != courses {
			t.Fatalf("%s: readiness %+v, want %d courses", version, r.Readiness, courses)
		}
		stays := len(r.Readiness[0].Courses[0].Status) == 1
		if want := version == "v1.36"; stays != want {
			t.Errorf("%s: stays ready %v", version, stays)
		}
		if taken, asked := branchTaken(r, "rejected"); taken || !asked {
			t.Errorf("%s: admission was asked %v, refused %v", version, asked, taken)
		}
	}
	if r := supposed(t, "v1.36", snapshot(probed), "readmitted"); len(r.Kill) != 1 || len(r.Readiness) != 0 {
		t.Errorf("of a container that the new kubelet kills for its hash: %+v, kills %v", r.Readiness, r.Kill)
	}
	if r := supposed(t, "v1.30", snapshot(probed)); r.Readiness != nil {
		t.Errorf("without a restart: %+v", r.Readiness)
	}
}

func TestARefusedPodIsKilledForGood(t *testing.T) {
	r := supposed(t, "v1.30.4", snapshot(probed), "rejected=OutOfcpu")
	if r.Stage != decide.StageRejected || !r.KillPod || r.CreateSandbox || r.Readiness != nil {
		t.Errorf("%+v", r)
	}
	ended := func(_ *evidence.Snapshot, p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }
	if r := supposed(t, "v1.30.4", snapshot(ended), "rejected=OutOfcpu"); r.Stage != decide.StageRejected {
		t.Errorf("1.30.4 spares an ended pod: %s", r.Stage)
	}
	if r := supposed(t, "v1.30.5", snapshot(ended), "rejected=OutOfcpu"); r.Stage != decide.StageTerminated {
		t.Errorf("1.30.5 does not spare an ended pod: %s", r.Stage)
	}
}

func TestAKubeletThatHasJustStartedKnowsNoCrashes(t *testing.T) {
	waiting := func(_ *evidence.Snapshot, p *corev1.Pod) {
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
			Reason: "CrashLoopBackOff", Message: "back-off 5m0s restarting failed container=app pod=web-0_shop(u)"}}
		p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{
				ExitCode: 1, ContainerID: "containerd://c1", StartedAt: metav1.Time{Time: noon.Add(-time.Minute)},
				FinishedAt: metav1.Time{Time: noon.Add(-time.Minute)}}}
	}
	before, after := supposed(t, "v1.30", snapshot(waiting)), supposed(t, "v1.30", snapshot(waiting), "readmitted")
	if len(before.Start) != 1 || before.Start[0].NotBefore == nil || len(after.Start) != 1 ||
		after.Start[0].NotBefore != nil {
		t.Errorf("before %+v, after %+v", before.Start, after.Start)
	}
}

func TestAFailureThatIsSupposedAfterwardsStands(t *testing.T) {
	r := supposed(t, "v1.30", snapshot(), "readmitted", "liveness-failed=app")
	if len(r.Kill) != 1 {
		t.Errorf("%+v", r.Kill)
	}
	if r := supposed(t, "v1.30", snapshot(), "liveness-failed=app", "readmitted"); len(r.Kill) != 0 {
		t.Errorf("a result from before the restart kills: %+v", r.Kill)
	}
}

func TestASidecarsStartupIsForgottenUpTo135(t *testing.T) {
	withSidecar := func(_ *evidence.Snapshot, p *corev1.Pod) {
		always, started := corev1.ContainerRestartPolicyAlways, true
		p.Spec.InitContainers = []corev1.Container{{Name: "proxy", Image: "p:1",
			RestartPolicy: &always, StartupProbe: &corev1.Probe{}}}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{
			Name: "proxy", ContainerID: "containerd://p1", Started: &started,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{
				StartedAt: metav1.Time{Time: noon.Add(-time.Hour)}}},
		}}
	}
	for version, waits := range map[string]bool{"v1.30": true, "v1.35": true, "v1.36": false} {
		r := supposed(t, version, snapshot(withSidecar), "readmitted")
		if taken, asked := branchTaken(r, "sidecar-startup-pending"); taken != waits || !asked {
			t.Errorf("%s: waits for the startup probe: %v, asked %v", version, taken, asked)
		}
	}
}

func TestALostRecordCountsByTheLogs(t *testing.T) {
	count := func(r *Result) int {
		if len(r.Start) != 1 || r.Start[0].RestartCount == nil {
			return -1
		}
		return *r.Start[0].RestartCount
	}
	for version, want := range map[string]int{"v1.20.15": 0, "v1.21": 8, "v1.36": 8} {
		if got := count(supposed(t, version, snapshot(), "record-gone=app", "log-dir-count=7")); got != want {
			t.Errorf("%s: restart count %d, want %d", version, got, want)
		}
	}
	if got := count(supposed(t, "v1.36", snapshot(), "record-gone=app")); got != -1 {
		t.Errorf("without a look at the logs: %d", got)
	}
	if got := count(supposed(t, "v1.36", snapshot(), "exited=app:1", "log-dir-count=7")); got != 3 {
		t.Errorf("with a record: %d, want one more than its 2", got)
	}
}

func TestStagesFollowFromWhatIsSupposed(t *testing.T) {
	never := func(_ *evidence.Snapshot, p *corev1.Pod) { p.Spec.RestartPolicy = corev1.RestartPolicyNever }
	overdue := func(_ *evidence.Snapshot, p *corev1.Pod) {
		p.Spec.ActiveDeadlineSeconds, p.Status.StartTime = new(int64(60)), &metav1.Time{Time: noon.Add(-time.Hour)}
	}
	armoured := func(_ *evidence.Snapshot, p *corev1.Pod) {
		p.Status.Phase = corev1.PodPending
		p.Annotations = map[string]string{"container.apparmor.security.beta.kubernetes.io/app": "runtime/default"}
	}
	for name, test := range map[string]struct {
		version string
		given   func(*evidence.Snapshot, *corev1.Pod)
		facts   []string
		want    decide.Stage
		assumed string
	}{
		"an ended pod that runs once is over":  {"v1.30", never, []string{"exited=app:0"}, decide.StageTerminated, ""},
		"its deadline is read from its object": {"v1.30", overdue, nil, decide.StageTerminated, ""},
		"a deadline that is supposed": {"v1.30", never, []string{"deadline-exceeded"},
			decide.StageTerminated, "the pod has an active deadline"},
		"one that it has needs no assumption": {"v1.30", overdue, []string{"deadline-exceeded"},
			decide.StageTerminated, ""},
		"a missing cgroup kills since 1.6": {"v1.6", never, []string{"cgroup-missing"},
			decide.StageCgroupMissing, ""},
		"but not in 1.5": {"v1.5", never, []string{"cgroup-missing"}, decide.StageActions, ""},
		"AppArmor that the node lacks": {"v1.30", armoured, []string{"no-apparmor"},
			decide.StageNotRunnable, ""},
		"since 1.31 soft admission is gone":         {"v1.31", armoured, []string{"no-apparmor"}, decide.StageActions, ""},
		"a pod that does not ask for it is let run": {"v1.30", never, []string{"no-apparmor"}, decide.StageActions, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := supposed(t, test.version, snapshot(test.given), test.facts...)
			if said := strings.Contains(strings.Join(r.Assumed, "\n"), "the pod has an active deadline"); r.Stage != test.want ||
				said != (test.assumed != "") {
				t.Errorf("stage %s, want %s; assumed %v", r.Stage, test.want, r.Assumed)
			}
		})
	}
}
