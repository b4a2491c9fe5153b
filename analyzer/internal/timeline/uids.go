package timeline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// podName is what lines without a UID call a pod by.
type podName struct{ namespace, pod string }

// uidClaim is one pod that bore a name.
type uidClaim struct {
	uid  string
	born time.Time // creation by the API, else the first that was seen of it
	sure bool      // born is the API's
	node string    // that the API has it on, "" if unknown
}

// nameClaim is a name with one pod that bore it.
type nameClaim struct {
	name podName
	by   *uidClaim
}

type nameAndUID struct {
	name podName
	uid  string
}

// withUIDs gives every observation the pod of its UID, and fills the UID in where a line
// names a pod and nothing else: from the API's pods and from lines that know both. Where
// several pods bore the name, one after the other, the time decides; close to a
// change of bearers nothing does, and the line stays without.
func (t *History) withUIDs() {
	lacking := map[podName][]uidClaim{}
	for i := range t.obs {
		o := &t.obs[i]
		switch s := &o.Subject; {
		case s.PodUID != "":
			if o.id == nil || o.id.uid != s.PodUID {
				o.pod = t.under(s.PodUID)
			} else {
				o.pod = o.id.pod
			}
			if o.id != nil {
				o.id.uid, o.id.pod = s.PodUID, o.pod
			}
			if s.Pod != "" {
				t.meet(o)
			}
		case s.Pod != "":
			lacking[podName{s.Namespace, s.Pod}] = nil
		}
	}
	if len(lacking) == 0 {
		return
	}
	for _, b := range t.claims {
		if list, ok := lacking[b.name]; ok {
			lacking[b.name] = append(list, *b.by)
		}
	}
	for _, list := range lacking {
		slices.SortFunc(list, func(a, b uidClaim) int { return a.born.Compare(b.born) })
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
	for i := range t.obs {
		o := &t.obs[i]
		if o.Subject.Pod == "" || o.Subject.PodUID != "" {
			continue
		}
		if len(lacking[podName{o.Subject.Namespace, o.Subject.Pod}]) == 0 &&
			(ofTable(o.Observation) || !listed && o.tells&(toldOfEnd|HasKill|HasFailure|HasHook|HasProbe|HasSandbox) != 0 ||
				!listed && asksWhy(o.Fact) ||
				!listed && o.tells&toldRuntime != 0 && (o.id == nil || o.id.uid == "")) {
			t.nameless(o)
			continue
		}
		list := lacking[podName{o.Subject.Namespace, o.Subject.Pod}]
		if node := cmp.Or(o.Subject.Node, o.Source.Node); nodes[node] {
			list = on(list, node)
		}
		uid := bearerAt(list, o.Time, sideOf(o.Fact))
		if known := o.id.bearer(podName{o.Subject.Namespace, o.Subject.Pod}); known != "" {
			uid = known
		}
		if o.Source.Kind == evidence.SourceAPI && t.ofThePodBefore(uid, o.Time) {
			t.nameless(o)
			continue
		}
		if uid != "" {
			filled := t.made.obs.New() // the snapshot's stays as it is
			*filled = *o.Observation
			filled.Subject.PodUID = uid
			o.Observation, o.pod = filled, t.under(uid)
			if filled.Subject.Namespace == "" && o.pod.name.pod == filled.Subject.Pod {
				filled.Subject.Namespace = o.pod.name.namespace
			}
		}
	}
}

// bearer is the UID of the pod of that name that another line gives with the container's id: the time of a line decides
// less than that. A pod that is deleted and made once more bears its name while its container still ends.
func (e *identity) bearer(name podName) string {
	if e == nil || e.uid == "" || e.pod == nil || e.pod.name.pod != name.pod ||
		name.namespace != "" && e.pod.name.namespace != name.namespace {
		return ""
	}
	return e.uid
}

// unknownUID is how a pod is called of which events tell and nothing has a UID: by its name.
const unknownUID = "name:"

// UID is the pod's UID; "" where none is known.
func (r *Restart) UID() string {
	if strings.HasPrefix(r.PodUID, unknownUID) {
		return ""
	}
	return r.PodUID
}

// nameless gives an event of a pod whose UID nothing tells the name for one: a table of events
// has no UIDs.
func (t *History) nameless(o *seen) {
	filled := t.made.obs.New()
	*filled = *o.Observation
	s := &filled.Subject
	if s.Namespace == "" {
		s.Namespace = evidence.UsualNamespace(s.Pod)
	}
	s.PodUID = unknownUID + s.Namespace + "/" + s.Pod
	o.Observation, o.pod = filled, t.under(s.PodUID)
	t.learn(o.pod, podName{s.Namespace, s.Pod}, time.Time{}, false)
}

// ofThePodBefore tells an event by name from before the pod of that name was created: another one bore it.
func (t *History) ofThePodBefore(uid string, at time.Time) bool {
	p := t.pods[uid]
	return p != nil && p.api != nil && !p.api.Mirror && !at.IsZero() && !p.api.CreatedAt.IsZero() &&
		p.api.CreatedAt.Sub(at) > 2*tolerance.Slack
}

// ofTable tells what may come from a table, which has no UIDs.
func ofTable(o *evidence.Observation) bool {
	rec, record := o.Fact.(evidence.ContainerRecord)
	box, sandbox := o.Fact.(evidence.SandboxRecord)
	return o.Source.Kind == evidence.SourceAPI || record && rec.Coarse || sandbox && box.Coarse
}

// inOneNamespace gives names without a namespace the pods that bear them in one: a table that
// kubectl printed of one namespace does not say which.
func (t *History) inOneNamespace(lacking map[podName][]uidClaim) {
	for name := range lacking {
		if name.namespace != "" {
			continue
		}
		spaces := map[string][]uidClaim{}
		for _, b := range t.claims {
			if b.name.pod == name.pod {
				spaces[b.name.namespace] = append(spaces[b.name.namespace], *b.by)
			}
		}
		if len(spaces) == 1 {
			for _, list := range spaces {
				lacking[name] = list
			}
		}
	}
}

// on leaves out the bearers that are on another node: what a kubelet says of a name is
// about its own pod, also when the name went on to another node long ago.
func on(list []uidClaim, node string) []uidClaim {
	elsewhere := func(b uidClaim) bool { return b.node != "" && b.node != node }
	if !slices.ContainsFunc(list, elsewhere) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), elsewhere)
}

