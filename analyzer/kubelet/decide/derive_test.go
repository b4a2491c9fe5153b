package decide

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestDeriveBeforeFindsTheEndOfAPod(t *testing.T) {
	never, onFailure := policy(corev1.RestartPolicyNever), policy(corev1.RestartPolicyOnFailure)
	both := func(code int) mutation {
		return func(s *situation) { exited("a", code)(s); exited("b", 0)(s) }
	}
	for name, test := range map[string]struct {
		version string
		given   []mutation
		want    corev1.PodPhase
	}{
		"a running pod goes on":                        {"v1.36", nil, ""},
		"one container of two has ended":               {"v1.36", []mutation{never, exited("a", 0)}, ""},
		"all have succeeded, Never":                    {"v1.36", []mutation{never, both(0)}, corev1.PodSucceeded},
		"all have succeeded, OnFailure":                {"v1.20", []mutation{onFailure, both(0)}, corev1.PodSucceeded},
		"all have succeeded, Always: they start again": {"v1.36", []mutation{both(0)}, ""},
		"one has failed, Never":                        {"v1.36", []mutation{never, both(1)}, corev1.PodFailed},
		"one has failed, OnFailure: it starts again":   {"v1.20", []mutation{onFailure, both(1)}, ""},
		"an init container has failed, Never": {"v1.20",
			[]mutation{never, notStarted, initContainer("i"), exited("i", 1)}, corev1.PodFailed},
		"an init container has failed, Always": {"v1.20", []mutation{notStarted, initContainer("i"), exited("i", 1)},
			""},
		"an init container runs": {"v1.20", []mutation{never, both(0),
			initContainer("i"), state("i", StateRunning, 0)}, ""},
		"a container in state unknown leaves it open": {"v1.36", []mutation{never, both(0), state("a", StateUnknown, 0)}, ""},
		"a container without a record leaves it open": {"v1.36", []mutation{never, both(0), gone("a")}, ""},
		"a sidecar that runs keeps the pod":           {"v1.30", []mutation{never, both(0), sidecar("s")}, ""},
		"a sidecar that has ended counts for nothing": {"v1.30", []mutation{never, both(0), sidecar("s"), exited("s", 1)},
			corev1.PodSucceeded},
		"without the gate it is an init container": {"v1.28", []mutation{never, both(0), sidecar("s"), exited("s", 1)},
			corev1.PodFailed},
		"a container's own policy lets it start again": {"v1.35",
			[]mutation{never, both(1), ownPolicy("a", corev1.ContainerRestartPolicyAlways)}, ""},
		"a rule lets it start again": {"v1.35",
			[]mutation{never, both(42), ownPolicy("a", corev1.ContainerRestartPolicyNever, rule("Restart", "In", 42))}, ""},
		"before rules were on it counts as the pod's": {"v1.34",
			[]mutation{never, both(1), ownPolicy("a", corev1.ContainerRestartPolicyAlways)}, corev1.PodFailed},
		"its own Never ends a container of an Always pod": {"v1.35",
			[]mutation{both(1), ownPolicy("a", corev1.ContainerRestartPolicyNever),
				ownPolicy("b", corev1.ContainerRestartPolicyNever)}, corev1.PodFailed},
		"a pod without containers": {"v1.36", []mutation{func(s *situation) { s.pod.Spec.Containers = nil }}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			if got := DeriveBefore(profileOf(t, test.version), s.pod, s.status,
				noon, NodeFacts{}, Before{}).Phase; got != test.want {
				t.Errorf("phase %q, want %q", got, test.want)
			}
		})
	}
}

