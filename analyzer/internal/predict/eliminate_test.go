package predict

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// certain adds the kubelet's own line with its version.
func certain(w *world) {
	w.obs = append(w.obs, evidence.Observation{
		Time: after(-7200), Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"},
		Subject: evidence.Subject{Node: "n1"},
		Fact:    evidence.KubeletStarted{Version: w.version, PID: 80},
	})
}

// runs adds a record of another container that has run since then.
func runs(name string, attempt int, started float64) func(*world) {
	return func(w *world) { w.record(name, name+"-now", evidence.StateRunning, attempt, started, 0, "") }
}

// did adds a record of an init container that finished its work in that second.
func did(name string, attempt int, started float64) func(*world) {
	return func(w *world) {
		code := w.code
		w.code = 0
		w.record(name, name+"-done", evidence.StateExited, attempt, started, started+0.5, "")
		w.code = code
	}
}

// old makes the old instance the attempt of that number, with that lifetime.
func old(attempt int, seconds float64) func(*world) {
	return func(w *world) {
		for i := range 2 {
			r := w.obs[i].Fact.(evidence.ContainerRecord)
			r.Attempt, r.RestartCount = attempt+i, attempt+i
			if i == 0 {
				r.Started = after(-seconds)
			}
			w.obs[i].Fact = r
		}
	}
}

// apiOnly makes the API the source of all records.
func apiOnly(w *world) {
	for i := range w.obs {
		w.obs[i].Source.Kind = evidence.SourceAPI
	}
}

// apiLast makes the API the only source, with the old instance as the last state of the running one.
func apiLast(w *world) {
	apiOnly(w)
	r := w.obs[0].Fact.(evidence.ContainerRecord)
	r.Last = true
	w.obs[0].Fact = r
}

// logOnly makes the runtime's log the source of what is known about some containers.
func logOnly(names ...string) func(*world) {
	return func(w *world) {
		for i := range w.obs {
			if slices.Contains(names, w.obs[i].Subject.Container) {
				w.obs[i].Source.Kind = evidence.SourceRuntimeLog
			}
		}
	}
}

func success(w *world) { w.code = 0 }