// node is the node that the API has the pod on, "" where it is not known.
func (p *pod) node() string {
	if p.api == nil {
		return ""
	}
	return p.api.Node
}

// meet takes from an observation that its pod bore a name, and when.
func (t *History) meet(o *seen) {
	p, name := o.pod, podName{o.Subject.Namespace, o.Subject.Pod}
	if p.named && p.born.sure && p.name == name {
		return // the API said it all
	}
	t.learn(p, name, firstSeen(o.Observation), false)
}

// learn takes that a pod bore a name at a time; sure is that it did from then on.
func (t *History) learn(p *pod, name podName, at time.Time, sure bool) {
	b := &p.born
	switch {
	case !p.named:
		p.name, p.named = name, true
		*b = uidClaim{p.uid, at, sure, p.node()}
		t.claims = append(t.claims, nameClaim{name, b})
		return
	case p.name != name:
		key := nameAndUID{name, p.uid}
		if b = t.second[key]; b == nil {
			if t.second == nil {
				t.second = map[nameAndUID]*uidClaim{}
			}
			b = &uidClaim{p.uid, at, sure, p.node()}
			t.second[key] = b
			t.claims = append(t.claims, nameClaim{name, b})
			return
		}
	}
	if !b.sure && !at.IsZero() && (b.born.IsZero() || at.Before(b.born)) {
		b.born = at
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
func bearerAt(list []uidClaim, at time.Time, s side) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		if b := &list[0]; s == gone && b.sure && !at.IsZero() && at.Sub(b.born) <= tolerance.Slack {
			return "" // of the one that bore the name before
		}
		return list[0].uid
	}
	if at.IsZero() {
		return ""
	}
	uid := ""
	for i, b := range list {
		if b.born.IsZero() {
			return "" // when it came is not known
		}
		early := tolerance.BornEarly
		if b.sure {
			early = time.Second
		}
		switch since := at.Sub(b.born); {
		case i == 0 && since <= tolerance.Slack:
			return "" // from before all of them, or just about
		case i > 0 && since > -early && since <= tolerance.Slack:
			switch s {
			case leaving:
				return uid
			case coming:
				return b.uid
			}
			return ""
		case since > 0:
			uid = b.uid
		}
	}
	return uid
}
