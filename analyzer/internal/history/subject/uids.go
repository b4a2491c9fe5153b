package subject

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// UIDClaim is one pod that bore a name.
type UIDClaim struct {
	UID  string
	Born time.Time // creation by the API, else the first that was seen of it
	sure bool      // born is the API's
	node string    // that the API has it on, "" if unknown
}

// nameClaim is a name with one pod that bore it.
type nameClaim struct {
	Name timeline.PodName
	By   *UIDClaim
}

type nameAndUID struct {
	name timeline.PodName
	uid  string
}

// withUIDs gives every observation the pod of its UID, and fills the UID in where a line
// names a pod and nothing else: from the API's pods and from lines that know both. Where
// several pods bore the name, one after the other, the time decides; close to a
// change of bearers nothing does, and the line stays without.
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
			if o.Source.Kind == evidence.SourceKubeletLog { // which speaks of its own node's pods
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
	for _, b := range t.Claims {
		if list, ok := lacking[b.Name]; ok {
			lacking[b.Name] = append(list, *b.By)
		}
	}
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
			(ofTable(o.Observation) || !listed && (o.Tells&tellsOfEnd != 0 || AsksWhy(o.Fact) || names(o.Fact)) ||
				!listed && o.Tells&(timeline.ToldRuntime|timeline.ToldLife) != 0 && (o.Who == nil || o.Who.UID == "")) {
			t.nameless(o)
			continue
		}
		list := lacking[timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}]
		if node := cmp.Or(o.Subject.Node, o.Source.Node); node != "" && nodes[node] {
			list = on(list, node)
		}
		uid := bearerAt(list, o.Time, sideOf(o.Fact))
		if known := o.Who.bearer(timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}); known != "" {
			uid = known
		}
		if o.Source.Kind == evidence.SourceAPI && t.ofThePodBefore(uid, o.Time) {
			t.nameless(o)
			continue
		}
		if uid != "" {
			filled := t.copies.New() // the snapshot's stays as it is
			*filled = *o.Observation
			filled.Subject.PodUID = uid
			o.Observation, o.Pod = filled, t.Under(uid)
			if filled.Subject.Namespace == "" && o.Pod.Name.Pod == filled.Subject.Pod {
				filled.Subject.Namespace = o.Pod.Name.Namespace
			}
		}
	}
}

// names tells a line that has names for an id.
func names(f evidence.Fact) bool {
	_, ok := f.(evidence.NameTold)
	return ok
}

// tellsOfEnd are the kinds of facts that only an end, or what led to one, leaves.
const tellsOfEnd = timeline.ToldOfEnd | timeline.HasKill | timeline.HasFailure | timeline.HasHook |
	timeline.HasProbe | timeline.HasSandbox

// bearer is the UID of the pod of that name that another line gives with the container's id: the time of a line decides
// less than that. A pod that is deleted and made once more bears its name while its container still ends.
func (e *Entity) bearer(name timeline.PodName) string {
	if e == nil || e.UID == "" || e.Owner == nil || e.Owner.Name.Pod != name.Pod ||
		name.Namespace != "" && e.Owner.Name.Namespace != name.Namespace {
		return ""
	}
	return e.UID
}

// nameless gives an event of a pod whose UID nothing tells the name for one: a table of events
// has no UIDs.
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

// ofThePodBefore tells an event by name from before the pod of that name was created: another one bore it.
func (t *Resolver) ofThePodBefore(uid string, at time.Time) bool {
	p := t.Stories[uid]
	return p != nil && p.Given != nil && !p.Given.Mirror && !at.IsZero() && !p.Given.CreatedAt.IsZero() &&
		p.Given.CreatedAt.Sub(at) > 2*tolerance.Slack
}

// ofTable tells what may come from a table, which has no UIDs.
func ofTable(o *evidence.Observation) bool {
	rec, record := o.Fact.(evidence.ContainerRecord)
	box, sandbox := o.Fact.(evidence.SandboxRecord)
	return o.Source.Kind == evidence.SourceAPI || record && rec.Coarse || sandbox && box.Coarse
}

