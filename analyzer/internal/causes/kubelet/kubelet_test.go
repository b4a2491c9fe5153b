package kubelet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

type row struct {
	id     causes.ID
	base   func() *finding.Findings
	change func(*finding.Findings)
	want   causes.Strength
}

func run(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			f := c.base()
			if c.change != nil {
				c.change(f)
			}
			if got := causestest.Says(t, kubelet.Rules(), c.id, f); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

// silent is a pod that a kubelet killed ten seconds after its start, without a reason, and that has not come back.
func silent() *finding.Findings {
	f := causestest.Base(143)
	causestest.Killed(f, evidence.KillPod)
	f.NodeEvents.Kubelet = causestest.Yes(-13)
	f.Stop = causestest.Yes(-3)
	return f
}

// anew is the same pod, recreated: the kubelet had killed it before it missed the sandbox.
func anew() *finding.Findings {
	f := silent()
	f.R.To = &timeline.Instance{ID: "new", Records: []string{"e9"}}
	f.Sandbox = finding.SandboxFate{Changed: causestest.Yes(1), Reason: evidence.SandboxNotReady,
		KilledFirst: causestest.Yes(-3)}
	return f
}

func moved(old, new string) func(*finding.Findings) {
	return func(f *finding.Findings) {
		f.Cgroup.Moved, f.Cgroup.Old, f.Cgroup.New = finding.Point{Answer: finding.Yes, Evidence: []string{"e7", "e8"}},
			old, new
		f.Cgroup.Drivers = strings.HasSuffix(old, ".slice") != strings.HasSuffix(new, ".slice")
	}
}

func told(setting string) func(*finding.Findings) {
	return func(f *finding.Findings) {
		f.Cgroup.Told, f.Cgroup.Setting, f.Cgroup.Old, f.Cgroup.New = causestest.Yes(-12), setting, "a", "b"
		f.Cgroup.Drivers = setting == evidence.SettingCgroupDriver
	}
}

func all(changes ...func(*finding.Findings)) func(*finding.Findings) {
	return func(f *finding.Findings) {
		for _, c := range changes {
			c(f)
		}
	}
}

func looked(f *finding.Findings) {
	f.Sandbox.KilledFirst = finding.Point{Answer: finding.No, Evidence: []string{"e5"}}
}
func unordered(f *finding.Findings) { f.Sandbox.KilledFirst = finding.Point{} }

func TestACgroupThatIsMissing(t *testing.T) {
	const id = causes.PodCgroupMissing
	run(t, map[string]row{
		"the kubelet's own line decides": {id, anew, func(f *finding.Findings) {
			f.Cgroup.Missing = causestest.Yes(-4)
		}, causes.Decisive},
		"two parents and the order decide":  {id, anew, moved("/kubepods/a", "/kubepods/b"), causes.Decisive},
		"another root and the order decide": {id, anew, told(evidence.SettingCgroupRoot), causes.Decisive},
		"the order alone is strong":         {id, anew, nil, causes.Strong},
		"two parents, and the kubelet ran for long": {id, anew, all(moved("/kubepods/a", "/kubepods/b"),
			func(f *finding.Findings) { f.NodeEvents.Kubelet = causestest.Yes(-500) }), causes.Strong},
		"two parents without the order are strong": {id, anew, all(unordered, moved("/kubepods/a", "/kubepods/b")),
			causes.Strong},
		"neither of them is weak": {id, anew, unordered, causes.Weak},
		"two parents of two drivers name the driver": {id, anew, moved("/kubepods/a", "/kubepods.slice/a.slice"),
			causestest.Out},
		"another driver names the driver": {id, anew, told(evidence.SettingCgroupDriver), causestest.Out},
		"the sandbox was looked at first": {id, anew, looked, causestest.Out},
		"the sandbox had died before": {id, anew, func(f *finding.Findings) {
			f.Sandbox.DiedFirst, f.Sandbox.Certain = causestest.Yes(-5), true
		}, causestest.Out},
		"the sandbox had no address": {id, anew, func(f *finding.Findings) {
			f.Sandbox.Reason = evidence.SandboxNoIP
		}, causestest.Out},
		"the pod kept its sandbox": {id, anew, func(f *finding.Findings) {
			f.Sandbox = finding.SandboxFate{Changed: finding.Point{Answer: finding.No}}
		}, causestest.Out},
		"the kubelet killed it for its probe": {id, anew, func(f *finding.Findings) {
			f.Kill.Reason = evidence.KillLiveness
		}, causestest.Out},
		"the kubelet did not kill it": {id, anew, func(f *finding.Findings) {
			f.Kill = finding.KubeletKill{Point: finding.Point{Answer: finding.No}}
		}, causestest.Out},
		"the runtime was never asked to stop it": {id, anew, func(f *finding.Findings) {
			f.Stop = finding.Point{Answer: finding.No}
		}, causestest.Out},
		"the node rebooted": {id, anew, func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(-60) },
			causestest.Out},
		"the runtime lost it": {id, anew, func(f *finding.Findings) { f.Exit.Lost = true }, causestest.Out},
		"its hook had failed": {id, anew, func(f *finding.Findings) { f.Hook = causestest.Yes(-4) }, causestest.Out},
		"its state was not known": {id, anew, func(f *finding.Findings) { f.UnknownState = causestest.Yes(-4) },
			causestest.Out},
		"the pod was refused at present": {id, anew, func(f *finding.Findings) {
			f.End = finding.PodEnd{Point: causestest.Yes(-4), How: evidence.EndRejected, Soft: true}
		}, causestest.Out},
		"the pod was deleted": {id, silent,
			func(f *finding.Findings) {
				f.End = finding.PodEnd{Point: causestest.Yes(-4), How: evidence.EndDeleted}
			},
			causestest.Out},
		"a pod that did not come back is not its doing": {id, silent, nil, causestest.None},
		"nobody knows of a kill, and it crashed": {id, anew, func(f *finding.Findings) {
			f.Kill, f.Exit.Code, f.Stop = finding.KubeletKill{}, 3, finding.Point{}
		}, causestest.Out},
	})
}

