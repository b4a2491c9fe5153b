package sandbox_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/sandbox"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var reasons = map[causes.ID]evidence.SandboxReason{
	causes.SandboxMissing: evidence.SandboxNone, causes.SandboxMultipleReady: evidence.SandboxMultiple,
	causes.SandboxNetworkChanged: evidence.SandboxNetwork, causes.SandboxNoIP: evidence.SandboxNoIP,
	causes.SandboxDied: evidence.SandboxNotReady,
}

// anew is a static pod that was recreated for a reason.
func anew(reason evidence.SandboxReason) *finding.Findings {
	f := causestest.Base(143)
	causestest.Killed(f, evidence.KillPod)
	f.R.To, f.R.Pod.Mirror = &timeline.Instance{ID: "new"}, true
	f.Sandbox = finding.SandboxFate{Changed: causestest.Yes(-4), Reason: reason}
	if reason == evidence.SandboxNotReady {
		f.Sandbox.DiedFirst, f.Sandbox.Certain = causestest.Yes(-5), true
	}
	return f
}

func TestEachConditionIsItsOwn(t *testing.T) {
	for id, reason := range reasons {
		for other := range reasons {
			want := causestest.Out
			if other == id {
				want = causes.Decisive
			}
			if got := causestest.Says(t, sandbox.Rules(), other, anew(reason)); got != want {
				t.Errorf("%s when the kubelet says %s: %v, want %v", other, reason, got, want)
			}
		}
	}
}

func TestWhatRulesASandboxCauseOut(t *testing.T) {
	for id, reason := range reasons {
		died := id == causes.SandboxDied
		for name, c := range map[string]struct {
			change func(*finding.Findings)
			want   causes.Strength
		}{
			"the kubelet stopped nothing": {func(f *finding.Findings) { f.Kill.Point = finding.Point{Answer: finding.No} },
				causestest.Out},
			"the node rebooted":    {func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(-9) }, causestest.Out},
			"killed for its probe": {func(f *finding.Findings) { f.Kill.Reason = evidence.KillLiveness }, causestest.Out},
			"the pod kept its sandbox": {func(f *finding.Findings) {
				f.Sandbox = finding.SandboxFate{Changed: finding.Point{Answer: finding.No}}
			}, causestest.Out},
			"the pod was over": {func(f *finding.Findings) {
				f.R.To, f.End.Point, f.Sandbox = nil, causestest.Yes(-9), finding.SandboxFate{}
			}, causestest.Out},
		} {
			f := anew(reason)
			c.change(f)
			if got := causestest.Says(t, sandbox.Rules(), id, f); got != c.want {
				t.Errorf("%s, %s: %v, want %v", id, name, got, c.want)
			}
		}
		f := anew(reason)
		f.Sandbox.Reason = ""
		f.Sandbox.DiedFirst = finding.Point{}
		want := causestest.None
		if died {
			want = causes.Weak
		}
		if got := causestest.Says(t, sandbox.Rules(), id, f); got != want {
			t.Errorf("%s, the reason is not known: %v, want %v", id, got, want)
		}
		f.Sandbox.DiedFirst, f.Sandbox.Certain = causestest.Yes(-5), true
		want = causestest.Out
		if died {
			want = causes.Decisive
		}
		if got := causestest.Says(t, sandbox.Rules(), id, f); got != want {
			t.Errorf("%s, the sandbox died first: %v, want %v", id, got, want)
		}
		f = anew(reason)
		f.Exit.Lost = true
		if got := causestest.Says(t, sandbox.Rules(), id, f); got == causes.Decisive {
			t.Errorf("%s is decisive although the runtime lost the container", id)
		}
	}
	for id, reason := range reasons {
		for name, c := range map[string]struct {
			change func(*finding.Findings)
			want   causes.Strength
		}{
			"the kubelet had killed the pod first": {func(f *finding.Findings) {
				f.Sandbox.KilledFirst, f.Sandbox.DiedFirst = causestest.Yes(-6), finding.Point{}
			}, causestest.Out},
			"its processes ran astray": {func(f *finding.Findings) { f.Cgroup.Outside = causestest.Yes(60) },
				map[bool]causes.Strength{true: causes.Weak, false: causes.Decisive}[id == causes.SandboxDied]},
			"systemd had begun to stop its slice": {func(f *finding.Findings) { f.UnitStop = causestest.Yes(-9) },
				map[bool]causes.Strength{true: causestest.Out, false: causes.Decisive}[id == causes.SandboxDied]},
			"another runtime": {func(f *finding.Findings) {
				f.Switch = finding.Switch{Point: causestest.Yes(-6), From: "docker", To: "containerd"}
			}, map[bool]causes.Strength{true: causes.Decisive, false: causestest.Out}[id == causes.SandboxDied]},
		} {
			f := anew(reason)
			c.change(f)
			if got := causestest.Says(t, sandbox.Rules(), id, f); got != c.want {
				t.Errorf("%s, %s: %v, want %v", id, name, got, c.want)
			}
		}
	}
	f := anew(evidence.SandboxNetwork)
	f.R.Pod.Mirror, f.Sandbox.Reason = false, ""
	if got := causestest.Says(t, sandbox.Rules(), causes.SandboxNetworkChanged, f); got != causestest.Out {
		t.Errorf("hostNetwork of an ordinary pod changed: %v", got)
	}
}