func TestWhatHappenedContradictsWhatWouldHaveHappened(t *testing.T) {
	never := policy(corev1.RestartPolicyNever)
	for name, c := range map[string]struct {
		change    []func(*world)
		out, open []causes.ID
	}{
		"nothing else is known": {nil, nil, []causes.ID{causes.SandboxDied, causes.LivenessProbeFailed,
			causes.AppExitError, causes.NodeReboot}},
		"a neighbour ran on": {[]func(*world){runs("b", 0, -600)},
			[]causes.ID{causes.SandboxDied, causes.SandboxNoIP, causes.NodeReboot, "pod-cgroup-missing"},
			[]causes.ID{causes.LivenessProbeFailed, causes.AppExitError, causes.HashKubeletUpgrade}},
		"a neighbour ran on, says the API alone": {[]func(*world){runs("b", 0, -600), apiOnly},
			[]causes.ID{causes.SandboxDied, causes.NodeReboot}, []causes.ID{causes.AppExitError}},
		"a neighbour whose earlier end is not known": {[]func(*world){runs("b", 3, -60)},
			nil, []causes.ID{causes.SandboxDied, causes.NodeReboot}},
		"a neighbour that was started again too": {[]func(*world){runs("b", 1, 2)},
			nil, []causes.ID{causes.SandboxDied, causes.NodeReboot}},
		"a neighbour that began right at the end": {[]func(*world){runs("b", 0, -1)}, nil, []causes.ID{causes.SandboxDied}},
		"a neighbour and an init container that only a log knows": {
			[]func(*world){runs("b", 0, -600), did("i", 0, -602), logOnly("b", "i")},
			nil, []causes.ID{causes.SandboxDied, causes.NodeReboot}},
		"the same sandbox": {[]func(*world){sandboxes("box0", "box0", 0)},
			[]causes.ID{causes.SandboxDied, causes.NodeReboot, causes.SandboxMultipleReady},
			[]causes.ID{causes.LivenessProbeFailed, causes.OOMPodLimit}},
		"the same sandbox, which has no address of its own": {
			[]func(*world){sandboxes("box0", "box0", 0), hostNetwork, certain},
			[]causes.ID{causes.SandboxDied, causes.SandboxNoIP}, []causes.ID{causes.AppExitError}},
		"another sandbox at once": {[]func(*world){sandboxes("box0", "box1", 0.5)},
			[]causes.ID{causes.LivenessProbeFailed, causes.StartupProbeFailed, causes.SpecImageChanged},
			[]causes.ID{causes.SandboxDied, causes.AppExitError, causes.PostStartHookFailed}},
		"another sandbox a while later": {[]func(*world){sandboxes("box0", "box1", 20)},
			nil, []causes.ID{causes.LivenessProbeFailed, causes.SandboxDied}},
		"another sandbox at once, after earlier crashes": {[]func(*world){sandboxes("box0", "box1", 0.5), old(4, 90)},
			nil, []causes.ID{causes.LivenessProbeFailed}},
		"another sandbox at once, after a long life": {[]func(*world){sandboxes("box0", "box1", 0.5), old(4, 1200)},
			[]causes.ID{causes.LivenessProbeFailed}, nil},
		"another sandbox at once, under a kubelet just begun": {[]func(*world){sandboxes("box0", "box1", 0.5), begun},
			nil, []causes.ID{causes.LivenessProbeFailed}},
		"init ran again at once": {[]func(*world){did("i", 1, 2.5), again(4)},
			[]causes.ID{causes.LivenessProbeFailed, causes.HashKubeletUpgrade},
			[]causes.ID{causes.SandboxDied, causes.AppExitError}},
		"init ran again much later": {[]func(*world){did("i", 1, 30), again(40)},
			nil, []causes.ID{causes.LivenessProbeFailed, causes.SandboxDied}},
		"init did not run again": {[]func(*world){did("i", 0, -602)},
			[]causes.ID{causes.SandboxDied, causes.NodeReboot}, []causes.ID{causes.LivenessProbeFailed, causes.AppExitError}},
		"init ran after the old instance began": {[]func(*world){did("i", 1, -300)}, nil, []causes.ID{causes.SandboxDied}},
		"restartPolicy Never, and it was started again": {[]func(*world){never, certain},
			[]causes.ID{causes.AppExitError, causes.KilledExternally, causes.LivenessProbeFailed, causes.SandboxDied},
			[]causes.ID{causes.HashKubeletUpgrade, causes.SpecImageChanged, causes.ContainerUnknownState}},
		"the same, of a version that nobody is sure of": {[]func(*world){never},
			[]causes.ID{causes.AppExitError}, []causes.ID{causes.LivenessProbeFailed}},
		"the same, where the runtime's record is not known": {[]func(*world){never, certain, apiOnly},
			nil, []causes.ID{causes.AppExitError}},
		"the same, and the API still has its last state": {[]func(*world){never, apiLast},
			[]causes.ID{causes.AppExitError}, []causes.ID{causes.HashKubeletUpgrade}},
		"the same, by a kubelet that carries it over": {[]func(*world){never, apiLast, version("v1.36.3")},
			nil, []causes.ID{causes.AppExitError}},
		"a success under OnFailure, and started again": {[]func(*world){policy(corev1.RestartPolicyOnFailure),
			success, apiLast}, []causes.ID{causes.AppExitZero, causes.KilledExternally},
			[]causes.ID{causes.LivenessProbeFailed}},
		"a failure under OnFailure, and started again": {[]func(*world){policy(corev1.RestartPolicyOnFailure), apiLast},
			nil, []causes.ID{causes.AppExitError}},
		"a sidecar under 1.31 and another definition": {[]func(*world){sidecar, about("s"), version("v1.31.14"), certain},
			[]causes.ID{causes.HashKubeletUpgrade, causes.SpecImageChanged},
			[]causes.ID{causes.LivenessProbeFailed, causes.AppExitError}},
		"a sidecar under 1.32 and another definition": {[]func(*world){sidecar, about("s"), version("v1.32.13"), certain},
			nil, []causes.ID{causes.HashKubeletUpgrade}},
		"a sidecar alone": {[]func(*world){sidecar, about("s"), version("v1.36.3"),
			certain, runs("a", 0, -600), runs("b", 0, -600)},
			[]causes.ID{causes.SandboxDied, causes.NodeReboot}, []causes.ID{causes.AppExitZero, causes.LivenessProbeFailed}},
		"a version that is not known": {[]func(*world){version(""), runs("b", 0, -600)},
			nil, []causes.ID{causes.SandboxDied}},
		"the end of a whole pod": {[]func(*world){runs("b", 0, -600)}, nil,
			[]causes.ID{causes.EvictedMemory, causes.PodDeleted, causes.NodeShutdown, causes.AdmissionRejected}},
	} {
		t.Run(name, func(t *testing.T) {
			f := base(c.change...).find(t)
			p := New(f.T)
			for _, id := range c.out {
				a := p.Against(f, catalogue.Supposes(id, f))
				switch {
				case a == nil:
					t.Errorf("%s stands", id)
				case !strings.Contains(a.Because, "(kubelet v1."):
					t.Errorf("%s: no function is quoted: %s", id, a.Because)
				case len(a.Evidence) == 0:
					t.Errorf("%s: nothing is cited for %s", id, a.Because)
				}
			}
			for _, id := range c.open {
				if a := p.Against(f, catalogue.Supposes(id, f)); a != nil {
					t.Errorf("%s is out: %s", id, a.Because)
				}
			}
		})
	}
}

