package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file follows static pods. Their UID is a hash that the kubelet makes of the
// manifest, so that one manifest may live under several UIDs, one after the other: to
// the kubelet each is another pod, to those who look at names the same one.

// Successor is what has a dead instance's place: the same container of the same
// static pod, under another UID.
type Successor struct {
	PodUID   string        // as kubelet and runtime know it
	Pod      *evidence.Pod // nil when the API did not give it
	Instance *Instance     // nil when nothing was seen of it yet
	Added    time.Time     // when the kubelet took it into its files, if its log says that; known if nothing else is
}

// ComputedUID tells whether a UID is one that kubelets make of static pods: 32 hex
// digits (kubelet v1.5–v1.36 config/common.go applyDefaults). The API server's have
// dashes, as a UID in a manifest usually has.
func ComputedUID(uid string) bool {
	if len(uid) != 32 {
		return false
	}
	for _, c := range uid {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// ConfigSources is which config sources are said to hold a pod, by one UID.
type ConfigSources struct {
	File bool // a file or URL of the kubelet: a static pod
	API  bool // also said of a static pod's mirror
	// Evidence are the observations behind File. It is shared and must not be changed.
	Evidence []string
}

// configs collects what is said of where pods come from. What is said of them by name
// may be about others that bore it: lines about a change of UID know no UID of their own.
func (t *History) configs() {
	for i := range t.obs {
		if t.obs[i].tells&toldConfig == 0 {
			continue
		}
		o := t.obs[i].Observation
		name, uid := podName{o.Subject.Namespace, o.Subject.Pod}, o.Subject.PodUID
		of := t.obs[i].pod
		if of != nil && of.uid != uid {
			of = nil // said of a static pod by the UID that its mirror does not have
		}
		switch f := o.Fact.(type) {
		case evidence.PodConfig:
			t.config[name] = append(t.config[name], Occurrence{o.Time, o})
			originate(of, f.Origin, o.ID)
		case evidence.StaticManifest:
			t.manifests[name] = append(t.manifests[name], Occurrence{o.Time, o})
		case evidence.PodTeardown:
			t.teardowns[uid] = append(t.teardowns[uid], Occurrence{o.Time, o})
		case evidence.SandboxRecord:
			originate(of, f.ConfigSource, o.ID)
		case evidence.ManifestRead:
			if n := t.node(cmp.Or(o.Subject.Node, o.Source.Node)); f.Failed {
				n.Manifests = append(n.Manifests, Occurrence{o.Time, o})
			}
		}
	}
	for _, p := range t.pods {
		p.origin.Evidence = slices.Clip(p.origin.Evidence) // verdicts keep it as it is
	}
}

func originate(p *pod, source, id string) {
	file := source == "file" || source == "http"
	if p == nil || !file && source != "api" {
		return
	}
	if !file {
		p.origin.API = true
		return
	}
	p.origin.File, p.origin.Evidence = true, append(p.origin.Evidence, id)
}

// Origin returns where the pod is said to come from; zero where nothing is
// said.
func (r *Restart) Origin() ConfigSources {
	if r.pod == nil {
		return ConfigSources{}
	}
	return r.pod.origin
}

// Manifests returns the manifests of static pods of this name, by time.
func (t *History) Manifests(namespace, name string) []Occurrence {
	return t.manifests[podName{namespace, name}]
}

// Config returns what was taken into or from the config sources under a pod's name in
// [from, until], by time: pods that bore the name before or after it are among them.
func (t *History) Config(namespace, name string, from, until time.Time) []Occurrence {
	return within(t.config[podName{namespace, name}], from, until.Add(1))
}

// Teardowns returns why a kubelet took a pod down in [from, until], by time.
func (t *History) Teardowns(uid string, from, until time.Time) []Occurrence {
	return within(t.teardowns[uid], from, until.Add(1))
}

// succeed links the deaths of static pods with what came after them under another UID.
func (t *History) succeed() {
	heirs := map[groupName][]*group{}
	dead := slices.DeleteFunc(slices.Clone(t.Restarts), func(r *Restart) bool {
		return r.To != nil || !ComputedUID(r.PodUID)
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
	bearers := map[podName][]*uidClaim{}
	for _, r := range dead {
		bearers[podName{r.Namespace, r.PodName}] = nil
	}
	for _, b := range t.claims {
		if list, ok := bearers[b.name]; ok && ComputedUID(b.by.uid) {
			bearers[b.name] = append(list, b.by)
		}
	}
	for _, r := range dead {
		for _, g := range heirs[groupName{r.Namespace, r.PodName, r.Container}] {
			if uid := g.runtimeUID(); uid != r.PodUID {
				r.offer(&Successor{PodUID: uid, Pod: g.pod, Instance: g.next(r)})
			}
		}
		for _, p := range t.named[podName{r.Namespace, r.PodName}] {
			if r.Successor == nil && p.Mirror && p.RuntimeUID() != r.PodUID &&
				!p.CreatedAt.Before(r.End().Add(-tolerance.Overlap)) {
				r.Successor = &Successor{PodUID: p.RuntimeUID(), Pod: p}
			}
		}
		after := r.End().Add(-tolerance.Overlap)
		if begin := r.From.begin(); begin.After(after) {
			after = begin
		}
		for _, b := range bearers[podName{r.Namespace, r.PodName}] {
			// Of this one not even a container may be named: lines about it began when this pod had ended.
			if r.Successor == nil && b.uid != r.PodUID && !r.End().IsZero() && b.born.After(after) {
				r.Successor = &Successor{PodUID: b.uid, Pod: apiOf(t.pods[b.uid]), Added: b.born}
			}
		}
		if next := r.Successor; next != nil && next.Pod != nil && r.ContainerKind == "" {
			r.ContainerKind = t.pods[next.Pod.UID].kind(r.Container)
		}
	}
}

type groupName struct{ namespace, pod, container string }

// next is the group's first instance that began after the old one.
func (g *group) next(r *Restart) *Instance {
	for _, in := range g.instances {
		begin := in.begin()
		if !begin.IsZero() && begin.After(r.From.begin().Truncate(time.Second)) &&
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

// tellsOfEnd tells words that only an end leaves, and that ask why. That a pod was taken
// down asks nothing, unless it is static, because nobody deletes one, or nothing but such words
// was handed over (all).
func tellsOfEnd(f evidence.Fact, all bool) bool {
	switch f := f.(type) {
	case evidence.KillDecided:
		return all || f.Reason != "" && f.Reason != evidence.KillPod && f.Reason != evidence.KillOther
	case evidence.BackedOff, evidence.HookFailed:
		return true
	}
	return false
}

// offer takes the successor whose instance began first.
func (r *Restart) offer(s *Successor) {
	if s.Instance == nil {
		return
	}
	if have := r.Successor; have == nil || s.Instance.begin().Before(have.Instance.begin()) {
		r.Successor = s
	}
}

// killedUnseen tells a container of which nothing is left but words about its end: the API
// forgot it with its pod's object, or its UID.
func (g *group) killedUnseen(all bool) *Instance {
	if len(g.instances) > 0 ||
		!slices.ContainsFunc(
			g.named,
			func(m Occurrence) bool { return tellsOfEnd(m.Obs.Fact, all || ComputedUID(g.PodUID)) },
		) {
		return nil
	}
	return (&Instance{Attempt: -1}).marked(slices.Clone(g.named)).datedByWords()
}

// staticEnd is a static pod that its kubelet dropped, or took another UID's pod for.
type staticEnd struct {
	pod       *pod
	name      podName
	uid, node string
	at        time.Time
	next      *Successor
}

// staticEnds are the static pods that a kubelet took from its files, or that came from them under another UID. It then
// stops what runs of the old one, also where no line tells of its containers.
func (t *History) staticEnds() (ends []*staticEnd) {
	type last struct {
		staticEnd
		gone *staticEnd
	}
	held := map[podName]*last{}
	for i := range t.obs {
		o := &t.obs[i]
		c, ok := o.Fact.(evidence.PodConfig)
		s := &o.Subject
		if !ok || c.Origin != "file" && c.Origin != "http" || o.pod == nil || s.PodUID == "" || o.Time.IsZero() {
			continue
		}
		name := podName{s.Namespace, s.Pod}
		have := held[name]
		if have == nil {
			have = &last{}
			held[name] = have
		}
		now := staticEnd{pod: o.pod, name: name, uid: s.PodUID, node: cmp.Or(s.Node, o.Source.Node), at: o.Time}
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
				have.gone.next = o.pod.successor(s.PodUID, o.Time)
			}
			have.staticEnd, have.gone = now, nil
		}
	}
	return ends
}

// successor is the pod as what came after another one.
func (p *pod) successor(uid string, added time.Time) *Successor {
	next := &Successor{PodUID: uid, Pod: p.api, Added: added}
	for _, g := range p.groups {
		if len(g.instances) > 0 {
			next.offer(g.instances[0])
		}
	}
	return next
}

// Came is when the pod under the other UID came.
func (s *Successor) Came() time.Time {
	if s.Pod != nil && !s.Pod.CreatedAt.IsZero() {
		return s.Pod.CreatedAt
	}
	return s.Added
}

// offer takes the instance that began first.
func (s *Successor) offer(in *Instance) {
	if s.Instance == nil || in.begin().Before(s.Instance.begin()) {
		s.Instance = in
	}
}

// datedByWords dates an end of which nothing is left but words by the last of them.
func (i *Instance) datedByWords() *Instance {
	slices.SortStableFunc(i.Marks, byTime)
	for _, m := range i.Marks {
		if tellsOfEnd(m.Obs.Fact, true) {
			i.spoken = m.At
		}
	}
	return i
}