// allAgain is a pod of two containers that ended together, and whose init containers ran again at once; nothing else is
// known of its sandbox.
func allAgain() *finding.Findings {
	f := causestest.Base(143)
	f.Kill.Point, f.KubeletLog, f.Sandbox = finding.Point{}, false, finding.SandboxFate{}
	f.R.To = &timeline.Instance{ID: "new"}
	f.R.Pod.Containers = append(f.R.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp})
	f.R.Siblings = []*timeline.Restart{{Container: "b"}}
	f.InitAgain = causestest.Yes(3)
	return f
}

func TestInitContainersThatRanAgainPointToTheSandbox(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   causes.Strength
	}{
		"all of them at once":       {func(*finding.Findings) {}, causes.Weak},
		"a while later":             {func(f *finding.Findings) { f.InitAgain = causestest.Yes(30) }, causestest.None},
		"one container did not end": {func(f *finding.Findings) { f.R.Siblings = nil }, causestest.None},
		"a lone container": {func(f *finding.Findings) { f.R.Pod.Containers = f.R.Pod.Containers[:1] },
			causestest.None},
		"the pod is known to keep its sandbox": {func(f *finding.Findings) { f.Sandbox.Changed.Answer = finding.No },
			causestest.Out},
		"the kubelet names a reason of its own": {func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness) },
			causestest.Out},
		"events reach back and do not say it": {func(f *finding.Findings) { f.Sandbox.Changed.Answer = finding.NoTrace },
			causes.Weak},
		"the init containers did not run again": {func(f *finding.Findings) { f.InitAgain = finding.Point{} },
			causestest.None},
		"the pod is not known, so nobody can say": {func(f *finding.Findings) { f.R.Pod = nil }, causestest.None},
	} {
		f := allAgain()
		c.change(f)
		if got := causestest.Says(t, sandbox.Rules(), causes.SandboxDied, f); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The pod's condition names the problem of its sandbox while nothing runs: weaker than the kubelet's own line, and it
// contradicts nothing.
func TestWhatTheConditionSays(t *testing.T) {
	for id, reason := range reasons {
		for other := range reasons {
			f := causestest.Base(137)
			f.R.To, f.R.Pod.Mirror, f.Kill.Point = nil, true, finding.Point{}
			f.Sandbox = finding.SandboxFate{Unready: causestest.Yes(1), Wrong: reason}
			want := causestest.None
			switch {
			case other != id:
			case reason == evidence.SandboxNone, reason == evidence.SandboxNotReady:
				want = causes.Weak
			default:
				want = causes.Strong
			}
			if got := causestest.Says(t, sandbox.Rules(), other, f); got != want {
				t.Errorf("%s when the condition says %s: %v, want %v", other, reason, got, want)
			}
		}
	}
}
