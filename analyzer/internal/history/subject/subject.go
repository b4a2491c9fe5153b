package subject

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/slab"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file resolves what observations are about. Their ids and UIDs are long strings, each looked up once here; later
// code follows pointers. (Looking them up wherever they were needed took half the time of a timeline.)

// Seen is an observation with its resolved subject.
type Seen struct {
	*evidence.Observation
	Who *Entity // of its ContainerID; nil where it has none
	Pod *Pod    // of its PodUID; nil where it has none
	// Tells is the kind of its fact.
	Tells timeline.FactMask
}

// Pod is what is known under one UID: about a pod of the API, which both UIDs of a static pod lead to, or about one
// that is known only from lines.
type Pod struct {
	*timeline.PodStory // what is kept of it
	// Name is the first known one; born says when a pod first had it.
	Name   timeline.PodName
	born   UIDClaim
	named  bool
	left   bool             // a line tells that it was deleted, or ended as a whole
	leaves time.Time        // the first of these lines; zero where one has no time
	On     string           // the node whose kubelet logs about it
	specs  map[string]int32 // indexes in api.Containers, for a pod with too many for a linear search
	box    *Entity          // the last named sandbox
}

// Spec returns a container's spec in the API, nil where unknown.
func (p *Pod) Spec(container string) *evidence.Container {
	if p == nil || p.Given == nil {
		return nil
	}
	all := p.Given.Containers
	if len(all) <= FewGroups {
		for i := range all {
			if all[i].Name == container {
				return &all[i]
			}
		}
		return nil
	}
	if p.specs == nil {
		p.specs = make(map[string]int32, len(all))
		for i := len(all) - 1; i >= 0; i-- { // of two with one name the first wins
			p.specs[all[i].Name] = int32(i)
		}
	}
	if i, ok := p.specs[container]; ok {
		return &all[i]
	}
	return nil
}

// Kind returns the container's kind from the pod's spec, or "" without a spec: logs do not distinguish init containers
// from others.
func (p *Pod) Kind(container string) evidence.ContainerKind {
	if c := p.Spec(container); c != nil {
		return c.Kind
	}
	return ""
}

// Resolver finds out what each observation is about: which container, which pod, by which clock.
type Resolver struct {
	*timeline.History
	Obs    []Seen // the snapshot's, with pod UIDs filled in
	IDs    entities
	All    []*Pod // in the order in which they first appeared
	Claims []nameClaim
	second map[nameAndUID]*UIDClaim // the second name of a UID, and all further ones
	room   slab.Of[timeline.Sandbox]
	pods   slab.Of[Pod]
	told   slab.Of[timeline.PodStory]
	copies slab.Of[evidence.Observation]
	// containers holds for pods the only container that lines name.
	containers map[*Pod]string
}

// Resolved resolves the observations of a snapshot.
func Resolved(s *evidence.Snapshot) *Resolver {
	t := &Resolver{}
	var begun sync.WaitGroup
	begun.Go(func() { t.History = timeline.Begin(s) }) // takes as long, and reads nothing of the other
	t.resolve(s.Observations)
	begun.Wait()
	pods, coverage, losses := t.onOneClock(s)
	t.describe(pods)
	t.know(t.withoutRows(pods))
	for i := range s.Nodes {
		t.Node(s.Nodes[i].Name).Info = s.Nodes[i]
	}
	t.withUIDs()
	t.nodeStories()
	t.Cover(coverage, losses)
	t.identify()
	t.callOff()
	t.finish()
	return t
}

// entities are those of all container and sandbox ids, in the order in which they first appeared.
type entities struct {
	by   map[string]*Entity
	All  []*Entity
	room slab.Of[Entity]
	none evidence.Subject // of those of which nothing is known yet
}

// Of returns the entity of an id, creating it if needed.
func (ids *entities) Of(id string) *Entity {
	e := ids.by[id]
	if e == nil {
		e = ids.room.New()
		e.ID, e.Attempt, e.Subject = id, -1, &ids.none
		ids.by[id] = e
		ids.All = append(ids.All, e)
	}
	return e
}

