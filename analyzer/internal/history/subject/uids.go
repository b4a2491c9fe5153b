package subject

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// UIDClaim is one pod that had a name.
type UIDClaim struct {
	UID  string
	Born time.Time // creation in the API, else when it first appeared
	sure bool      // born is the API's
	node string    // where the API has it, "" if unknown
	// dying: the first line about it is about the end of one of its containers.
	dying bool
}

// nameClaim is a name with one pod that had it.
type nameClaim struct {
	Name timeline.PodName
	By   *UIDClaim
}

type nameAndUID struct {
	name timeline.PodName
	uid  string
}

// withUIDs assigns to every observation the pod of its UID, and fills the UID in where a line names only a pod: from
// the API's pods and from lines with both. If several pods had the name, one after the other, the time decides; close
// to a change it cannot, and the line stays without a UID.
func (t *Resolver) withUIDs() {
	lacking := map[timeline.PodName][]UIDClaim{}
	for i := range t.Obs {
		o := &t.Obs[i]
		switch s := &o.Subject; {
		case s.PodUID != "":
			if o.Who == nil || o.Who.UID != s.PodUID {
				o.Pod = t.Under(s.PodUID)
			} else {
				o.Pod = o.Who.Owner
			}
			if o.Who != nil {
				o.Who.UID, o.Who.Owner = s.PodUID, o.Pod
			}
			if o.Source.Kind == evidence.SourceKubeletLog { // which logs about its own node's pods
				fill(&o.Pod.On, cmp.Or(s.Node, o.Source.Node))
			}
			if s.Pod != "" {
				t.meet(o)
			}
		case s.Pod != "":
			lacking[timeline.PodName{Namespace: s.Namespace, Pod: s.Pod}] = nil
		}
	}
	if len(lacking) == 0 {
		return
	}
	t.meetByID()
	for _, b := range t.Claims {
		if list, ok := lacking[b.Name]; ok {
			lacking[b.Name] = append(list, *b.By)
		}
	}
	mirrors, files := t.mirrorsOf(), t.fileLines()
	for _, list := range lacking {
		slices.SortFunc(list, func(a, b UIDClaim) int { return a.Born.Compare(b.Born) })
	}
	nodes := map[string]bool{} // the cluster's, as the API names them
	for i := range t.Snapshot.Nodes {
		nodes[t.Snapshot.Nodes[i].Name] = true
	}
	for i := range t.Snapshot.Pods {
		nodes[t.Snapshot.Pods[i].Node] = true
	}
	t.inOneNamespace(lacking)
	listed := t.Listed()
	for i := range t.Obs {
		o := &t.Obs[i]
		if o.Subject.Pod == "" || o.Subject.PodUID != "" {
			continue
		}
		if len(lacking[timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}]) == 0 &&
			(ofTable(o.Observation) || evicts(o.Fact) ||
				!listed && (o.Tells&tellsOfEnd != 0 || AsksWhy(o.Fact) || names(o.Fact)) ||
				!listed && o.Tells&(timeline.ToldRuntime|timeline.ToldLife) != 0 && (o.Who == nil || o.Who.UID == "")) {
			t.nameless(o)
			continue
		}
		list := lacking[timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}]
		if node := cmp.Or(o.Subject.Node, o.Source.Node); node != "" && nodes[node] {
			list = on(list, node)
		}
		if len(mirrors) > 0 && !ofMirrors(o.Fact) {
			list = withoutMirrors(list, mirrors)
		}
		uid := bearerAt(list, o.Time, sideOf(o.Fact))
		if line, ok := ofFiles(o.Fact); ok && len(list) > 1 && !o.Time.IsZero() {
			line.at = o.Time
			uid = fileBearer(list, files[timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}], line)
		}
		if known := o.Who.bearer(timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}); known != "" {
			uid = known
		}
		if o.Source.Kind == evidence.SourceAPI && t.ofThePodBefore(uid, o.Time) {
			t.nameless(o)
			continue
		}
		if uid != "" {
			filled := t.copies.New() // the snapshot stays unchanged
			*filled = *o.Observation
			filled.Subject.PodUID = uid
			o.Observation, o.Pod = filled, t.Under(uid)
			if filled.Subject.Namespace == "" && o.Pod.Name.Pod == filled.Subject.Pod {
				filled.Subject.Namespace = o.Pod.Name.Namespace
			}
		}
	}
}