func TestDeriveBeforeKeepsWhatIsSaid(t *testing.T) {
	s := base()
	b := Before{Phase: corev1.PodFailed, DeadlineExceeded: true, NotRunnable: "no", CgroupMissing: true}
	if got := DeriveBefore(profileOf(t, "v1.30"), s.pod, s.status, noon, NodeFacts{NoAppArmor: true}, b); got != b {
		t.Errorf("%+v became %+v", b, got)
	}
	if got := DeriveBefore(profileOf(t, "v1.36"), nil, nil, noon, NodeFacts{}, Before{}); got != (Before{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestDeriveBeforeReadsTheDeadline(t *testing.T) {
	for name, test := range map[string]struct {
		seconds int64
		start   time.Time
		want    bool
	}{
		"over":                       {60, noon.Add(-time.Hour), true},
		"over to the second":         {3600, noon.Add(-time.Hour), true},
		"not yet":                    {3601, noon.Add(-time.Hour), false},
		"never started":              {1, time.Time{}, false},
		"longer than a clock counts": {1<<63 - 1, noon.Add(-time.Hour), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := base(func(s *situation) {
				s.pod.Spec.ActiveDeadlineSeconds = &test.seconds
				if !test.start.IsZero() {
					s.pod.Status.StartTime = &metav1.Time{Time: test.start}
				}
			})
			if got := DeriveBefore(profileOf(t, "v1.36"), s.pod, s.status, noon,
				NodeFacts{}, Before{}).DeadlineExceeded; got != test.want {
				t.Errorf("exceeded: %v", got)
			}
		})
	}
}

func TestDeriveBeforeAsksForAppArmorOnce(t *testing.T) {
	pending := func(s *situation) { s.pod.Status.Phase = corev1.PodPending }
	annotated := func(profile string) mutation {
		return func(s *situation) { s.pod.Annotations = map[string]string{appArmorAnnotation + "a": profile} }
	}
	field := func(kind corev1.AppArmorProfileType) mutation {
		return func(s *situation) {
			eachOf(s, "a", func(c *corev1.Container) {
				c.SecurityContext = &corev1.SecurityContext{AppArmorProfile: &corev1.AppArmorProfile{Type: kind}}
			})
		}
	}
	ofPod := func(s *situation) {
		s.pod.Spec.SecurityContext = &corev1.PodSecurityContext{
			AppArmorProfile: &corev1.AppArmorProfile{Type: "RuntimeDefault"}}
	}
	for name, test := range map[string]struct {
		version string
		given   []mutation
		want    bool
	}{
		"a new pod with a profile is refused":      {"v1.20", []mutation{pending, annotated("runtime/default")}, true},
		"one that runs already is not asked again": {"v1.20", []mutation{annotated("runtime/default")}, false},
		"unconfined is no profile":                 {"v1.20", []mutation{pending, annotated("unconfined")}, false},
		"without a profile":                        {"v1.20", []mutation{pending}, false},
		"the field counts since 1.30":              {"v1.30", []mutation{pending, field("Localhost")}, true},
		"so does the pod's":                        {"v1.30", []mutation{pending, ofPod}, true},
		"before nobody read it":                    {"v1.29", []mutation{pending, field("Localhost")}, false},
		"an unconfined field is no profile":        {"v1.30", []mutation{pending, field("Unconfined")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			b := DeriveBefore(profileOf(t, test.version), s.pod, s.status, noon, NodeFacts{NoAppArmor: true}, Before{})
			if (b.NotRunnable != "") != test.want {
				t.Errorf("not runnable: %q", b.NotRunnable)
			}
			s.status.Before = b
			if a, _ := Decide(profileOf(t, test.version), s.pod, s.status, noon,
				unchanged); (a.Stage == StageNotRunnable) != test.want {
				t.Errorf("stage %s", a.Stage)
			}
		})
	}
}

func TestReadmission(t *testing.T) {
	readmitted := func(rejected string, phase corev1.PodPhase) mutation {
		return func(s *situation) {
			s.status.Before = Before{Readmitted: true, Rejected: rejected, APIPhase: phase}
		}
	}
	for name, test := range map[string]struct {
		version string
		given   mutation
		want    Stage
	}{
		"a pod that still fits goes on":               {"v1.30", readmitted("", corev1.PodRunning), StageActions},
		"one that does not is killed although it ran": {"v1.30", readmitted("OutOfcpu", corev1.PodRunning), StageRejected},
		"up to 1.21 an ended pod is spared": {"v1.21.14", readmitted("OutOfcpu", corev1.PodSucceeded),
			StageActions},
		"from 1.22.0 it was refused too, and became Failed": {"v1.22.0", readmitted("OutOfcpu", corev1.PodSucceeded),
			StageRejected},
		"up to 1.28.13":    {"v1.28.13", readmitted("OutOfcpu", corev1.PodSucceeded), StageRejected},
		"fixed in 1.28.14": {"v1.28.14", readmitted("OutOfcpu", corev1.PodSucceeded), StageActions},
		"and in 1.31.1":    {"v1.31.1", readmitted("OutOfcpu", corev1.PodFailed), StageActions},
		"a kubelet that knows the pod does not ask": {"v1.30", func(s *situation) { s.status.Before.Rejected = "OutOfcpu" },
			StageActions},
	} {
		t.Run(name, func(t *testing.T) {
			s := base(test.given)
			a, _ := Decide(profileOf(t, test.version), s.pod, s.status, noon, unchanged)
			if a.Stage != test.want || a.KillPod != (test.want == StageRejected) || a.CreateSandbox {
				t.Errorf("%+v, want stage %s", a, test.want)
			}
		})
	}
}

func TestRestartCountsComeFromTheRecordOrTheLogs(t *testing.T) {
	logs := func(s *situation) { s.status.LogFiles = map[string][]string{"a": {"4.log", "5.log"}} }
	for name, test := range map[string]struct {
		version string
		given   []mutation
		count   int
		known   bool
	}{
		"one more than the record's": {"v1.36", []mutation{exited("a", 1),
			func(s *situation) { s.record("a").RestartCount = 2 }, logs}, 3, true},
		"without a record the logs decide":       {"v1.36", []mutation{gone("a"), logs}, 6, true},
		"without a look at them it is not known": {"v1.36", []mutation{gone("a")}, 0, false},
		"up to 1.20 it starts at 0 again":        {"v1.20", []mutation{gone("a"), logs}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			a, _ := Decide(profileOf(t, test.version), s.pod, s.status, noon, unchanged)
			if len(a.Restarts) != 1 || a.Restarts[0].Count != test.count || a.Restarts[0].Known != test.known {
				t.Errorf("%+v", a.Restarts)
			}
		})
	}
}
