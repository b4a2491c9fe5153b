package predict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func decision(t *testing.T, w *world, cause causes.ID) *report.Decision {
	t.Helper()
	f := w.find(t)
	return Decision(f.T, f.R, f, catalogue.Supposes(cause, f))
}

func TestTheDecisionUnderTheVerdictsCauseIsTold(t *testing.T) {
	d := decision(t, base(), causes.LivenessProbeFailed)
	if d == nil {
		t.Fatal("no decision")
	}
	if d.Kubelet != "v1.30.14" || d.ModelledAs != "v1.30" || d.Outcome != "the kubelet stops a and starts a" ||
		!d.Agrees || len(d.Differs) != 0 {
		t.Errorf("%+v", d)
	}
	if want := []string{"a has failed its liveness probe"}; !cmp.Equal(want, d.Supposed) {
		t.Errorf("supposed %q", d.Supposed)
	}
	var asked []string
	for _, b := range d.Branches {
		if b.Function == "" || b.File == "" || b.Question == "" || b.Fact == "" {
			t.Errorf("a branch says too little: %+v", b)
		}
		if b.Answer {
			asked = append(asked, b.Function+": "+b.Question)
		}
	}
	want := []string{
		"findNextInitContainerToRun: Does a regular container run?",
		"computePodActions: Is initialization over?",
		"computePodActions: Has a failed its liveness probe?",
		"computePodActions: Does the restart policy require a to restart after the kill?",
		"startContainer: Does the runtime still have a record of a?",
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
}

func TestADecisionThatIsNotWhatHappenedSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		world *world
		cause causes.ID
		want  []string
	}{
		"a probe does not replace the sandbox": {base(sandboxes("box0", "box1", 0.5)), causes.LivenessProbeFailed,
			[]string{"the pod got a new sandbox, but the kubelet would have kept the old one"}},
		"a dead sandbox is replaced": {base(sandboxes("box0", "box0", 0)), causes.SandboxDied,
			[]string{"a restarted in the same sandbox, but the kubelet would have created a new one"}},
		"a pod that never restarts": {base(policy(corev1.RestartPolicyNever)), causes.AppExitError,
			[]string{"a restarted, but the kubelet would not have restarted it"}},
		"a neighbour that ran on": {base(func(w *world) { w.record("b", "b0", evidence.StateRunning, 0, -600, 0, "box0") }),
			causes.NodeReboot,
			[]string{"container b kept running, but the kubelet would have stopped it too"}},
		"a definition that no kubelet of that age compares": {base(sidecar, about("s"), version("v1.31.14")),
			causes.HashKubeletUpgrade,
			[]string{"the kubelet would not have stopped s", "s restarted, but the kubelet would not have restarted it"}},
		"the same one version on": {base(sidecar, about("s"), version("v1.32.13")), causes.HashKubeletUpgrade, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := decision(t, c.world, c.cause)
			if d == nil {
				t.Fatal("no decision")
			}
			if d.Agrees != (len(c.want) == 0) || strings.Join(d.Differs, "|") != strings.Join(c.want, "|") {
				t.Errorf("agrees %v: %q, want %q; outcome %s", d.Agrees, d.Differs, c.want, d.Outcome)
			}
		})
	}
}

func TestNoDecisionWhereSpecVersionOrGatesAreNotKnown(t *testing.T) {
	never := corev1.ContainerRestartPolicyNever
	for name, w := range map[string]*world{
		"no version":         base(version("")),
		"an unknown version": base(version("v0.9")),
		"a gate that was off yet": base(version("v1.34.4"), func(w *world) {
			w.pod.Spec.Containers[1].RestartPolicy = &never
		}),
		"a sidecar of 1.28": base(version("v1.28.15"), sidecar),
		"a container that is not in the spec any more": base(func(w *world) {
			w.pod.Spec.Containers = w.pod.Spec.Containers[1:]
		}),
	} {
		if d := decision(t, w, causes.LivenessProbeFailed); d != nil {
			t.Errorf("%s: %+v", name, d)
		}
	}
	f := base().find(t)
	f.R.Pod.Object = nil
	if d := Decision(f.T, f.R, f, sim.LivenessFailed); d != nil {
		t.Errorf("without a spec: %+v", d)
	}
	if d := decision(t, base(), causes.OOMLabelStale); d != nil {
		t.Errorf("of a cause that changes nothing: %+v", d)
	}
}

func TestStandInHashesAreNeverShown(t *testing.T) {
	plain := decision(t, base(), causes.HashKubeletUpgrade)
	known := decision(t, base(func(w *world) {
		for i, sum := range []string{"c87f01d2", "5d6b7c01"} {
			r := w.obs[i].Fact.(evidence.ContainerRecord)
			r.Hash = sum
			w.obs[i].Fact = r
		}
	}), causes.HashKubeletUpgrade)
	for _, c := range []struct {
		d    *report.Decision
		want []string
	}{
		{plain, []string{"a: supposed: the stored hash is different", "b: assumed to be the one that this kubelet computes"}},
		{known, []string{"a: stored c87f01d2, this kubelet computes 5d6b7c01",
			"b: assumed to be the one that this kubelet computes"}},
	} {
		var got []string
		for _, b := range c.d.Branches {
			if strings.Contains(b.Question, "stored hash") {
				got = append(got, b.Container+": "+b.Fact)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// The kubelet's messages and counts are compared too.
func TestADecisionComparesWordsAndCounts(t *testing.T) {
	says := func(text string, reason evidence.KillReason) func(*world) {
		return func(w *world) {
			w.obs = append(w.obs, evidence.Observation{
				Time: after(-3), Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"}, Subject: w.obs[0].Subject,
				Fact: evidence.KillDecided{Reason: reason, Message: safetext.Clean(text), Count: 1},
			})
		}
	}
	const right = "Container a failed liveness probe, will be restarted"
	for name, c := range map[string]struct {
		world *world
		want  []string
	}{
		"the same words": {base(says(right, evidence.KillLiveness)), nil},
		"other words": {base(says("Container a definition changed, will be restarted", evidence.KillDefinition)),
			[]string{"the kubelet would have said: " + right +
				"; it actually said: Container a definition changed, will be restarted"}},
		"words about the pod say nothing of the container": {base(says("Stopping container a", evidence.KillPod)), nil},
		"a policy that would not start it again, and words that begin alike": {
			base(policy(corev1.RestartPolicyNever), says(right, evidence.KillLiveness)),
			[]string{"a restarted, but the kubelet would not have restarted it"}},
		"the next count": {base(old(4, 600)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := decision(t, c.world, causes.LivenessProbeFailed)
			if diff := cmp.Diff(append([]string{}, c.want...), d.Differs); diff != "" {
				t.Error(diff)
			}
		})
	}
	f := base().find(t)
	f.R.To.Attempt = 5
	if d := Decision(f.T, f.R, f, sim.LivenessFailed); !cmp.Equal(d.Differs,
		[]string{"the restart count would have been 1; it is 5"}) {
		t.Errorf("%q", d.Differs)
	}
}