// names reports whether a line gives names for an id.
func names(f evidence.Fact) bool {
	_, ok := f.(evidence.NameTold)
	return ok
}

// meetByID gives a pod that is known by its UID alone, as in the kernel's records, the name that another line has for
// one of its containers: crictl prints names and ids, and no UIDs.
func (t *Resolver) meetByID() {
	for i := range t.Obs {
		o := &t.Obs[i]
		if s := &o.Subject; s.PodUID == "" && s.Pod != "" && o.Who != nil && o.Who.Owner != nil && !o.Who.Owner.named {
			t.Learn(o.Who.Owner, timeline.PodName{Namespace: s.Namespace, Pod: s.Pod}, firstSeen(o.Observation), false)
		}
	}
}

// tellsOfEnd are the kinds of facts that only an end, or what led to one, leaves.
const tellsOfEnd = timeline.ToldOfEnd | timeline.HasKill | timeline.HasFailure | timeline.HasHook |
	timeline.HasProbe | timeline.HasSandbox

// bearer returns the UID of the pod of that name that another line has along with the container's id, which is better
// than a line's time. When a pod is deleted and recreated, the new one has its name while the old container is still
// ending.
func (e *Entity) bearer(name timeline.PodName) string {
	if e == nil || e.UID == "" || e.Owner == nil || e.Owner.Name.Pod != name.Pod ||
		name.Namespace != "" && e.Owner.Name.Namespace != name.Namespace {
		return ""
	}
	return e.UID
}

// nameless assigns an event of a pod without a known UID to a pod identified by name: a table of events has no UIDs.
func (t *Resolver) nameless(o *Seen) {
	filled := t.copies.New()
	*filled = *o.Observation
	s := &filled.Subject
	if s.Namespace == "" {
		s.Namespace = evidence.UsualNamespace(s.Pod)
	}
	s.PodUID = timeline.UnknownUID + s.Namespace + "/" + s.Pod
	o.Observation, o.Pod = filled, t.Under(s.PodUID)
	t.Learn(o.Pod, timeline.PodName{Namespace: s.Namespace, Pod: s.Pod}, time.Time{}, false)
}

// ofThePodBefore reports whether an event by name is from before the pod of that name was created: another one had it.
func (t *Resolver) ofThePodBefore(uid string, at time.Time) bool {
	p := t.Stories[uid]
	return p != nil && p.Given != nil && !p.Given.Mirror && !at.IsZero() && !p.Given.CreatedAt.IsZero() &&
		p.Given.CreatedAt.Sub(at) > 2*tolerance.Slack
}

// ofTable reports whether an observation may come from a table, which has no UIDs.
func ofTable(o *evidence.Observation) bool {
	rec, record := o.Fact.(evidence.ContainerRecord)
	box, sandbox := o.Fact.(evidence.SandboxRecord)
	return o.Source.Kind == evidence.SourceAPI || record && rec.Coarse || sandbox && box.Coarse
}

// evicts reports whether a fact ends a pod for good, and is no deletion: the pod is gone then, and in no list.
func evicts(f evidence.Fact) bool {
	switch f.(type) {
	case evidence.PodEvicted, evidence.PodRejected:
		return true
	}
	return false
}

// inOneNamespace assigns to names without a namespace the pods with that name in one: a table that kubectl printed for
// one namespace does not show it.
func (t *Resolver) inOneNamespace(lacking map[timeline.PodName][]UIDClaim) {
	byPod := map[string]map[string][]UIDClaim{}
	for name := range lacking {
		if name.Namespace == "" {
			byPod[name.Pod] = map[string][]UIDClaim{}
		}
	}
	for _, b := range t.Claims {
		if spaces := byPod[b.Name.Pod]; spaces != nil {
			spaces[b.Name.Namespace] = append(spaces[b.Name.Namespace], *b.By)
		}
	}
	for pod, spaces := range byPod {
		if len(spaces) != 1 {
			continue
		}
		for _, list := range spaces {
			lacking[timeline.PodName{Pod: pod}] = list
		}
	}
}

// on drops the pods that are on another node: what a kubelet logs about a name is about its own pod, even if the name
// moved to another node long ago.
func on(list []UIDClaim, node string) []UIDClaim {
	elsewhere := func(b UIDClaim) bool { return b.node != "" && b.node != node }
	if !slices.ContainsFunc(list, elsewhere) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), elsewhere)
}

