package signs

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestKubeletAndRuntimeAreRestartedTogether(t *testing.T) {
	start := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)
	stopped := func(unit string, at time.Time) timeline.Occurrence {
		return timeline.Occurrence{At: at, Obs: &evidence.Observation{Time: at,
			Fact: evidence.UnitChanged{Unit: unit, Change: "stopping"}}}
	}
	for name, c := range map[string]struct {
		mutate func(*finding.Findings)
		want   bool
	}{
		"k3s by its unit": {func(*finding.Findings) {}, true},
		"rke2 by its version": {func(f *finding.Findings) {
			f.Node.AdminActions, f.Versions.At = nil, "v1.30.2+rke2r1"
		}, true},
		"a kubelet of its own": {func(f *finding.Findings) {
			f.Node.AdminActions = []timeline.Occurrence{stopped("kubelet.service", start)}
		}, false},
		"long before": {func(f *finding.Findings) {
			f.Node.AdminActions = []timeline.Occurrence{stopped("k3s.service", start.Add(-time.Hour))}
		}, false},
		"no kubelet started":     {func(f *finding.Findings) { f.NodeEvents.Kubelet.Answer = finding.No }, false},
		"the sandbox stayed":     {func(f *finding.Findings) { f.Sandbox.Changed.Answer = finding.No }, false},
		"the machine was booted": {func(f *finding.Findings) { f.NodeEvents.Boot.Answer = finding.Yes }, false},
	} {
		f := &finding.Findings{}
		f.Node = &timeline.NodeStory{AdminActions: []timeline.Occurrence{stopped("k3s.service", start.Add(-2*time.Second))}}
		f.NodeEvents.Kubelet = finding.Point{Answer: finding.Yes, At: start}
		f.Sandbox.Changed.Answer = finding.Yes
		c.mutate(f)
		if got := BothRestarted(f); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

func TestAMachineIsTakenDown(t *testing.T) {
	end, reboot := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC), evidence.PowerChange{Change: "reboot"}
	asked := func(at time.Time, f evidence.Fact) []timeline.Occurrence {
		return []timeline.Occurrence{{At: at, Obs: &evidence.Observation{Time: at, Fact: f}}}
	}
	at := func(at time.Time) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Node.AdminActions = asked(at, reboot) }
	}
	for name, c := range map[string]struct {
		mutate func(*finding.Findings)
		want   bool
	}{
		"right before": {func(*finding.Findings) {}, true},
		"another node": {func(f *finding.Findings) { f.Node = &timeline.NodeStory{} }, false},
		"no node is known": {func(f *finding.Findings) {
			f.T.Nodes, f.Node = map[string]*timeline.NodeStory{"n1": f.Node}, nil
		}, true},
		"after the end":       {at(end.Add(time.Minute)), false},
		"long before":         {at(end.Add(-time.Hour)), false},
		"an end without time": {func(f *finding.Findings) { f.R.From.Finished = time.Time{} }, false},
		"a runtime that stops": {func(f *finding.Findings) {
			f.Node.AdminActions = asked(end, evidence.RuntimeStopping{})
		}, false},
	} {
		f := &finding.Findings{}
		f.T, f.R = &timeline.History{}, &timeline.Restart{From: &timeline.Instance{Finished: end}}
		f.Node = &timeline.NodeStory{AdminActions: asked(end.Add(-3*time.Second), reboot)}
		c.mutate(f)
		if got := GoingDown(f); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// What a machine says of its processes counts for a pod of that machine, a fault only for a program that is called like
// the pod.
func TestWhatEndedBesideAPod(t *testing.T) {
	seen := func(f evidence.Fact) []timeline.Occurrence {
		return []timeline.Occurrence{{Obs: &evidence.Observation{Fact: f}}}
	}
	for name, c := range map[string]struct {
		mutate       func(*finding.Findings)
		fault, short bool
	}{
		"the only node":    {func(*finding.Findings) {}, true, true},
		"the pod's node":   {func(f *finding.Findings) { f.R.Node, f.Node = "n1", f.T.Nodes["n1"] }, true, true},
		"another node":     {func(f *finding.Findings) { f.R.Node = "n2" }, false, false},
		"one of two nodes": {func(f *finding.Findings) { f.T.Nodes["n2"] = &timeline.NodeStory{} }, false, false},
		"another program": {func(f *finding.Findings) {
			f.T.Nodes["n1"].Faults = seen(evidence.Segfault{Task: "cupsd"})
		}, false, true},
	} {
		f := &finding.Findings{}
		f.R = &timeline.Restart{PodUID: evidence.Row + "1", PodName: "web-0", From: &timeline.Instance{}}
		f.T = &timeline.History{Nodes: map[string]*timeline.NodeStory{"n1": {
			Faults: seen(evidence.Segfault{Task: "web"}), Shortages: seen(evidence.SystemOOM{})}}}
		c.mutate(f)
		if fault, short := FaultBeside(f), ShortBeside(f); fault != c.fault || short != c.short {
			t.Errorf("%s: %t, %t", name, fault, short)
		}
	}
}