func TestADriverThatDoesNotFit(t *testing.T) {
	const id = causes.CgroupDriverMismatch
	astray := func() *finding.Findings {
		f := causestest.Base(137)
		f.R.To = &timeline.Instance{ID: "new"}
		f.Sandbox = finding.SandboxFate{Changed: causestest.Yes(1)}
		f.Cgroup.Outside, f.Cgroup.Certain, f.Together = finding.Point{Answer: finding.Yes, Evidence: []string{"e6"}}, true, 3
		return f
	}
	slice := moved("/kubepods/a", "/kubepods.slice/a.slice")
	run(t, map[string]row{
		"parents of two drivers decide":       {id, anew, slice, causes.Decisive},
		"another driver and the order decide": {id, anew, told(evidence.SettingCgroupDriver), causes.Decisive},
		"another driver without the order is strong": {id, anew, all(unordered, told(evidence.SettingCgroupDriver)),
			causes.Strong},
		"parents of one driver rule it out": {id, anew, moved("/kubepods/a", "/kubepods/b"), causestest.Out},
		"the same driver was printed twice": {id, anew, func(f *finding.Findings) {
			f.Cgroup.Told = finding.Point{Answer: finding.No, Evidence: []string{"e6"}}
		}, causestest.Out},
		"one kubelet made and stopped it": {id, anew, func(f *finding.Findings) { f.Versions.SameProcess = true },
			causestest.Out},
		"the kubelet looked at the sandbox first": {id, anew, looked, causestest.Out},
		"the kubelet killed it for its probe": {id, anew,
			all(slice, func(f *finding.Findings) { f.Kill.Reason = evidence.KillLiveness }), causestest.Out},
		"the node rebooted": {id, anew,
			all(slice, func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(-60) }), causestest.Out},
		"astray, and others ended with it": {id, astray, nil, causes.Strong},
		"astray by what the kubelet was told": {id, astray, func(f *finding.Findings) { f.Cgroup.Certain = false },
			causes.Weak},
		"astray, and alone":      {id, astray, func(f *finding.Findings) { f.Together = 0 }, causes.Weak},
		"astray, and it crashed": {id, astray, func(f *finding.Findings) { f.Exit.Code = 3 }, causestest.Out},
		"astray, and the kernel killed it for memory": {id, astray,
			func(f *finding.Findings) { f.OOM.Point = causestest.Yes(0) }, causestest.Out},
		"astray, and the kubelet kept the sandbox": {id, astray,
			func(f *finding.Findings) { f.Sandbox.Changed = finding.Point{Answer: finding.No} }, causestest.Out},
		"where it ought to be, and alone": {id, astray,
			func(f *finding.Findings) { f.Cgroup, f.Together = finding.Cgroup{}, 0 }, causestest.Out},
		"nobody knows where it is, and others ended": {id, astray, func(f *finding.Findings) { f.Cgroup = finding.Cgroup{} },
			causestest.None},
		"the runtime got a request to stop it": {id, astray, func(f *finding.Findings) {
			f.Cgroup, f.Stop = finding.Cgroup{}, causestest.Yes(-1)
		}, causestest.Out},
		"the runtime lost it":   {id, astray, func(f *finding.Findings) { f.Exit.Lost = true }, causestest.Out},
		"the pod was evicted":   {id, silent, func(f *finding.Findings) { f.End.Point = causestest.Yes(-4) }, causestest.Out},
		"it did not come back":  {id, astray, func(f *finding.Findings) { f.R.To = nil }, causestest.None},
		"a kill without orders": {id, anew, unordered, causestest.None},
	})
}

