package analyzer

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// noted analyses observations about nodes, without any restart.
func noted(o Options, facts map[string][]evidence.Fact) *report.Report {
	b := evidence.NewBuilder(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC))
	for node, list := range facts {
		for i, f := range list {
			b.Observe(evidence.Observation{Time: time.Date(2026, 11, 21, 7, 0, i, 0, time.UTC),
				Subject: evidence.Subject{Node: node}, Source: evidence.Source{Node: node},
				Fact: f, Text: safetext.Clean(f.Statement())})
		}
	}
	return Analyze(b.Build(), o)
}

var (
	placed = evidence.CgroupPlacement{Path: "/kubepods.slice/p.slice/c.scope",
		Expected: "/kubepods.slice/p.slice", Exists: true, DriverFrom: "tree"}
	inUse = evidence.RuntimeEndpoint{Endpoint: "unix:///c", Name: "containerd",
		Sandboxes: 3, Containers: 5, Used: true, Configured: true}
)

func change[F any](base F, f func(*F)) F {
	f(&base)
	return base
}

func TestWhatIsWrongWithANodeIsSaid(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts []evidence.Fact
		want  []string // text, a part of the hint, …
	}{
		{"nothing", []evidence.Fact{placed, inUse, evidence.UnitState{Unit: "containerd.service",
			Active: "active", KillMode: "process"}, evidence.CheckpointState{Name: "x", Exists: true, Checksum: "ok"},
			evidence.StaticManifest{Path: "/m"}}, nil},
		{"a runtime without SystemdCgroup", []evidence.Fact{placed, change(placed, func(p *evidence.CgroupPlacement) {
			p.Path, p.Outside, p.SpecForm = "/p.slice:cri-containerd:c", true, true
		})},
			[]string{
				"1 of 2 containers run outside their pods' cgroups: /p.slice:cri-containerd:c is not under /kubepods.slice/p.slice",
				"SystemdCgroup = true"}},
		{"a changed driver", []evidence.Fact{change(placed, func(p *evidence.CgroupPlacement) {
			p.Path, p.Outside, p.Exists, p.DriverFrom = "/kubepods/podx/c", true, false, "told"
		})},
			[]string{
				"1 of 1 containers run outside their pods' cgroups, if the kubelet uses the cgroup driver in its configuration: /kubepods/podx/c is not under /kubepods.slice/p.slice", "set the same cgroup driver",
				"1 running pods have no cgroup where this kubelet looks for it, if the kubelet uses the cgroup driver in its configuration: /kubepods.slice/p.slice does not exist", "kills a pod whose cgroup"}},
		{"a scope of nobody", []evidence.Fact{change(placed, func(p *evidence.CgroupPlacement) {
			p.Path, p.Expected, p.Exists, p.Outside = "/system.slice/c.scope", "", false, true
		})},
			[]string{"1 of 1 containers run outside their pods' cgroups: /system.slice/c.scope is not under any pod's cgroup",
				"set the same cgroup driver"}},
		{"a controller without the pod",
			[]evidence.Fact{change(placed, func(p *evidence.CgroupPlacement) { p.Lacking = []string{"cpu", "pids"} }),
				change(placed, func(p *evidence.CgroupPlacement) { p.Lacking = []string{"cpu"} })},
			[]string{
				"1 running pods have no cgroup where this kubelet looks for it: /kubepods.slice/p.slice is missing in cpu, pids",
				"kills a pod"}},
		{"a runtime that was left behind",
			[]evidence.Fact{inUse, evidence.RuntimeEndpoint{Endpoint: "unix:///d",
				Name: "docker", Version: "20.10", Sandboxes: 2, Containers: 4}},
			[]string{
				"docker 20.10 at unix:///d still has 2 pod sandboxes and 4 containers, but the kubelet uses another runtime",
				"does not manage them"}},
		{"two runtimes, and nobody knows which is the kubelet's",
			[]evidence.Fact{change(inUse, func(e *evidence.RuntimeEndpoint) { e.Configured = false }),
				evidence.RuntimeEndpoint{Name: "docker", Sandboxes: 2}}, nil},
		{"a unit that takes its containers along",
			[]evidence.Fact{evidence.UnitState{Unit: "crio.service", Active: "active", KillMode: "control-group"},
				evidence.UnitState{Unit: "kubelet.service", Active: "active", KillMode: "control-group"},
				evidence.UnitState{Unit: "containerd.service", Active: "inactive", KillMode: "mixed"}},
			[]string{"stopping crio.service kills every container: its KillMode is control-group", "KillMode=process"}},
		{"files that stop a kubelet",
			[]evidence.Fact{evidence.CheckpointState{Name: "actuated_pods_state", Exists: true, Checksum: "bad"},
				evidence.CheckpointState{Name: "cpu_manager_state", Exists: true, Problem: safetext.Clean("not JSON at byte 3")},
				evidence.CheckpointState{Name: "gone"}},
			[]string{"the kubelet's checkpoint actuated_pods_state cannot be restored: its checksum is wrong",
				"drain the node", "the kubelet's checkpoint cpu_manager_state cannot be restored: not JSON at byte 3",
				"drain the node"}},
		{"a manifest that is none",
			[]evidence.Fact{evidence.StaticManifest{Path: "/m/etcd.yaml", Problem: safetext.Clean("not a Pod")}},
			[]string{"the manifest /m/etcd.yaml is not a static pod: not a Pod", "skips the file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := noted(Options{}, map[string][]evidence.Fact{"n1": c.facts})
			if len(r.NodeNotes) != len(c.want)/2 {
				t.Fatalf("%+v", r.NodeNotes)
			}
			for i, n := range r.NodeNotes {
				if n.Node != "n1" || n.Text != c.want[2*i] || !strings.Contains(n.Hint, c.want[2*i+1]) {
					t.Errorf("%+v, want %q, %q", n, c.want[2*i], c.want[2*i+1])
				}
				for _, id := range n.Evidence {
					if r.Find(id) == nil {
						t.Errorf("%s is not in the report's evidence", id)
					}
				}
				if len(n.Evidence) == 0 {
					t.Errorf("no evidence for %q", n.Text)
				}
			}
		})
	}
}

func TestNotesAreAboutTheNodesThatWereAskedFor(t *testing.T) {
	bad := []evidence.Fact{evidence.StaticManifest{Path: "/m", Problem: safetext.Clean("not a Pod")}}
	facts := map[string][]evidence.Fact{"n1": bad, "n2": bad}
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"everything":                    {Options{}, "n1 n2"},
		"one node":                      {Options{Nodes: []string{"n2"}}, "n2"},
		"pods, none of which restarted": {Options{Keep: func(string, string, string) bool { return true }}, ""},
		"one cause":                     {Options{Cause: "oom-node"}, ""},
	} {
		var got []string
		for _, n := range noted(c.o, facts).NodeNotes {
			got = append(got, n.Node)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: notes about %q", name, got)
		}
	}
}
