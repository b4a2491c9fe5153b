package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file follows static pods. Their UID is a hash of the manifest that the kubelet computes, or set in the manifest,
// so that one pod may have several UIDs, one after the other: to the kubelet each is another pod, by name they are the
// same.

// configs collects where pods come from. What is known by name may be about others with that name: lines about a change
// of UID contain no UID.
func (t *builder) configs() {
	for i := range t.Obs {
		if t.Obs[i].Tells&timeline.ToldConfig == 0 {
			continue
		}
		o := t.Obs[i].Observation
		name, uid := timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}, o.Subject.PodUID
		of := t.Obs[i].Pod
		if of != nil && of.UID != uid {
			of = nil // about a static pod under the UID that its mirror does not have
		}
		switch f := o.Fact.(type) {
		case evidence.PodConfig:
			if f.Op == "ADD" && f.Origin == "api" {
				node := cmp.Or(o.Subject.Node, o.Source.Node)
				t.given[node] = append(t.given[node], o.Time)
			}
			if f.Others < 0 {
				continue
			}
			t.Configured[name] = append(t.Configured[name], timeline.Once(o))
			originate(of, f.Origin, o.ID)
		case evidence.StaticManifest:
			t.ManifestsOf[name] = append(t.ManifestsOf[name], timeline.Once(o))
		case evidence.PodTeardown:
			t.TakenDown[uid] = append(t.TakenDown[uid], timeline.Once(o))
		case evidence.SandboxRecord:
			originate(of, f.ConfigSource, o.ID)
		case evidence.ManifestRead:
			if n := t.Node(cmp.Or(o.Subject.Node, o.Source.Node)); f.Failed {
				n.Manifests = append(n.Manifests, timeline.Once(o))
			}
		}
	}
	for _, p := range t.Stories {
		p.Origin.Evidence = slices.Clip(p.Origin.Evidence) // verdicts share it
	}
}

func originate(p *subject.Pod, source, id string) {
	file := source == "file" || source == "http"
	if p == nil || !file && source != "api" {
		return
	}
	if !file {
		p.Origin.API = true
		return
	}
	p.Origin.File, p.Origin.Evidence = true, append(p.Origin.Evidence, id)
}

// succeed links the deaths of static pods with what came after them under another UID.
func (t *builder) succeed() {
	heirs := map[groupName][]*group{}
	dead := slices.DeleteFunc(slices.Clone(t.Restarts), func(r *timeline.Restart) bool {
		return r.To != nil || !t.Of(r.Story).FromFile() && !timeline.ComputedUID(r.PodUID)
	})
	for _, r := range dead {
		heirs[groupName{r.Namespace, r.PodName, r.Container}] = nil
	}
	if len(heirs) == 0 {
		return
	}
	for _, g := range t.groups {
		n := groupName{g.Namespace, g.Pod, g.Container}
		if list, ok := heirs[n]; ok {
			heirs[n] = append(list, g)
		}
	}
	bearers := map[timeline.PodName][]*subject.UIDClaim{}
	for _, r := range dead {
		bearers[timeline.PodName{Namespace: r.Namespace, Pod: r.PodName}] = nil
	}
	for _, b := range t.Claims {
		if list, ok := bearers[b.Name]; ok && t.Known(b.By.UID).FromFile() {
			bearers[b.Name] = append(list, b.By)
		}
	}
	completed := map[*timeline.Restart]bool{}
	for _, r := range dead {
		self := t.Of(r.Story) // which its mirror in the API may give a second UID
		for _, g := range heirs[groupName{r.Namespace, r.PodName, r.Container}] {
			if uid := g.runtimeUID(); uid != r.PodUID && g.in.Pod != self {
				r.Offer(&timeline.Successor{PodUID: uid, Pod: g.pod, Instance: g.next(r)})
			}
		}
		for _, p := range t.Bearers[timeline.PodName{Namespace: r.Namespace, Pod: r.PodName}] {
			if r.Successor == nil && p.Mirror && p.RuntimeUID() != r.PodUID && t.Known(p.UID) != self &&
				!p.CreatedAt.Before(r.End().Add(-tolerance.Overlap)) {
				r.Successor = &timeline.Successor{PodUID: p.RuntimeUID(), Pod: p}
			}
		}
		after := r.End().Add(-tolerance.Overlap)
		if begin := r.From.Begin(); begin.After(after) {
			after = begin
		}
		for _, b := range bearers[timeline.PodName{Namespace: r.Namespace, Pod: r.PodName}] {
			// For this one no line may name a container: its lines began when this pod had ended.
			if r.Successor == nil && b.UID != r.PodUID && t.Known(b.UID) != self && !r.End().IsZero() && b.Born.After(after) {
				r.Successor = &timeline.Successor{PodUID: b.UID, Pod: t.Pod(b.UID), Added: b.Born}
			}
		}
		if r.ContainerKind == "" {
			r.ContainerKind = t.kindNow(r, r.Container)
			completed[r] = r.ContainerKind == evidence.KindInit && t.wentOn(self, r)
		}
	}
	t.Restarts = slices.DeleteFunc(t.Restarts, func(r *timeline.Restart) bool { return completed[r] })
}

