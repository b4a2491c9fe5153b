package history

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file finds what looks like a restart but is none: containers that kept running while their pod lost its
// readiness, or its object in the API, for a moment.

// apparent collects these for containers that outlived the moment.
func (t *builder) apparent() {
	mirrors := t.mirrorChanges()
	for _, g := range t.groups {
		if g.pod == nil {
			continue // whether it has a probe, or is a static pod, is unknown
		}
		if g.pod.Mirror {
			t.remade(g, mirrors[timeline.PodName{Namespace: g.pod.Namespace, Pod: g.pod.Name}])
		}
		if n := t.Nodes[g.Node]; n != nil && probed(g) {
			t.flipped(g, n, g.in.Marks)
		}
	}
	slices.SortStableFunc(t.FalsePositives, func(a, b *timeline.Restart) int {
		if c := a.Seen.Compare(b.Seen); c != 0 {
			return c
		}
		return timeline.CompareNames(a, b)
	})
}

// probed reports whether readiness of the container depends on a probe that every kubelet process must run again.
func probed(g *group) bool {
	c := g.spec()
	return c != nil && (c.Readiness != nil || c.Startup != nil)
}

// flipped looks for a change of the pod's readiness right after a start of the kubelet.
func (t *builder) flipped(g *group, n *timeline.NodeStory, marks []timeline.Occurrence) {
	for _, run := range n.Kubelet {
		var signs []timeline.Occurrence
		var back bool
		for _, m := range timeline.Within(marks, run.Start, run.Start.Add(tolerance.Flip)) {
			ready, tells := readiness(m.Obs.Fact)
			if !tells {
				continue
			}
			if !ready && (back || len(signs) == 0 && m.At.Sub(run.Start) > tolerance.AtOnce) {
				break // it was ready under this kubelet and lost that for another reason
			}
			signs, back = append(signs, m), back || ready
		}
		if len(signs) > 0 {
			t.seem(g, run.Start, signs[len(signs)-1].At, signs)
		}
	}
}

// readiness returns what a fact says about a pod's readiness, if anything.
func readiness(f evidence.Fact) (ready, tells bool) {
	switch f := f.(type) {
	case evidence.ReadinessChanged:
		return f.Ready, true
	case evidence.ProbeResultChanged:
		return f.Status == "ready", f.Probe == evidence.ProbeReadiness
	}
	return false, false
}

// mirrorChanges returns the kubelets' lines about mirror pods by name: the UID in them is that of a deleted mirror.
func (t *builder) mirrorChanges() map[timeline.PodName][]timeline.Occurrence {
	var all map[timeline.PodName][]timeline.Occurrence
	for i := range t.Obs {
		if o := &t.Obs[i]; o.Tells&timeline.ToldMirror != 0 && !t.Node(o.Source.Node).Strange(o.Observation) {
			if all == nil {
				all = map[timeline.PodName][]timeline.Occurrence{}
			}
			n := timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}
			all[n] = append(all[n], timeline.Once(o.Observation))
		}
	}
	return all
}

// remade groups the lines that belong to one change of a mirror pod. A mirror that was only created is the normal
// beginning of a static pod.
func (t *builder) remade(g *group, changes []timeline.Occurrence) {
	if len(changes) == 0 {
		t.younger(g)
	}
	for i := 0; i < len(changes); {
		j := i + 1
		for j < len(changes) && changes[j].At.Sub(changes[i].At) < tolerance.MirrorChange {
			j++
		}
		gone := func(m timeline.Occurrence) bool {
			return m.Obs.Fact.(evidence.MirrorPod).Change != evidence.MirrorCreated
		}
		if slices.ContainsFunc(changes[i:j], gone) {
			t.seem(g, changes[i].At, changes[j-1].At, slices.Clone(changes[i:j]))
		}
		i = j
	}
}

// younger looks for a mirror that is younger than its containers, on a node that had existed long enough to have
// created one before. Where the node is unknown, the containers' age is used.
func (t *builder) younger(g *group) {
	since := time.Time{}
	if n := t.Nodes[g.Node]; n != nil {
		since = n.Info.CreatedAt
	}
	for _, in := range g.instances {
		if since.IsZero() && !in.Exited() {
			since = in.Started
		}
	}
	if !since.IsZero() && g.pod.CreatedAt.Sub(since) > tolerance.Registered {
		t.seem(g, g.pod.CreatedAt, g.pod.CreatedAt, nil)
	}
}

// seem adds an apparent restart if an instance lived through all of it.
func (t *builder) seem(g *group, from, until time.Time, signs []timeline.Occurrence) {
	for _, in := range g.instances {
		if in.Started.IsZero() || from.Sub(in.Started) < tolerance.MirrorChange ||
			in.Exited() && in.Finished.Sub(until) < tolerance.MirrorChange {
			continue
		}
		seen := from
		if len(signs) > 0 {
			seen = signs[0].At
		}
		t.FalsePositives = append(t.FalsePositives, &timeline.Restart{
			Kind: timeline.KindNone, Node: g.Node, Namespace: g.Namespace, PodName: g.Pod, PodUID: g.PodUID,
			Container: g.Container, ContainerKind: g.kind, Pod: g.pod, Spec: g.spec(),
			From: in, Seen: seen, Signs: signs, Story: g.in.PodStory,
		})
		return
	}
}
