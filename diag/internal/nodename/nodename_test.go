package nodename

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAHostIsItsNode(t *testing.T) {
	const (
		full, short = "n1.zone.example", "n1"
		uid, other  = "pod-1", "pod-2"
	)
	t0 := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	cover := func(node string, o *evidence.Origin) evidence.Coverage {
		return evidence.Coverage{Source: evidence.SourceKubeletLog, Node: node, From: t0, Until: t0.Add(time.Hour), Origin: o}
	}
	about := func(s evidence.Subject) func(*evidence.Snapshot) {
		return func(x *evidence.Snapshot) {
			x.Observations = append(x.Observations, evidence.Observation{Time: t0, Subject: s, Fact: evidence.ContainerStarted{},
				Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: short}})
		}
	}
	from := func(o evidence.Origin) func(*evidence.Snapshot) {
		return func(x *evidence.Snapshot) { x.Coverage[0].Origin = &o }
	}
	bare := func(name string) func(*evidence.Snapshot) { // as a text describes it
		return func(x *evidence.Snapshot) {
			x.Pods = append(x.Pods, evidence.Pod{Namespace: "s", Name: name, Node: full})
		}
	}
	type changes []func(*evidence.Snapshot)
	mine := about(evidence.Subject{PodUID: uid})
	for name, c := range map[string]struct {
		change changes
		joined bool
	}{
		"its log names a pod of the node by UID":   {changes{mine}, true},
		"its log names one by name":                {changes{about(evidence.Subject{Namespace: "s", Pod: "a"})}, true},
		"its log names none, and a pod has no UID": {changes{about(evidence.Subject{}), bare("c")}, false},
		"its log gives that name another UID": {changes{about(evidence.Subject{Namespace: "s", Pod: "a"}),
			about(evidence.Subject{Namespace: "s", Pod: "a", PodUID: "pod-9"})}, false},
		"its log also tells of a former pod of that name": {changes{mine, about(evidence.Subject{Namespace: "s", Pod: "a"}),
			about(evidence.Subject{Namespace: "s", Pod: "a", PodUID: "pod-9"})}, true},
		"its log gives another name a UID of its own": {changes{about(evidence.Subject{Namespace: "s", Pod: "a"}),
			about(evidence.Subject{Namespace: "s", Pod: "z", PodUID: "pod-9"})}, true},
		"its log names one whose UID is not known": {changes{bare("c"), about(evidence.Subject{Namespace: "s", Pod: "c"}),
			about(evidence.Subject{Namespace: "s", Pod: "c", PodUID: "pod-9"})}, true},
		"its log is of the node's machine":    {changes{from(evidence.Origin{Machine: "m1"})}, true},
		"its log is of the node's boot":       {changes{from(evidence.Origin{Boot: "b1"})}, true},
		"its log is of an earlier boot":       {changes{mine, from(evidence.Origin{Boot: "b0"})}, true},
		"its log is of another machine":       {changes{mine, from(evidence.Origin{Machine: "m2"})}, false},
		"nothing says that it is the node":    {nil, false},
		"it also names a pod of another node": {changes{mine, about(evidence.Subject{PodUID: other})}, false},
		"the host's own files are of another boot": {changes{mine, func(x *evidence.Snapshot) {
			x.Nodes = append(x.Nodes, evidence.Node{Name: short, HostBoot: "b2"})
		}}, false},
		"the host's own files are of the node's boot": {changes{func(x *evidence.Snapshot) {
			x.Nodes = append(x.Nodes, evidence.Node{Name: short, HostBoot: "b1"})
		}}, true},
		"another node has the alias": {changes{mine, func(x *evidence.Snapshot) {
			x.Nodes = append(x.Nodes, evidence.Node{Name: "n1.else.example", Aliases: []string{short}, CreatedAt: t0})
		}}, false},
		"another node has the label, by its pods alone": {changes{mine, func(x *evidence.Snapshot) {
			x.Pods = append(x.Pods, evidence.Pod{UID: "pod-3", Node: "n1.else.example"})
		}}, false},
		"a node is called like the host": {changes{mine, func(x *evidence.Snapshot) {
			x.Nodes = append(x.Nodes, evidence.Node{Name: short, CreatedAt: t0})
		}}, false},
		"two nodes have the Node's name": {changes{mine, func(x *evidence.Snapshot) {
			x.Nodes[0].Twice = true
		}}, false},
		"the node has such a log of its own": {changes{mine, func(x *evidence.Snapshot) {
			x.Coverage = append(x.Coverage, cover(full, nil))
		}}, false},
		"the API gives the node no such name": {changes{mine, func(x *evidence.Snapshot) {
			x.Nodes[0].Aliases = nil
		}}, false},
	} {
		s := &evidence.Snapshot{
			Nodes: []evidence.Node{{Name: full, Aliases: []string{"n1.int.example", short}, Machine: "m1", BootID: "b1",
				CreatedAt: t0}},
			Pods: []evidence.Pod{{UID: uid, Namespace: "s", Name: "a", Node: full},
				{UID: other, Namespace: "s", Name: "b", Node: "n2"}},
			Coverage: []evidence.Coverage{cover(short, nil)},
			Read:     []evidence.Span{{Node: short}}, Losses: []evidence.Loss{{Node: short}},
			Gaps: []evidence.Gap{{Node: short}},
		}
		for _, change := range c.change {
			change(s)
		}
		Join(s)
		want := short
		if c.joined {
			want = full
		}
		got := []string{s.Read[0].Node, s.Losses[0].Node, s.Gaps[0].Node}
		for i := range s.Observations {
			got = append(got, s.Observations[i].Source.Node)
		}
		if !c.joined {
			got = append(got, s.Coverage[len(s.Coverage)-1].Node)
			if len(s.Coverage) > 1 {
				got = got[:len(got)-1] // the node's own
			}
		} else {
			got = append(got, s.Coverage[0].Node)
			if len(s.Nodes) != 1 {
				t.Errorf("%s: nodes %v", name, s.Nodes)
			}
		}
		for _, n := range got {
			if n != want {
				t.Errorf("%s: %q, want %q", name, got, want)
				break
			}
		}
	}
}
