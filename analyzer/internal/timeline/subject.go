package timeline

import (
	"cmp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/slab"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file resolves what observations are about. Their ids and UIDs are long strings,
// each looked up once here; everything behind it follows pointers. (Looking them up wherever they
// were needed was half the time of a timeline.)

// seen is an observation with what its subject stands for.
type seen struct {
	*evidence.Observation
	id  *identity // of its ContainerID; nil where it has none
	pod *pod      // of its PodUID; nil where it has none
	// tells is what kind of fact it is.
	tells FactMask
}

// pod is what is known under one UID: of a pod of the API, which a static pod's two UIDs
// lead to, or of one that only lines know.
type pod struct {
	uid string        // in the API; else as lines have it
	api *evidence.Pod // nil when the API did not give it
	// name is the first one that was seen, with when its bearer was first seen.
	name  podName
	born  uidClaim
	named bool
	alone bool // the API has it, and no other one of its name

	groups   []*group
	more     map[string]*group // of a pod with more containers than are worth going through
	specs    map[string]int32  // places in api.Containers, of such a pod
	marks    []Occurrence      // what was said of the pod or its sandboxes, by time
	expected int               // how many marks there will be
	tells    FactMask          // what kinds of facts the marks are
	anew     *int              // how often its sandbox was made anew; nil before that was counted
	ends     []Occurrence
	origin   ConfigSources
	lives    []Lineage
	inits    []Lineage  // of lives, those of ordinary init containers
	box      *identity  // the sandbox that was named last
	restarts []*Restart // by end
}

// fewGroups is how many containers of a pod are gone through, rather than looked up.
const fewGroups = 8

func (p *pod) group(container string) *group {
	if p.more != nil {
		return p.more[container]
	}
	for _, g := range p.groups {
		if g.Container == container {
			return g
		}
	}
	return nil
}

func (p *pod) add(g *group) {
	p.groups = append(p.groups, g)
	if p.more == nil && len(p.groups) > fewGroups {
		p.more = make(map[string]*group, 2*len(p.groups))
		for _, g := range p.groups {
			p.more[g.Container] = g
		}
	} else if p.more != nil {
		p.more[g.Container] = g
	}
}

// spec is a container's spec in the API, nil where that is not known.
func (p *pod) spec(container string) *evidence.Container {
	if p == nil || p.api == nil {
		return nil
	}
	all := p.api.Containers
	if len(all) <= fewGroups {
		for i := range all {
			if all[i].Name == container {
				return &all[i]
			}
		}
		return nil
	}
	if p.specs == nil {
		p.specs = make(map[string]int32, len(all))
		for i := len(all) - 1; i >= 0; i-- { // of two by one name the first counts
			p.specs[all[i].Name] = int32(i)
		}
	}
	if i, ok := p.specs[container]; ok {
		return &all[i]
	}
	return nil
}

// kind is the container's kind by the pod's spec. Without a spec it is not known and
// stays empty: logs do not tell an init container from others.
func (p *pod) kind(container string) evidence.ContainerKind {
	if c := p.spec(container); c != nil {
		return c.Kind
	}
	return ""
}

// identities are those of all container and sandbox ids, in the order in which they were
// first seen.
type identities struct {
	by   map[string]*identity
	all  []*identity
	room slab.Of[identity]
}

// of returns the identity of an id, a new one if it was not seen yet.
func (ids *identities) of(id string) *identity {
	e := ids.by[id]
	if e == nil {
		e = ids.room.New()
		e.id, e.attempt = id, -1
		ids.by[id] = e
		ids.all = append(ids.all, e)
	}
	return e
}

// wholeIDs finds the whole id for each one that a table, or a line of conmon or dockerd, shows the beginning of, if
// there is just one.
func wholeIDs(obs []evidence.Observation) map[string]string {
	var short map[string]string
	for i := range obs {
		rec, ok := obs[i].Fact.(evidence.ContainerRecord)
		if n := len(obs[i].Subject.ContainerID); ok && rec.Coarse && n < idLength || n == conmonID || n == shortID {
			if short == nil {
				short = map[string]string{}
			}
			short[obs[i].Subject.ContainerID] = ""
		}
	}
	if short == nil {
		return nil
	}
	for i := range obs {
		id := obs[i].Subject.ContainerID
		if len(id) != idLength {
			continue
		}
		for _, n := range []int{shortID, shortID + 1, conmonID} { // docker's and crictl's
			if have, ok := short[id[:n]]; ok && have == "" {
				short[id[:n]] = id
			} else if ok && have != id {
				short[id[:n]] = id[:n] // of two, it is not known which
			}
		}
	}
	return short
}

// idLength is how long the runtimes' ids are, conmonID how much of one conmon's lines have.
const (
	idLength = 64
	conmonID = 20
)

// resolve reads the observations and looks their containers' ids up.
func (t *History) resolve(obs []evidence.Observation) {
	t.ids = identities{by: make(map[string]*identity, len(obs)/4)}
	whole := wholeIDs(obs)
	t.obs = make([]seen, len(obs))
	for i := range obs {
		o := &obs[i]
		s := &t.obs[i]
		s.Observation, s.tells = o, toldBy(o.Fact)
		if _, removed := o.Fact.(evidence.ContainerRemoved); removed {
			continue
		}
		if id := o.Subject.ContainerID; id != "" {
			s.id = t.ids.of(cmp.Or(whole[id], id))
			s.id.dated = s.id.dated || s.tells&toldDated != 0 && !o.Time.IsZero()
		}
	}
	// That a record was removed says something of a container that something else tells of; of any other it is nothing.
	for i := range obs {
		if _, removed := obs[i].Fact.(evidence.ContainerRemoved); removed {
			t.obs[i].id = t.ids.by[obs[i].Subject.ContainerID]
		}
	}
}

// know takes the pods of the API. Where two share a UID the later one counts.
func (t *History) know(pods []evidence.Pod) {
	t.pods = make(map[string]*pod, len(pods)+len(pods)/8)
	t.named = make(map[podName][]*evidence.Pod, len(pods))
	room, lists := make([]pod, len(pods)), make([]*evidence.Pod, len(pods))
	for i := range pods {
		p := t.pods[pods[i].UID]
		if p == nil || p.uid != pods[i].UID {
			p = &room[i]
		}
		p.uid, p.api = pods[i].UID, &pods[i]
		t.pods[p.uid] = p
		t.pods[p.api.RuntimeUID()] = p
		name := podName{p.api.Namespace, p.api.Name}
		have := t.named[name]
		if p.alone = have == nil; !p.alone {
			t.pods[have[0].UID].alone = false
			t.named[name] = append(have, p.api)
		} else {
			lists[i] = p.api
			t.named[name] = lists[i : i+1 : i+1] // nearly every name is unique
		}
		t.learn(p, name, p.api.CreatedAt, !p.api.CreatedAt.IsZero())
	}
	for _, list := range t.named {
		if len(list) > 1 {
			slices.SortStableFunc(list, func(a, b *evidence.Pod) int { return a.CreatedAt.Compare(b.CreatedAt) })
		}
	}
}

// under returns what is known under a UID that an observation has.
func (t *History) under(uid string) *pod {
	p := t.pods[uid]
	if p == nil {
		p = t.made.pods.New()
		p.uid = uid
		t.pods[uid] = p
	}
	return p
}

// canonical returns what is known under a UID, if that is the one that the API has, or
// nil.
func (t *History) canonical(uid string) *pod {
	if p := t.pods[uid]; p != nil && p.uid == uid {
		return p
	}
	return nil
}

// apiOf is the pod of the API, nil when it is not known.
func apiOf(p *pod) *evidence.Pod {
	if p == nil {
		return nil
	}
	return p.api
}
