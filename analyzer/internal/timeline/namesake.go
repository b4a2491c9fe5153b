package timeline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file finds names that two machines, or two pods, had at one time: then evidence of two clusters was read
// together, and nothing that is attached by such a name is known to belong there.

// Doubled reports whether two machines, or two pods on it, had the node's name at one time.
func (n *NodeStory) Doubled() bool { return n != nil && n.doubled }

// namesakes marks the nodes.
func (t *History) namesakes(s *evidence.Snapshot) {
	for i := range s.Nodes {
		if s.Nodes[i].Twice {
			t.Node(s.Nodes[i].Name).doubled = true
		}
	}
	pods := make([]*evidence.Pod, 0, len(s.Pods))
	for i := range s.Pods {
		p := &s.Pods[i]
		if p.Object != nil && !p.Mirror && !strings.HasPrefix(p.UID, evidence.Described) && !p.CreatedAt.IsZero() {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, func(a, b *evidence.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), a.CreatedAt.Compare(b.CreatedAt))
	})
	for i := 1; i < len(pods); i++ {
		a, b := pods[i-1], pods[i]
		if a.Name == b.Name && a.Namespace == b.Namespace && a.UID != b.UID &&
			lastStated(a).After(b.CreatedAt.Add(tolerance.Slack)) {
			for _, p := range [...]*evidence.Pod{a, b} {
				if p.Node != "" {
					t.Node(p.Node).doubled = true
				}
			}
		}
	}
	t.twoWriters(s)
	t.inTurn(s)
}

// inTurn marks the nodes on which two pods of one name start containers in turn: an API server has one pod of a name at
// a time, and it gives no UID again. A static pod's UID comes back with its manifest; it is called after its node.
func (t *History) inTurn(s *evidence.Snapshot) {
	type name struct{ node, namespace, pod string }
	type turn struct {
		last string
		over map[string]bool
	}
	turns := map[name]*turn{}
	for i := range s.Observations { // by time
		o := &s.Observations[i]
		of := name{o.Source.Node, o.Subject.Namespace, o.Subject.Pod}
		if _, started := o.Fact.(evidence.ContainerStarted); !started || o.Subject.PodUID == "" || of.pod == "" ||
			of.node == "" || strings.HasSuffix(of.pod, "-"+of.node) {
			continue
		}
		switch n := turns[of]; {
		case n == nil:
			turns[of] = &turn{last: o.Subject.PodUID}
		case n.last == o.Subject.PodUID:
		case n.over[o.Subject.PodUID]:
			t.Node(of.node).doubled = true
		default:
			if n.over == nil {
				n.over = map[string]bool{}
			}
			n.over[n.last], n.last = true, o.Subject.PodUID
		}
	}
}

// lastStated returns the last moment at which the pod's status says that it was there.
func lastStated(p *evidence.Pod) (last time.Time) {
	s := &p.Object.Whole().Status
	for _, c := range slices.Concat(s.ContainerStatuses, s.InitContainerStatuses) {
		for _, state := range [...]*corev1.ContainerState{&c.State, &c.LastTerminationState} {
			if r := state.Running; r != nil {
				last = evidence.Later(last, r.StartedAt.Time)
			}
			if e := state.Terminated; e != nil {
				last = evidence.Later(last, e.FinishedAt.Time)
			}
		}
	}
	return last
}

// twoWriters marks the nodes of which two logs of one daemon cover the same time and name no container in common, or
// of which two logs are of different machines.
func (t *History) twoWriters(s *evidence.Snapshot) {
	type log struct {
		node   string
		daemon evidence.SourceKind
	}
	named := map[*evidence.Origin]map[string]bool{}
	spans, pairs := map[log][]*evidence.Coverage{}, [][2]*evidence.Coverage{}
	for i := range s.Coverage { // by their begin
		c := &s.Coverage[i]
		if c.Origin == nil || c.Node == "" || c.Source != evidence.SourceKubeletLog && c.Source != evidence.SourceRuntimeLog {
			continue
		}
		of := log{c.Node, c.Source}
		open := slices.DeleteFunc(spans[of], func(b *evidence.Coverage) bool { return !b.Until.After(c.From) })
		for _, b := range open {
			until := c.Until
			if b.Until.Before(until) {
				until = b.Until
			}
			if !b.Origin.Same(c.Origin) && until.Sub(c.From) > tolerance.AroundRestart {
				pairs = append(pairs, [2]*evidence.Coverage{b, c})
				for _, o := range []*evidence.Origin{b.Origin, c.Origin} {
					if named[o] == nil {
						named[o] = map[string]bool{}
					}
				}
			}
		}
		spans[of] = append(open, c)
	}
	if len(pairs) == 0 {
		return
	}
	for i := range s.Observations {
		o := &s.Observations[i]
		if ids := named[o.Source.Origin]; ids != nil && o.Source.Origin != nil && o.Subject.ContainerID != "" {
			ids[o.Subject.ContainerID] = true
		}
	}
	for _, p := range pairs {
		a, b := p[0].Origin, p[1].Origin
		if a.Machine != "" && b.Machine != "" || len(named[a]) > 0 && len(named[b]) > 0 && apart(named[a], named[b]) {
			t.Node(p[0].Node).doubled = true
		}
	}
}

func apart(a, b map[string]bool) bool {
	for id := range a {
		if b[id] {
			return false
		}
	}
	return true
}