// inOneNamespace gives names without a namespace the pods that bear them in one: a table that
// kubectl printed of one namespace does not say which.
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

// on leaves out the bearers that are on another node: what a kubelet says of a name is
// about its own pod, also when the name went on to another node long ago.
func on(list []UIDClaim, node string) []UIDClaim {
	elsewhere := func(b UIDClaim) bool { return b.node != "" && b.node != node }
	if !slices.ContainsFunc(list, elsewhere) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), elsewhere)
}

// node is the node that the API has the pod on, "" where it is not known.
func (p *Pod) node() string {
	if p.Given == nil {
		return ""
	}
	return p.Given.Node
}

// meet takes from an observation that its pod bore a name, and when.
func (t *Resolver) meet(o *Seen) {
	p, name := o.Pod, timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}
	if p.named && p.born.sure && p.Name == name {
		return // the API said it all
	}
	t.Learn(p, name, firstSeen(o.Observation), false)
}

// Learn takes that a pod bore a name at a time; sure is that it did from then on.
func (t *Resolver) Learn(p *Pod, name timeline.PodName, at time.Time, sure bool) {
	b := &p.born
	switch {
	case !p.named:
		p.Name, p.named = name, true
		*b = UIDClaim{p.UID, at, sure, p.node()}
		t.Claims = append(t.Claims, nameClaim{name, b})
		return
	case p.Name != name:
		key := nameAndUID{name, p.UID}
		if b = t.second[key]; b == nil {
			if t.second == nil {
				t.second = map[nameAndUID]*UIDClaim{}
			}
			b = &UIDClaim{p.UID, at, sure, p.node()}
			t.second[key] = b
			t.Claims = append(t.Claims, nameClaim{name, b})
			return
		}
	}
	if !b.sure && !at.IsZero() && (b.Born.IsZero() || at.Before(b.Born)) {
		b.Born = at
	}
}

// firstSeen is the earliest time at which an observation shows its pod: a record
// stands at the end of a container and tells its beginning.
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

// side tells which of two bearers of a name a line close to their change is about:
// of a static pod whose manifest changed, the kubelet takes the old UID away and adds
// the new one in one moment (kubelet v1.5–v1.36 config/config.go Merge).
type side int

const (
	either side = iota
	leaving
	coming
	gone // somebody's end, of whom is not known
)

func sideOf(f evidence.Fact) side {
	c, ok := f.(evidence.PodConfig)
	switch {
	case ok && c.Origin == "api" && (c.Op == "DELETE" || c.Op == "REMOVE"):
		return gone
	case !ok || c.Origin == "api": // who gets a name from the API again and again is not followed
		return either
	case c.Op == "ADD":
		return coming
	case c.Op == "REMOVE":
		return leaving
	}
	return either
}

// bearerAt returns the UID of the pod that bore the name at a time, "" if that is
// not clear. A line about a pod that is only known from lines may come some
// seconds before the first line that knows its UID; the API's creation times have
// whole seconds.
func bearerAt(list []UIDClaim, at time.Time, s side) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		if b := &list[0]; s == gone && b.sure && !at.IsZero() && at.Sub(b.Born) <= tolerance.Slack {
			return "" // of the one that bore the name before
		}
		return list[0].UID
	}
	if at.IsZero() {
		return ""
	}
	uid := ""
	for i, b := range list {
		if b.Born.IsZero() {
			return "" // when it came is not known
		}
		early := tolerance.BornEarly
		if b.sure {
			early = time.Second
		}
		switch since := at.Sub(b.Born); {
		case i == 0 && since <= tolerance.Slack:
			return "" // from before all of them, or just about
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

// AsksWhy tells words about a pod that only an end leaves: the result of a probe for which a kubelet replaces a
// container, which one that ended by itself leaves too, and a kill of the whole pod that did not succeed.
func AsksWhy(f evidence.Fact) bool {
	result, _ := f.(evidence.ProbeResultChanged)
	_, kill := f.(evidence.KillFailed)
	return kill || result.Status == "unhealthy"
}