// configured lets the kubelet's log tell of the pod's object, or its file, right behind the end.
func configured(op, origin string) func(*finding.Findings) {
	return func(f *finding.Findings) {
		at := causestest.End.Add(time.Second)
		f.T.Configured = map[timeline.PodName][]timeline.Occurrence{{Namespace: "shop", Pod: "web-0"}: {{At: at,
			Obs: &evidence.Observation{Time: at, Fact: evidence.PodConfig{Op: op, Origin: origin}}}}}
	}
}

// beside adds another container of the pod that ended seconds before the kill.
func beside(marks []timeline.Occurrence) func(*finding.Findings) {
	return func(f *finding.Findings) {
		f.R.Story = &timeline.PodStory{Lives: []timeline.Lineage{{Container: "main", Instances: []*timeline.Instance{{
			Finished: causestest.End.Add(-5 * time.Second), Marks: marks}}}}}
	}
}

func TestAKubeletThatWasStartedAnew(t *testing.T) {
	const id = causes.KubeletRestarted
	run(t, map[string]row{
		"it stopped the pod right after its start": {id, silent, nil, causes.Strong},
		"only events tell of it": {id, silent, func(f *finding.Findings) { f.KubeletLog = false },
			causes.Weak},
		"it stopped the pod minutes later": {id, silent, func(f *finding.Findings) {
			f.NodeEvents.Kubelet = causestest.Yes(-200)
		}, causes.Weak},
		"the pod came back":                     {id, anew, nil, causes.Weak},
		"the pod's object went right behind it": {id, silent, configured("REMOVE", "api"), causes.Weak},
		"another pod's manifest went":           {id, silent, configured("REMOVE", "file"), causes.Strong},
		"the pod's object was changed":          {id, silent, configured("UPDATE", "api"), causes.Strong},
		"another container had ended by itself": {id, silent, beside(nil), causes.Weak},
		"another container was killed, too": {id, silent, beside([]timeline.Occurrence{{At: causestest.End,
			Obs: &evidence.Observation{Fact: evidence.KillStarted{}}}}), causes.Strong},
		"the kill came first": {id, silent, func(f *finding.Findings) { f.NodeEvents.Kubelet = causestest.Yes(20) },
			causestest.Out},
		"no kubelet was started": {id, silent, func(f *finding.Findings) {
			f.NodeEvents.Kubelet = finding.Point{Answer: finding.No}
		}, causestest.Out},
		"nobody knows of a start": {id, silent, func(f *finding.Findings) { f.NodeEvents.Kubelet = finding.Point{} },
			causestest.None},
		"one kubelet made and stopped it": {id, silent, func(f *finding.Findings) { f.Versions.SameProcess = true },
			causestest.Out},
		"its cgroup was missing": {id, anew, func(f *finding.Findings) { f.Cgroup.Missing = causestest.Yes(-4) },
			causestest.Out},
		"its cgroup is elsewhere":         {id, anew, moved("/kubepods/a", "/kubepods/b"), causestest.Out},
		"another cgroup root":             {id, anew, told(evidence.SettingCgroupRoot), causestest.Out},
		"the sandbox was looked at first": {id, anew, looked, causestest.Out},
		"the pod was refused": {id, silent, func(f *finding.Findings) {
			f.End = finding.PodEnd{Point: causestest.Yes(-4), How: evidence.EndRejected}
		}, causestest.Out},
		"it crashed": {id, silent, func(f *finding.Findings) {
			f.Kill, f.Exit.Code, f.Stop = finding.KubeletKill{}, 3, finding.Point{}
		}, causestest.Out},
	})
}

