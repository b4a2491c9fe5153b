package incident_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/incident"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func item(id, node, cause string, c report.Confidence, at time.Duration) report.Item {
	return report.Item{ID: id, Node: node, Namespace: "shop", Pod: "web-" + id,
		PodUID: "u-" + id, Container: "a", Time: report.Time(t0.Add(at)),
		Verdict: report.Verdict{Cause: cause, Confidence: c}}
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
	if in.Summary != "the kubelet of n1 was changed: 2 containers of 2 pods" {
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

// base is a rollout: the kubelets of three nodes within twenty minutes each.
func base() ([]report.Item, []*causes.Root) {
	var items []report.Item
	var roots []*causes.Root
	for n, node := range []string{"n3", "n1", "n2"} {
		root := &causes.Root{Key: "v1.36.3 at " + node, At: t0.Add(time.Duration(n) * 20 * time.Minute),
			Summary: "the kubelet of " + node + " was changed", Kind: "the kubelet was changed", Apart: time.Hour}
		for i := range 2 - n%2 {
			items = append(items, item(fmt.Sprintf("%s%d", node, i), node, "hash-kubelet-upgrade",
				report.Proven, time.Duration(n)*20*time.Minute+time.Second))
			roots = append(roots, root)
		}
	}
	return items, roots
}

func TestOneRootOverSeveralNodesIsOneIncident(t *testing.T) {
	cases := map[string]struct {
		change    func(items []report.Item, roots []*causes.Root)
		incidents int
		nodes     []string // of the incident that ends last
		parts     int
		summary   string
	}{
		"a rollout": {nil, 1, []string{"n1", "n2", "n3"}, 3,
			"the kubelet was changed on 3 nodes (n1, n2, n3), one after the other within 40 min: 5 containers of 5 pods"},
		"a root that is its node's own": {func(_ []report.Item, roots []*causes.Root) {
			for _, r := range roots {
				r.Kind = ""
			}
		}, 2, []string{"n2"}, 0, "the kubelet of n2 was changed: 2 containers of 2 pods"},
		"a node that comes much later": {func(items []report.Item, roots []*causes.Root) {
			for i := range items[3:] {
				items[3+i].Time = report.Time(t0.Add(9 * time.Hour))
			}
			roots[3].At = t0.Add(9 * time.Hour)
		}, 2, []string{"n2"}, 0, "the kubelet of n2 was changed: 2 containers of 2 pods"},
		"another cause on one node": {func(items []report.Item, _ []*causes.Root) {
			items[2].Verdict.Cause = "oom-node"
		}, 1, []string{"n2", "n3"}, 2,
			"the kubelet was changed on 2 nodes (n2, n3), one after the other within 40 min: 4 containers of 4 pods"},
		"a guess on one node": {func(items []report.Item, _ []*causes.Root) {
			items[2].Verdict.Confidence = report.Possible
		}, 1, []string{"n2", "n3"}, 2, "the kubelet was changed on 2 nodes (n2, n3), one after the other within 40 min: 4 containers of 4 pods"},
		"one container that restarted twice": {func(items []report.Item, _ []*causes.Root) {
			items[1].Pod, items[1].PodUID = items[0].Pod, items[0].PodUID
		}, 1, []string{"n1", "n2", "n3"}, 3,
			"the kubelet was changed on 3 nodes (n1, n2, n3), one after the other within 40 min: 4 containers of 4 pods, 5 restarts"},
		"two containers of a pod": {func(items []report.Item, _ []*causes.Root) {
			items[1].Pod, items[1].PodUID, items[1].Container = items[0].Pod, items[0].PodUID, "b"
		}, 1, []string{"n1", "n2", "n3"}, 3,
			"the kubelet was changed on 3 nodes (n1, n2, n3), one after the other within 40 min: 5 containers of 4 pods"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			items, roots := base()
			if c.change != nil {
				c.change(items, roots)
			}
			got := incident.Group(items, roots)
			if len(got) != c.incidents {
				t.Fatalf("%d incidents, want %d: %+v", len(got), c.incidents, got)
			}
			in := got[0]
			if !slices.Equal(in.Nodes, c.nodes) || len(in.Parts) != c.parts || in.Summary != c.summary {
				t.Errorf("over %v in %d parts: %q, want %v, %d, %q", in.Nodes, len(in.Parts),
					in.Summary, c.nodes, c.parts, c.summary)
			}
			if (in.Node == "") != (len(in.Nodes) > 1) {
				t.Errorf("node %q of %v", in.Node, in.Nodes)
			}
			sum := 0
			for _, p := range in.Parts {
				sum += len(p.Items)
			}
			if c.parts > 0 && sum != len(in.Items) {
				t.Errorf("the parts have %d items, the whole %d", sum, len(in.Items))
			}
			for _, it := range items {
				if member := slices.Contains(in.Items, it.ID); member && it.Incident != in.ID {
					t.Errorf("item %s is in %q, not in %q", it.ID, it.Incident, in.ID)
				}
			}
		})
	}
}

func TestTheIncidentIsTheSameWhateverTheOrder(t *testing.T) {
	items, roots := base()
	want := incident.Group(items, roots)
	items, roots = base()
	slices.Reverse(items)
	slices.Reverse(roots)
	if diff := cmp.Diff(want, incident.Group(items, roots)); diff != "" {
		t.Error(diff)
	}
}

func TestRestartsOfOneNodeThatRepeatAreNotAWave(t *testing.T) {
	var items []report.Item
	var roots []*causes.Root
	for i := range 4 {
		at := time.Duration(i/2) * 5 * time.Minute
		items = append(items, item(fmt.Sprint("r", i), "n1", "runtime-restarted", report.Likely, at))
		roots = append(roots, &causes.Root{Key: fmt.Sprint(at), At: t0.Add(at),
			Summary: "restarted", Kind: "the container runtime restarted"})
	}
	got := incident.Group(items, roots)
	if len(got) != 2 || len(got[0].Parts) > 0 || got[0].Node != "n1" {
		t.Errorf("two restarts of one runtime: %+v", got)
	}
}

func TestManyNodesAreCountedAndNotAllNamed(t *testing.T) {
	var items []report.Item
	var roots []*causes.Root
	for n := range 12 {
		node := fmt.Sprintf("n%02d", n)
		items = append(items, item("r"+node, node, "node-reboot", report.Likely, time.Second))
		roots = append(roots, &causes.Root{Key: node, At: t0, Summary: node + " booted", Kind: "the node rebooted"})
	}
	got := incident.Group(items, roots)
	if len(got) != 1 ||
		got[0].Summary != "the node rebooted on 12 nodes (n00, n01, n02 and 9 more): 12 containers of 12 pods" {
		t.Errorf("%+v", got)
	}
}
