package state_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/state"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAnEndThatTheKubeletMadeUp(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   causes.Strength
	}{
		"nothing explains it":   {func(*finding.Findings) {}, causes.Strong},
		"known from a row":      {func(f *finding.Findings) { f.R.Pod.UID = evidence.Row + "shop/web-0" }, causes.Weak},
		"the pod was evicted":   {func(f *finding.Findings) { f.End.Point = causestest.Yes(-5) }, causestest.Out},
		"the node rebooted":     {func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(-5) }, causestest.Out},
		"the runtime came back": {func(f *finding.Findings) { f.NodeEvents.Runtime = causestest.Yes(-5) }, causestest.None},
		"a code of a process": {func(f *finding.Findings) {
			f.Exit = finding.Exit{Known: true, Code: 137, Reason: "Error"}
		}, causestest.Out},
		"another made-up state":  {func(f *finding.Findings) { f.Exit.Reason = "RestartingAllContainers" }, causestest.Out},
		"nothing is known of it": {func(f *finding.Findings) { f.Exit = finding.Exit{} }, causestest.None},
		"killed, how is not known": {func(f *finding.Findings) {
			f.Exit = finding.Exit{}
			causestest.Killed(f, evidence.KillLiveness)
		}, causestest.Out},
	} {
		f := causestest.Base(137)
		f.Exit = finding.Exit{Known: true, Code: 137, Reason: "ContainerStatusUnknown",
			Invented: true, Evidence: []string{"e1"}}
		c.change(f)
		if got := causestest.Says(t, state.Rules(), causes.ContainerStatusUnknown, f); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestAStateThatTheRuntimeDidNotKnow(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   causes.Strength
	}{
		"the kubelet says so":  {func(*finding.Findings) {}, causes.Decisive},
		"after a boot":         {func(f *finding.Findings) { f.NodeEvents.Boot = causestest.Yes(-5) }, causestest.Out},
		"killed for its probe": {func(f *finding.Findings) { f.Kill.Reason = evidence.KillLiveness }, causestest.Out},
		"nobody says so, no kill": {func(f *finding.Findings) {
			f.UnknownState, f.Kill = finding.Point{}, finding.KubeletKill{Point: finding.Point{Answer: finding.No}}
		}, causestest.Out},
		"nobody says so, a kill": {func(f *finding.Findings) { f.UnknownState = finding.Point{} }, causestest.None},
		"its hook had failed": {func(f *finding.Findings) { f.UnknownState, f.Hook = finding.Point{}, causestest.Yes(-5) },
			causestest.Out},
		"its own exit code": {func(f *finding.Findings) {
			f.UnknownState, f.Exit.Code = finding.Point{}, 3
		}, causestest.Out},
		"killed for its sandbox": {func(f *finding.Findings) {
			f.UnknownState, f.Kill.Reason, f.Sandbox.Changed = finding.Point{}, evidence.KillPod, causestest.Yes(0)
		}, causestest.Out},
		"killed with its pod": {func(f *finding.Findings) {
			f.UnknownState, f.End.Point = finding.Point{}, causestest.Yes(-5)
		}, causestest.Out},
		"the kernel, for memory": {func(f *finding.Findings) {
			f.UnknownState, f.Kill, f.OOM.Point = finding.Point{}, finding.KubeletKill{}, causestest.Yes(0)
		}, causestest.Out},
	} {
		f := causestest.Base(137)
		causestest.Killed(f, "")
		f.UnknownState = causestest.Yes(-4)
		c.change(f)
		if got := causestest.Says(t, state.Rules(), causes.ContainerUnknownState, f); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A switch of the runtime explains a record that went with the old one.
func TestALostRecordAfterASwitchOfTheRuntime(t *testing.T) {
	f := causestest.Base(137)
	f.Exit.Invented, f.Exit.Reason, f.Kill = true, "ContainerStatusUnknown", finding.KubeletKill{}
	if got := causestest.Says(t, state.Rules(), causes.ContainerStatusUnknown, f); got != causes.Strong {
		t.Fatalf("a lost record: %v", got)
	}
	f.Switch = finding.Switch{Point: causestest.Yes(2), From: "docker", To: "containerd"}
	if got := causestest.Says(t, state.Rules(), causes.ContainerStatusUnknown, f); got != causestest.Out {
		t.Errorf("a lost record after a switch: %v", got)
	}
}

// What appears only in chains does appear there.
func TestWhatChainsTell(t *testing.T) {
	f := causestest.Base(143)
	f.OOM.Label = true
	if s := causes.EndStep(f); s.Cause != causes.OOMLabelStale {
		t.Errorf("143 under the label OOMKilled: %+v", s)
	}
	f.Exit.Code = 137
	if s := causes.EndStep(f); s.Cause != "" {
		t.Errorf("137 under the label OOMKilled: %+v", s)
	}
	f.R.Waiting = timeline.Waiting{Reason: "CrashLoopBackOff", Message: "back-off 40s", Evidence: []string{"e4"}}
	if s := causes.Then(f); s.Cause != causes.BackoffWaiting || len(s.Evidence) != 1 {
		t.Errorf("a container that waits: %+v", s)
	}
	f.R.Waiting = timeline.Waiting{Reason: "CreateContainerError", Message: "no"}
	if s := causes.Then(f); s.Cause != "" || s.Text != "not restarted: CreateContainerError: no" {
		t.Errorf("a container that can't be created: %+v", s)
	}
	for _, told := range state.Told() {
		if page, _ := told.Page(); page == "" || told.Claim != nil {
			t.Errorf("%s: page of %d bytes", told.ID, len(page))
		}
	}
}
