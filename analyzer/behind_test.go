package analyzer_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A package update is behind the restart of its daemon, with its evidence, and changes no verdict.
func TestAnUpdateStandsBehindItsDaemon(t *testing.T) {
	node := evidence.Subject{Node: analyzertest.Node}
	for _, c := range []struct {
		story, pkg string
		at         float64
	}{
		{"an in-place kubelet upgrade", "kubelet", 20},
		{"a pod whose cgroup was missing", "kubelet", 20},
		{"a readiness that flipped", "kubelet", 370},
		{"a pod that a new kubelet stopped", "kubelet", 20},
		{"another container runtime", "containerd.io", 20},
		{"a boot of the node", "linux-image-amd64", 60},
		{"a lost task of a restarted runtime", "containerd.io", 30},
	} {
		found := false
		for _, told := range append(analyzertest.Stories(), misleading()...) {
			if told.Name != c.story {
				continue
			}
			found = true
			plain := judge(told.Story()).Items[0].Verdict
			r := judge(told.Story().Add("packages", c.at, node,
				evidence.PackageChanged{Manager: "dpkg", Action: "upgrade", Package: c.pkg, By: "unattended-upgrade"}))
			v := r.Items[0].Verdict
			if v.Cause != plain.Cause || v.Confidence != plain.Confidence || len(v.Chain) != len(plain.Chain)+1 {
				t.Errorf("%s: %s (%s) with %d links, was %s (%s) with %d", c.story,
					v.Cause, v.Confidence, len(v.Chain), plain.Cause, plain.Confidence, len(plain.Chain))
				continue
			}
			first := v.Chain[0]
			if first.Role != report.RoleBehind || !strings.Contains(first.Text, c.pkg) ||
				len(first.Evidence) != 1 || r.Find(first.Evidence[0]) == nil {
				t.Errorf("%s: the chain begins with %+v", c.story, first)
			}
		}
		if !found {
			t.Errorf("no story %q", c.story)
		}
	}
}

// What only looked like a restart is its own item: filters see it, and it is never confused with the same container's
// later end.
func TestItemsOfWhatWasNoRestart(t *testing.T) {
	flip := func() *analyzertest.Story {
		for _, told := range analyzertest.Stories() {
			if told.Name == "a readiness that flipped" {
				return told.Story()
			}
		}
		return nil
	}
	s := flip().Snapshot()
	for name, c := range map[string]struct {
		change func(*analyzer.Options)
		want   int
	}{
		"as it is":      {func(*analyzer.Options) {}, 1},
		"since before":  {func(o *analyzer.Options) { o.Since = analyzertest.At(300) }, 1},
		"since after":   {func(o *analyzer.Options) { o.Since = analyzertest.At(900) }, 0},
		"its cause":     {func(o *analyzer.Options) { o.Cause = "readiness-flip" }, 1},
		"another cause": {func(o *analyzer.Options) { o.Cause = "mirror-pod-deleted" }, 0},
		"another node":  {func(o *analyzer.Options) { o.Nodes = []string{"n2"} }, 0},
	} {
		o := analyzer.Options{GeneratedAt: analyzertest.At(3600)}
		c.change(&o)
		items := analyzer.Analyze(s, o).Items
		if len(items) != c.want {
			t.Errorf("%s: %d items, want %d", name, len(items), c.want)
		}
		for _, it := range items {
			if it.Kind != report.None || it.To != nil || it.From == nil || it.Time == nil || it.Verdict.Eliminated.Count() < 30 {
				t.Errorf("%s: %+v", name, it)
			}
		}
	}
	later := flip()
	code := int32(3)
	later.Add(evidence.SourceAPI, 1000, evidence.Subject{Namespace: analyzertest.Namespace,
		Pod: analyzertest.PodName, PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.OldID},
		evidence.ContainerRecord{State: evidence.StateExited, Attempt: -1, Last: true,
			Started: analyzertest.At(10), Finished: analyzertest.At(1000), ExitCode: &code, Reason: "Error", RestartCount: -1})
	items := judge(later).Items
	if len(items) != 2 || items[0].ID == items[1].ID || items[0].Kind != report.Death || items[1].Kind != report.None {
		t.Errorf("a flip and a later end: %+v", items)
	}
}
