package incident_test

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/incident"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func item(id, node, cause string, c report.Confidence, at time.Duration) report.Item {
	return report.Item{ID: id, Node: node, Time: report.Time(t0.Add(at)), Verdict: report.Verdict{Cause: cause, Confidence: c}}
}

func TestRestartsOfOneRootBecomeAnIncident(t *testing.T) {
	root := &causes.Root{Key: "v1.36.3", At: t0, Summary: "the kubelet of n1 was changed"}
	items := []report.Item{
		item("r1", "n1", "hash-kubelet-upgrade", report.Proven, 3*time.Second),
		item("r2", "n1", "hash-kubelet-upgrade", report.Likely, 9*time.Second),
		item("r3", "n2", "hash-kubelet-upgrade", report.Proven, time.Second),
		item("r4", "n1", "hash-kubelet-upgrade", report.Possible, time.Second),
		item("r5", "n1", "app-exit-error", report.Proven, time.Second),
	}
	got := incident.Group(items, []*causes.Root{root, root, root, root, nil})
	if len(got) != 1 {
		t.Fatalf("%d incidents, want the one of n1: %+v", len(got), got)
	}
	in := got[0]
	if len(in.Items) != 2 || in.Items[0] != "r1" || in.Items[1] != "r2" || in.Node != "n1" {
		t.Errorf("members: %+v (another node, a guess and another cause do not belong)", in)
	}
	if !in.Start.Equal(t0) || !in.End.Equal(t0.Add(9*time.Second)) {
		t.Errorf("from %v to %v: want from the root to the last end", in.Start, in.End)
	}
	if in.Summary != "the kubelet of n1 was changed: 2 containers" {
		t.Errorf("summary %q", in.Summary)
	}
	for i, want := range []string{in.ID, in.ID, "", "", ""} {
		if items[i].Incident != want {
			t.Errorf("item %s is in %q", items[i].ID, items[i].Incident)
		}
	}
}

func TestOneRestartIsNoIncidentAndTheNewestComesFirst(t *testing.T) {
	a, b := &causes.Root{Key: "a", At: t0}, &causes.Root{Key: "b", At: t0.Add(time.Hour)}
	items := []report.Item{
		item("r1", "n1", "oom-node", report.Proven, 0), item("r2", "n1", "oom-node", report.Proven, 0),
		item("r3", "n1", "oom-node", report.Proven, time.Hour), item("r4", "n1", "oom-node", report.Proven, time.Hour),
		item("r5", "n1", "node-reboot", report.Proven, time.Hour),
	}
	got := incident.Group(items, []*causes.Root{a, a, b, b, {Key: "c"}})
	if len(got) != 2 || got[0].Items[0] != "r3" || got[0].ID == got[1].ID {
		t.Errorf("%+v", got)
	}
}