// kindNow returns of which kind a container is in the mirror that the pod has now.
func (t *builder) kindNow(r *timeline.Restart, container string) (kind evidence.ContainerKind) {
	for _, p := range t.Bearers[timeline.PodName{Namespace: r.Namespace, Pod: r.PodName}] {
		if p.Mirror {
			kind = cmp.Or(kind, t.Known(p.UID).Kind(container))
		}
	}
	return kind
}

// wentOn reports whether an app container of the pod started after the end of an init container, which may have no
// code: it had succeeded. Sidecars and further init containers start before all of them have.
func (t *builder) wentOn(p *subject.Pod, r *timeline.Restart) bool {
	end, code := r.From.Finished, r.From.ExitCode
	return !end.IsZero() && (code == nil || *code == 0) && slices.ContainsFunc(t.life(p).groups, func(g *group) bool {
		return cmp.Or(g.kind, t.kindNow(r, g.Container)) == evidence.KindApp &&
			slices.ContainsFunc(g.instances, func(in *timeline.Instance) bool { return !in.Started.Before(end) })
	})
}

type groupName struct{ namespace, pod, container string }

// next returns the group's first instance that began after the old one.
func (g *group) next(r *timeline.Restart) *timeline.Instance {
	for _, in := range g.instances {
		begin := in.Begin()
		if !begin.IsZero() && begin.After(r.From.Begin().Truncate(time.Second)) &&
			(r.From.Finished.IsZero() || begin.After(r.From.Finished.Add(-tolerance.Overlap))) {
			return in
		}
	}
	return nil
}

func (g *group) runtimeUID() string {
	if g.pod != nil {
		return g.pod.RuntimeUID()
	}
	return g.PodUID
}

// killedUnseen returns an instance for a container that is known only from messages about its end: the API no longer
// has its pod, or its UID.
func (g *group) killedUnseen(all bool) *timeline.Instance {
	if len(g.instances) > 0 || !slices.ContainsFunc(g.named, func(m timeline.Occurrence) bool {
		return timeline.TellsOfEnd(m.Obs.Fact, all || timeline.ComputedUID(g.PodUID) || g.in.FromFile())
	}) {
		return nil
	}
	return (&timeline.Instance{Attempt: -1}).Marked(slices.Clone(g.named)).DatedByWords()
}

// staticEnd is a static pod that its kubelet removed, or replaced by a pod with another UID.
type staticEnd struct {
	pod       *subject.Pod
	name      timeline.PodName
	uid, node string
	at        time.Time
	next      *timeline.Successor
}

// staticEnds returns the static pods that a kubelet removed from its files, or that came from them under another UID.
// It then stops what runs of the old one, even if no line names its containers.
func (t *builder) staticEnds() (ends []*staticEnd) {
	type last struct {
		staticEnd
		gone *staticEnd
	}
	held := map[timeline.PodName]*last{}
	for i := range t.Obs {
		o := &t.Obs[i]
		c, ok := o.Fact.(evidence.PodConfig)
		s := &o.Subject
		if !ok || c.Origin != "file" && c.Origin != "http" || o.Pod == nil || s.PodUID == "" || o.Time.IsZero() {
			continue
		}
		name := timeline.PodName{Namespace: s.Namespace, Pod: s.Pod}
		have := held[name]
		if have == nil {
			have = &last{}
			held[name] = have
		}
		now := staticEnd{pod: o.Pod, name: name, uid: s.PodUID, node: cmp.Or(s.Node, o.Source.Node), at: o.Time}
		switch c.Op {
		case "REMOVE":
			have.gone = &now
			ends = append(ends, have.gone)
		case "ADD":
			if have.gone == nil && have.uid != "" && have.uid != s.PodUID {
				have.gone = &staticEnd{pod: have.pod, name: name, uid: have.uid, node: now.node, at: o.Time}
				ends = append(ends, have.gone)
			}
			if have.gone != nil && have.gone.uid != s.PodUID {
				have.gone.next = t.life(o.Pod).successor(s.PodUID, o.Time)
			}
			have.staticEnd, have.gone = now, nil
		}
	}
	return ends
}

// successor returns the pod as a Successor.
func (p *life) successor(uid string, added time.Time) *timeline.Successor {
	next := &timeline.Successor{PodUID: uid, Pod: p.Given, Added: added}
	for _, g := range p.groups {
		if len(g.instances) > 0 {
			next.Offer(g.instances[0])
		}
	}
	return next
}
