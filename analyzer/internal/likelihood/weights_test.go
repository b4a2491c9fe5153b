package likelihood

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Which of two causes leads where both have evidence of the same strength.
func TestWhichOfTwoClaimsLeads(t *testing.T) {
	unseen := func(f *finding.Findings) { f.NodeEvents.Kubelet = finding.Point{} }
	for name, c := range map[string]struct {
		code           int32
		change         func(*finding.Findings)
		leads, behind  causes.ID
		strength       causes.Strength
		alike, certain bool
	}{
		"a resize, and no new kubelet": {code: 143, change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillResize)
			unseen(f)
		}, leads: causes.ResizeRestart, behind: causes.ResizeRecordMissing, strength: causes.Strong},
		"a resize by a new kubelet": {code: 143, change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillResize)
			f.NodeEvents.Kubelet = causestest.Yes(-60)
		}, leads: causes.ResizeRestart, behind: causes.ResizeRecordMissing, strength: causes.Strong, alike: true},
		"killed for memory, with a limit in the runtime's record": {code: 137, change: func(f *finding.Findings) {
			f.R.Spec, f.R.Pod, f.OOM.Label, f.R.From.MemoryLimit = nil, nil, true, 256<<20
		}, leads: causes.OOMContainerLimit, behind: causes.OOMNode, strength: causes.Weak, certain: true},
		"killed for its definition at the moment of its end": {code: 2, change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillDefinition)
			f.Kill.Close = true
		}, leads: causes.HashKubeletUpgrade, behind: causes.AppExitError, strength: causes.Weak},
		"an init container's code": {code: 1, change: func(f *finding.Findings) {
			f.R.ContainerKind, f.R.Spec, f.R.To = evidence.KindInit, nil, nil
		}, leads: causes.InitContainerFailed, behind: causes.LivenessProbeFailed, strength: causes.Weak},
		"an init container's fault": {code: 139, change: func(f *finding.Findings) {
			f.R.ContainerKind, f.R.Spec, f.R.To = evidence.KindInit, nil, nil
		}, leads: causes.InitContainerFailed, behind: causes.LivenessProbeFailed, strength: causes.Weak, certain: true},
		"a record that is gone, of a pod that failed": {code: 137, change: func(f *finding.Findings) {
			f.Exit.Invented, f.R.To, f.R.Pod.Phase = true, nil, "Failed"
		}, leads: causes.EvictedDisk, behind: causes.NodeReboot, strength: causes.Weak},
	} {
		f := causestest.Base(c.code)
		c.change(f)
		var o Odds
		o.Weigh(f)
		first, second := o.Weight(c.leads, c.strength), o.Weight(c.behind, c.strength)
		if c.alike && first != second || !c.alike && first < 3*second || c.certain && first < 8*second {
			t.Errorf("%s: %s %.1f, %s %.1f", name, c.leads, first, c.behind, second)
		}
	}
}

// A kill in the second of the end is the end's reason, unless what ended the process may have been the kill's.
func TestTheFormOfAnEndAtTheMomentOfAKill(t *testing.T) {
	for reason, want := range map[evidence.KillReason]Look{
		evidence.KillDefinition: Replaced, evidence.KillPod: TakenDown, evidence.KillResize: Stopped,
		evidence.KillLiveness: Code, evidence.KillStartup: Code, evidence.KillPostStart: Code,
	} {
		f := causestest.Base(2)
		causestest.Killed(f, reason)
		f.Kill.Close = true
		if got := LookOf(f); got != want {
			t.Errorf("%s: %s, want %s", reason, got, want)
		}
	}
}

// No kill ends with the signal of a fault: a stop of the pod in the same second, for nothing that is known, need not be
// its reason.
func TestTheFormOfAFaultAtTheMomentOfAStop(t *testing.T) {
	for name, c := range map[string]struct {
		code   int32
		change func(*finding.Findings)
		want   Look
	}{
		"a fault": {139, func(*finding.Findings) {}, Fault},
		"a code":  {2, func(*finding.Findings) {}, TakenDown},
		"a fault, and a new sandbox": {139, func(f *finding.Findings) {
			f.Sandbox.Changed.Answer = finding.Yes
		}, TakenDown},
		"a fault, and the pod ended":   {139, func(f *finding.Findings) { f.End.Answer = finding.Yes }, TakenDown},
		"a fault well behind a stop":   {139, func(f *finding.Findings) { f.Kill.Close = false }, TakenDown},
		"a fault, and a stated reason": {139, func(f *finding.Findings) { f.Kill.Reason = evidence.KillResize }, Stopped},
	} {
		f := causestest.Base(c.code)
		causestest.Killed(f, evidence.KillPod)
		f.Kill.Close = true
		c.change(f)
		if got := LookOf(f); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What a text says of a pod is not of another one of that name.
func TestWhatATextSaysIsOfItsPod(t *testing.T) {
	f := causestest.Base(1)
	f.R.Namespace, f.R.PodName = "shop", "cart-0"
	for of, want := range map[timeline.PodName]string{
		{Namespace: "shop", Pod: "cart-0"}:            "x",
		{Namespace: "default", Pod: "cart-0"}:         "x",
		{Namespace: "other", Pod: "cart-0"}:           "",
		{Namespace: "default", Pod: evidence.Unnamed}: "x",
	} {
		f.T = &timeline.History{Said: map[timeline.PodName]string{of: "x"}}
		if got := said(f); got != want {
			t.Errorf("%v: %q, want %q", of, got, want)
		}
	}
}