func TestAnotherRuntime(t *testing.T) {
	const id = causes.RuntimeSwitched
	lost := func() *finding.Findings {
		f := causestest.Base(137)
		f.R.To, f.Kill, f.Stop = &timeline.Instance{ID: "new"}, finding.KubeletKill{}, finding.Point{}
		f.Exit.Invented, f.Exit.Reason = true, "ContainerStatusUnknown"
		f.Sandbox = finding.SandboxFate{Changed: causestest.Yes(4), Reason: evidence.SandboxNone}
		f.Switch = finding.Switch{Point: causestest.Yes(2), From: "docker", To: "containerd"}
		return f
	}
	run(t, map[string]row{
		"a lost record decides": {id, lost, nil, causes.Decisive},
		"an end that nobody knows decides": {id, lost, func(f *finding.Findings) { f.Exit = finding.Exit{} },
			causes.Decisive},
		"docker went down first": {id, lost, func(f *finding.Findings) { f.Exit.Invented = false }, causes.Strong},
		"only another runtime that has pods": {id, lost, func(f *finding.Findings) {
			f.Switch = finding.Switch{Left: causestest.Yes(60)}
		}, causes.Weak},
		"one that has pods and a known end": {id, lost, func(f *finding.Findings) {
			f.Switch, f.Exit.Invented = finding.Switch{Left: causestest.Yes(60)}, false
		}, causestest.None},
		"the same runtime before and after": {id, lost, func(f *finding.Findings) {
			f.Switch = finding.Switch{Point: finding.Point{Answer: finding.No}}
		}, causestest.Out},
		"one kubelet saw all of it": {id, lost, func(f *finding.Findings) {
			f.Switch, f.Versions.SameProcess = finding.Switch{Point: finding.Point{Answer: finding.No}}, true
		}, causestest.Out},
		"nobody knows of a runtime": {id, lost, func(f *finding.Findings) { f.Switch = finding.Switch{} }, causestest.None},
		"the kubelet asked its runtime to stop": {id, lost, func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillPod)
		}, causestest.Out},
		"a probe failed": {id, lost, func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness) },
			causestest.Out},
		"the pod kept its sandbox": {id, lost, func(f *finding.Findings) {
			f.Sandbox = finding.SandboxFate{Changed: finding.Point{Answer: finding.No}}
		}, causestest.Out},
		"its runtime reports the loss": {id, lost, func(f *finding.Findings) { f.Exit.Invented, f.Exit.Lost = false, true },
			causestest.Out},
		"somebody stopped it": {id, lost, func(f *finding.Findings) { f.Stop = causestest.Yes(-1) }, causestest.Out},
		"it crashed": {id, lost, func(f *finding.Findings) { f.Exit = finding.Exit{Known: true, Code: 3} },
			causestest.Out},
		"the pod is over": {id, lost, func(f *finding.Findings) { f.R.To, f.End.Point = nil, causestest.Yes(-4) },
			causestest.Out},
		"it did not come back": {id, lost, func(f *finding.Findings) { f.R.To = nil }, causestest.None},
	})
}

// apparent is a container that keeps running after a start of its kubelet.
func apparent(facts ...evidence.Fact) func() *finding.Findings {
	return func() *finding.Findings {
		f := causestest.Base(0)
		f.R.Kind, f.R.Seen, f.Exit, f.Kill = timeline.KindNone, causestest.End, finding.Exit{}, finding.KubeletKill{}
		f.R.From.Records, f.NodeEvents.Kubelet = []string{"e4"}, causestest.Yes(-2)
		f.Versions.At = "v1.30.14"
		for _, fact := range facts {
			f.R.Signs = append(
				f.R.Signs,
				timeline.Occurrence{At: causestest.End, Obs: &evidence.Observation{ID: "e3", Fact: fact}},
			)
		}
		return f
	}
}

