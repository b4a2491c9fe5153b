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