func hostNetwork(w *world) { w.pod.Spec.HostNetwork = true }

// begun starts the kubelet right before the end.
func begun(w *world) {
	certain(w)
	w.obs[len(w.obs)-1].Time = after(-20)
}

// again sets when the new instance starts.
func again(seconds float64) func(*world) {
	return func(w *world) {
		r := w.obs[1].Fact.(evidence.ContainerRecord)
		r.Started = after(seconds)
		w.obs[1].Fact = r
	}
}

func TestAContradictionSaysWhatTheKubeletDoesAndWhatHappened(t *testing.T) {
	for want, c := range map[string]struct {
		w     *world
		cause causes.ID
	}{
		"the whole pod would have been stopped (kubelet v1.30 computePodActions); container b ran on": {
			base(runs("b", 0, -600)), causes.SandboxDied},
		"the kubelet would have put the pod into a new sandbox (kubelet v1.30 PodSandboxChanged); a restarted in the old one": {
			base(sandboxes("box0", "box0", 0)), causes.SandboxDied},
		"the kubelet would have killed one container for it and kept the sandbox (kubelet v1.30 computePodActions), but the pod got a new sandbox at that moment": {
			base(sandboxes("box0", "box1", 0.5)), causes.LivenessProbeFailed},
		"the kubelet would have run the init containers again (kubelet v1.30 computePodActions); i did not run again": {
			base(did("i", 0, -602)), causes.SandboxDied},
		"the kubelet would have killed one container for it and left the init containers alone (kubelet v1.30 computePodActions), but they ran again at that moment": {
			base(did("i", 1, 2.5), again(4)), causes.LivenessProbeFailed},
		"the kubelet would have left a stopped because of restartPolicy Never wants (kubelet v1.30 ShouldContainerBeRestarted), but it restarted": {
			base(policy(corev1.RestartPolicyNever), certain), causes.AppExitError},
		"the kubelet of that version does not stop s for it (kubelet v1.31 computePodActions)": {
			base(sidecar, about("s"), version("v1.31.14"), certain), causes.HashKubeletUpgrade},
	} {
		f := c.w.find(t)
		a := New(f.T).Against(f, catalogue.Supposes(c.cause, f))
		if a == nil || a.Because != want {
			t.Errorf("got  %+v\nwant %s", a, want)
		}
	}
}

// What was computed for one pod must never be applied to another. Judging many restarts reuses one Findings for all of
// them.
func TestAnswersAreAboutTheRestartThatTheFindingsAreOf(t *testing.T) {
	kept, again := base(certain), base(certain, func(w *world) { w.pod.Spec.InitContainers = nil },
		policy(corev1.RestartPolicyNever))
	used := &finding.Findings{}
	p := New(nil)
	differ := false
	for _, id := range []causes.ID{causes.AppExitError, causes.LivenessProbeFailed,
		causes.SandboxDied, causes.HashKubeletUpgrade} {
		var said [2]string
		for i, w := range []*world{kept, again} {
			f := w.find(t)
			p.t = f.T
			used.Derive(f.T, f.R)
			if a := p.Against(used, catalogue.Supposes(id, used)); a != nil {
				said[i] = a.Because
			}
			want := ""
			if own := New(f.T).Against(f, catalogue.Supposes(id, f)); own != nil {
				want = own.Because
			}
			if said[i] != want {
				t.Errorf("%s of world %d: %q, by itself %q", id, i, said[i], want)
			}
		}
		differ = differ || said[0] != said[1]
	}
	if !differ {
		t.Error("both worlds get the same answers: the test sees nothing")
	}
}

func TestOutcomesAreSharedByEqualPodsOnly(t *testing.T) {
	always := base(certain).find(t)
	p := New(always.T)
	for _, w := range []*world{
		base(certain), base(certain, policy(corev1.RestartPolicyNever)), base(certain, hostNetwork),
		base(certain, version("v1.36.3")),
		base(certain, func(w *world) { w.code = 3 }), base(certain, func(w *world) { w.pod.Spec.InitContainers = nil }),
		base(certain, sidecar), base(certain, sidecar, about("s")),
	} {
		w.record("b", "b0", evidence.StateRunning, 0, -600, 0, "")
		f := w.find(t)
		p.t = f.T
		for _, id := range []causes.ID{causes.AppExitError, causes.LivenessProbeFailed,
			causes.SandboxDied, causes.SandboxNoIP, causes.HashKubeletUpgrade} {
			shared, own := p.Against(f, catalogue.Supposes(id, f)), New(f.T).Against(f, catalogue.Supposes(id, f))
			if (shared == nil) != (own == nil) || shared != nil && shared.Because != own.Because {
				t.Errorf("%s of %+v: shared %+v, own %+v", id, w.pod.Spec, shared, own)
			}
		}
	}
}