func TestWhatOnlyLookedLikeARestart(t *testing.T) {
	const flip, mirror = causes.ReadinessFlip, causes.MirrorPodDeleted
	changed, result, gone := evidence.ReadinessChanged{
		Ready: true,
	}, evidence.ProbeResultChanged{
		Probe: evidence.ProbeReadiness,
	},
		evidence.MirrorPod{
			Change: evidence.MirrorDeleted,
		}
	static := func(f *finding.Findings) { f.R.Pod.Mirror = true }
	failed := func(probe evidence.ProbeType, seconds int) func(*finding.Findings) {
		return func(f *finding.Findings) {
			f.R.From.Marks = append(f.R.From.Marks, timeline.Occurrence{At: causestest.End.Add(evidence.Seconds(seconds)),
				Obs: &evidence.Observation{ID: "e5", Fact: evidence.ProbeFailed{Probe: probe}}})
		}
	}
	run(t, map[string]row{
		"its own probe failed before it":       {flip, apparent(result), failed(evidence.ProbeReadiness, -20), causes.Weak},
		"its own probe failed after the start": {flip, apparent(result), failed(evidence.ProbeReadiness, -1), causes.Weak},
		"its own probe failed when it changed": {flip, apparent(changed), failed(evidence.ProbeReadiness, 1), causes.Weak},
		"its own probe failed long before": {flip, apparent(result), failed(evidence.ProbeReadiness, -600),
			causes.Decisive},
		"it failed long before, with a period as long": {flip, apparent(result), func(f *finding.Findings) {
			f.R.Spec.Readiness = &evidence.Probe{Period: 600}
			failed(evidence.ProbeReadiness, -600)(f)
		}, causes.Weak},
		"the old kubelet saw it unready": {flip, apparent(result), func(f *finding.Findings) {
			f.R.PodMarks = append(f.R.PodMarks, timeline.Occurrence{At: causestest.End.Add(-5 * time.Second),
				Obs: &evidence.Observation{ID: "e7", Fact: result}})
		}, causes.Weak},
		"another container may be unready": {flip, apparent(result), func(f *finding.Findings) {
			f.R.Pod.Containers = append(f.R.Pod.Containers, evidence.Container{Name: "side"})
		}, causes.Strong},
		"another probe failed":          {flip, apparent(result), failed(evidence.ProbeLiveness, -1), causes.Decisive},
		"the sync loop's line decides":  {flip, apparent(result), nil, causes.Decisive},
		"the condition alone is strong": {flip, apparent(changed), nil, causes.Strong},
		"a kubelet that keeps readiness does not": {flip, apparent(result),
			func(f *finding.Findings) { f.Versions.At = "v1.36.3" }, causestest.None},
		"though its condition may change for once": {flip, apparent(changed),
			func(f *finding.Findings) { f.Versions.At = "v1.36.3" }, causes.Weak},
		"no kubelet was started": {flip, apparent(result),
			func(f *finding.Findings) { f.NodeEvents.Kubelet = finding.Point{} }, causestest.None},
		"its mirror changed, its readiness did not": {flip, apparent(gone), static, causestest.Out},
		"a container that ended": {flip, func() *finding.Findings { return causestest.Base(0) },
			nil, causestest.Out},
		"the kubelet's line about the mirror decides": {mirror, apparent(gone), static, causes.Decisive},
		"a mirror that a new kubelet deleted": {mirror, apparent(gone, evidence.MirrorPod{Change: evidence.MirrorOutdated}),
			static, causes.Weak},
		"a mirror that a kubelet deleted long after its start": {mirror,
			apparent(gone, evidence.MirrorPod{Change: evidence.MirrorOutdated}),
			func(f *finding.Findings) { static(f); f.NodeEvents.Kubelet = finding.Point{} }, causes.Decisive},
		"a mirror that is younger is weak":          {mirror, apparent(), static, causes.Weak},
		"a pod of the API has no mirror":            {mirror, apparent(gone), nil, causestest.Out},
		"its readiness changed, its mirror did not": {mirror, apparent(result), static, causestest.Out},
		"a static pod's container that ended": {mirror, func() *finding.Findings { return causestest.Base(3) },
			static, causestest.Out},
	})
	for _, r := range kubelet.Rules() {
		if c := r.Claim(apparent(result)()); r.ID == flip && c.Kind != report.None {
			t.Errorf("a flip is a %q", c.Kind)
		}
		if r.NothingEnded != (r.ID == flip || r.ID == mirror) {
			t.Errorf("%s: NothingEnded is %t", r.ID, r.NothingEnded)
		}
	}
}

// What all pods of a node share has one key: one incident.
func TestPodsOfOneKubeletShareTheirRoot(t *testing.T) {
	for _, base := range []func() *finding.Findings{silent, anew,
		apparent(evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness})} {
		one, two := base(), base()
		two.R.PodUID, two.R.Container, two.Kill.At = "u2", "b", two.Kill.At.Add(7*time.Second)
		for _, r := range kubelet.Rules() {
			a, b := r.Claim(one), r.Claim(two)
			if a == nil || a.Root == nil || r.ID == causes.MirrorPodDeleted {
				continue
			}
			if b == nil || b.Root.Key != a.Root.Key {
				t.Errorf("%s: two roots for one start of a kubelet", r.ID)
			}
		}
	}
}