// wholeIDs finds the whole id for each prefix in a table, or a line of conmon or dockerd, if there is just one.
func wholeIDs(obs []evidence.Observation) map[string]string {
	var short map[string]string
	for i := range obs {
		rec, ok := obs[i].Fact.(evidence.ContainerRecord)
		if n := len(obs[i].Subject.ContainerID); ok && rec.Coarse && n < idLength || n == conmonID || n == ShortID {
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
		for _, n := range []int{ShortID, ShortID + 1, conmonID} { // docker's and crictl's
			if have, ok := short[id[:n]]; ok && have == "" {
				short[id[:n]] = id
			} else if ok && have != id {
				short[id[:n]] = id[:n] // ambiguous
			}
		}
	}
	return short
}

// idLength is the length of the runtimes' ids, conmonID that of the prefix in conmon's lines.
const (
	idLength = 64
	conmonID = 20
)

// resolve indexes the observations and looks up their containers' ids.
func (t *Resolver) resolve(obs []evidence.Observation) {
	t.IDs = entities{by: make(map[string]*Entity, len(obs)/4)}
	whole := wholeIDs(obs)
	t.Obs = make([]Seen, len(obs))
	for i := range obs {
		o := &obs[i]
		s := &t.Obs[i]
		s.Observation, s.Tells = o, timeline.ToldBy(o.Fact)
		if _, removed := o.Fact.(evidence.ContainerRemoved); removed {
			continue
		}
		if id := o.Subject.ContainerID; id != "" {
			s.Who = t.IDs.Of(cmp.Or(whole[id], id))
			s.Who.dated = s.Who.dated || s.Tells&timeline.ToldDated != 0 && !o.Time.IsZero()
		}
	}
	// The removal of a record matters only for a container that something else mentions.
	for i := range obs {
		if _, removed := obs[i].Fact.(evidence.ContainerRemoved); removed {
			t.Obs[i].Who = t.IDs.by[obs[i].Subject.ContainerID]
		}
	}
}

// ForgetIDs lets go of the ids that are in no log: there may be many of them.
func (t *Resolver) ForgetIDs() {
	t.IDs = entities{}
	for i := range t.Obs {
		if o := &t.Obs[i]; o.Source.Kind == evidence.SourceAPI {
			o.Who = nil
		}
	}
}

// know adds the pods of the API. If two share a UID, the later one wins.
func (t *Resolver) know(pods []evidence.Pod) {
	t.Stories = make(map[string]*timeline.PodStory, len(pods)+len(pods)/8)
	t.Bearers = make(map[timeline.PodName][]*evidence.Pod, len(pods))
	room, stories, lists := make([]Pod, len(pods)), make([]timeline.PodStory, len(pods)), make([]*evidence.Pod, len(pods))
	for i := range pods {
		p := t.Known(pods[i].UID)
		if p == nil || p.UID != pods[i].UID {
			p = t.number(&room[i], &stories[i])
		}
		p.UID, p.Given = pods[i].UID, &pods[i]
		t.Stories[p.UID] = p.PodStory
		if uid := p.Given.RuntimeUID(); uid != p.UID {
			t.Stories[uid] = p.PodStory
		}
		name := timeline.PodName{Namespace: p.Given.Namespace, Pod: p.Given.Name}
		have := t.Bearers[name]
		if name.Pod == evidence.Unnamed {
			have = nil // each of them is another pod
		}
		if p.Alone = have == nil; !p.Alone {
			t.Stories[have[0].UID].Alone = false
			t.Bearers[name] = append(have, p.Given)
		} else {
			lists[i] = p.Given
			t.Bearers[name] = lists[i : i+1 : i+1] // nearly every name is unique
		}
		t.Learn(p, name, p.Given.CreatedAt, !p.Given.CreatedAt.IsZero())
	}
	for _, list := range t.Bearers {
		if len(list) > 1 {
			slices.SortStableFunc(list, func(a, b *evidence.Pod) int { return a.CreatedAt.Compare(b.CreatedAt) })
		}
	}
}

// number assigns a pod its index among all.
func (t *Resolver) number(p *Pod, s *timeline.PodStory) *Pod {
	s.Number, p.PodStory = len(t.All), s
	t.All = append(t.All, p)
	return p
}

// Known returns what is known under a UID, nil for nothing.
func (t *Resolver) Known(uid string) *Pod { return t.Of(t.Stories[uid]) }

// Of returns the pod of a story.
func (t *Resolver) Of(s *timeline.PodStory) *Pod {
	if s == nil {
		return nil
	}
	return t.All[s.Number]
}

// Under returns the pod of a UID in an observation, creating it if needed.
func (t *Resolver) Under(uid string) *Pod {
	p := t.Known(uid)
	if p == nil {
		p = t.number(t.pods.New(), t.told.New())
		p.UID = uid
		t.Stories[uid] = p.PodStory
	}
	return p
}

// finish stores what queries need of all observations.
func (t *Resolver) finish() {
	t.Observations = make([]*evidence.Observation, len(t.Obs))
	told := map[timeline.PodName]bool{}
	for i := range t.Obs {
		t.Observations[i] = t.Obs[i].Observation
		if p := t.Obs[i].Pod; p != nil && len(told) <= fewPods && (p.Given == nil || !p.Given.Row()) {
			told[p.Name] = true
		}
	}
	t.OfFewPods = len(told) > 0 && len(told) <= fewPods && !t.Listed()
}

// nodeStories passes the nodes the observations about them.
func (t *Resolver) nodeStories() {
	for i := range t.Obs {
		o := &t.Obs[i]
		if node := cmp.Or(o.Subject.Node, o.Source.Node); o.Tells&timeline.ToldNode != 0 && node != "" {
			t.Node(node).Tell(o.Observation, o.Who != nil)
		}
	}
	t.Ordered()
}

// FewGroups is the most containers of a pod that are searched linearly rather than in a map.
const FewGroups = 8

// fewPods is the most pods in a log excerpt that someone cut to a question. Rows of a table beside it do not count,
// because it lists whatever runs.
const fewPods = 3