// node returns the node where the API has the pod, "" where unknown.
func (p *Pod) node() string {
	if p.Given == nil {
		return ""
	}
	return p.Given.Node
}

// meet records from an observation that its pod had a name, and when.
func (t *Resolver) meet(o *Seen) {
	p, name := o.Pod, timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}
	if p.named && p.born.sure && p.Name == name {
		return // the API has it all
	}
	at := firstSeen(o.Observation)
	t.Learn(p, name, at, false)
	if p.Name == name && !p.born.sure && p.born.Born.Equal(at) {
		switch o.Fact.(type) {
		case evidence.KillDecided, evidence.KillStarted, evidence.ContainerDied, evidence.ContainerFinished:
			p.born.dying = true
		default:
			p.born.dying = false
		}
	}
}

// Learn records that a pod had a name at a time; sure means that it had it from then on.
func (t *Resolver) Learn(p *Pod, name timeline.PodName, at time.Time, sure bool) {
	b := &p.born
	switch {
	case !p.named:
		p.Name, p.named = name, true
		*b = UIDClaim{UID: p.UID, Born: at, sure: sure, node: p.node()}
		t.Claims = append(t.Claims, nameClaim{name, b})
		return
	case p.Name != name:
		key := nameAndUID{name, p.UID}
		if b = t.second[key]; b == nil {
			if t.second == nil {
				t.second = map[nameAndUID]*UIDClaim{}
			}
			b = &UIDClaim{UID: p.UID, Born: at, sure: sure, node: p.node()}
			t.second[key] = b
			t.Claims = append(t.Claims, nameClaim{name, b})
			return
		}
	}
	if !b.sure && !at.IsZero() && (b.Born.IsZero() || at.Before(b.Born)) {
		b.Born = at
	}
}

// firstSeen returns the earliest time at which an observation shows its pod: a record is dated by the end of a
// container and contains its start.
func firstSeen(o *evidence.Observation) time.Time {
	at := o.Time
	var others []time.Time
	switch f := o.Fact.(type) {
	case evidence.ContainerRecord:
		others = []time.Time{f.Created, f.Started}
	case evidence.SandboxRecord:
		others = []time.Time{f.Created}
	}
	for _, t := range others {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	return at
}

// side says which of two pods of a name a line close to their change is about: for a static pod whose manifest changed,
// the kubelet removes the old UID and adds the new one at the same moment (kubelet v1.5–v1.36 config/config.go Merge).
type side int

const (
	either side = iota
	leaving
	coming
	gone // the end of one of them, unknown which
)

func sideOf(f evidence.Fact) side {
	c, ok := f.(evidence.PodConfig)
	switch {
	case ok && c.Origin == "api" && (c.Op == "DELETE" || c.Op == "REMOVE"):
		return gone
	case !ok || c.Origin == "api": // pods that get a name from the API again and again are not followed
		return either
	case c.Op == "ADD":
		return coming
	case c.Op == "REMOVE":
		return leaving
	}
	return either
}

// bearerAt returns the UID of the pod that had the name at a time, "" if that is not clear. A line about a pod that is
// known only from lines may be some seconds earlier than the first line with its UID; the API's creation times have
// whole seconds.
func bearerAt(list []UIDClaim, at time.Time, s side) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		if b := &list[0]; s == gone && b.sure && !at.IsZero() && at.Sub(b.Born) <= tolerance.Slack {
			return "" // about the one that had the name before
		}
		return list[0].UID
	}
	if at.IsZero() {
		return ""
	}
	uid := ""
	for i, b := range list {
		if b.Born.IsZero() {
			return "" // its time is unknown
		}
		early := tolerance.BornEarly
		if b.sure {
			early = time.Second
		}
		switch since := at.Sub(b.Born); {
		case i == 0 && since <= tolerance.Slack:
			return "" // from before all of them, or nearly
		case i > 0 && since > -early && since <= tolerance.Slack:
			switch s {
			case leaving:
				return uid
			case coming:
				return b.UID
			}
			return ""
		case since > 0:
			uid = b.UID
		}
	}
	return uid
}

// AsksWhy reports whether a message about a pod exists only if something ended: the probe result for which a kubelet
// replaces a container, which also appears for one that ended by itself, or a failed kill of the whole pod.
func AsksWhy(f evidence.Fact) bool {
	result, _ := f.(evidence.ProbeResultChanged)
	_, kill := f.(evidence.KillFailed)
	return kill || result.Status == "unhealthy"
}
