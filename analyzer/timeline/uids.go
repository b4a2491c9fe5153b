package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// podName is what lines without a UID call a pod by.
type podName struct{ namespace, pod string }

// bearer is one pod that bore a name.
type bearer struct {
	uid  string
	node string    // that the API has it on, "" if unknown
	born time.Time // creation by the API, else the first that was seen of it
	sure bool      // born is the API's
}

// withUIDs returns the observations with pod UIDs filled in where a line names a
// pod and nothing else: from the API's pods and from lines that know both. Where
// several pods bore the name, one after the other, the time decides; close to a
// change of bearers nothing does, and the line stays without.
func (t *Timeline) withUIDs(obs []evidence.Observation, pods []evidence.Pod) []evidence.Observation {
	bearers, lacking := t.bearers(obs, pods)
	if !lacking {
		return obs
	}
	nodes := map[string]bool{} // the cluster's, as the API names them
	for i := range t.Snapshot.Nodes {
		nodes[t.Snapshot.Nodes[i].Name] = true
	}
	for i := range pods {
		nodes[pods[i].Node] = true
	}
	out := slices.Clone(obs) // the snapshot stays as it is
	for i := range out {
		if o := &out[i].Subject; o.Pod != "" && o.PodUID == "" {
			list := bearers[podName{o.Namespace, o.Pod}]
			if node := cmp.Or(o.Node, out[i].Source.Node); nodes[node] {
				list = on(list, node)
			}
			o.PodUID = bearerAt(list, out[i].Time, sideOf(out[i].Fact))
		}
	}
	return out
}

// on leaves out the bearers that are on another node: what a kubelet says of a name is
// about its own pod, also when the name went on to another node long ago.
func on(list []bearer, node string) []bearer {
	elsewhere := func(b bearer) bool { return b.node != "" && b.node != node }
	if !slices.ContainsFunc(list, elsewhere) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), elsewhere)
}

func (t *Timeline) bearers(obs []evidence.Observation, pods []evidence.Pod) (all map[podName][]bearer, lacking bool) {
	all = map[podName][]bearer{}
	learn := func(n podName, uid, node string, at time.Time, sure bool) {
		if p := t.pods[uid]; p != nil {
			uid = p.UID // a static pod has two
		}
		list := all[n]
		for i := range list {
			if b := &list[i]; b.uid == uid {
				if !b.sure && !at.IsZero() && (b.born.IsZero() || at.Before(b.born)) {
					b.born = at
				}
				return
			}
		}
		all[n] = append(list, bearer{uid, node, at, sure})
	}
	for i := range pods {
		p := &pods[i]
		learn(podName{p.Namespace, p.Name}, p.UID, p.Node, p.CreatedAt, !p.CreatedAt.IsZero())
	}
	for i := range obs {
		switch o := &obs[i].Subject; {
		case o.Pod == "":
		case o.PodUID == "":
			lacking = true
		default:
			learn(podName{o.Namespace, o.Pod}, o.PodUID, "", firstSeen(&obs[i]), false)
		}
	}
	for _, list := range all {
		slices.SortFunc(list, func(a, b bearer) int { return a.born.Compare(b.born) })
	}
	return all, lacking
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
)

func sideOf(f evidence.Fact) side {
	c, ok := f.(evidence.PodConfig)
	switch {
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
func bearerAt(list []bearer, at time.Time, s side) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
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
		early := 5 * time.Second
		if b.sure {
			early = time.Second
		}
		switch since := at.Sub(b.born); {
		case i == 0 && since <= 2*time.Second:
			return "" // from before all of them, or just about
		case i > 0 && since > -early && since <= 2*time.Second:
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
