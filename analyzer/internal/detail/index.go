package detail

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// index finds observations by subject. It holds positions only: four bytes for each observation and key.
type index struct {
	obs []*evidence.Observation // by time, as in the snapshot
	// evidence is by id; pod by pod UID; container and sandbox by id, for observations without a pod UID; node by name,
	// for those about the node itself.
	evidence, pod, container, sandbox, node postings
	// reported holds for each observation whether the report quotes it.
	reported []bool
	restarts map[string][]*timeline.Restart // by pod UID
}

// index builds the index on the first request.
func (t *Provider) index() *index {
	if t.ix != nil {
		return t.ix
	}
	obs := t.t.Observations
	x := &index{
		obs:       obs,
		evidence:  post(obs, func(o *evidence.Observation) string { return o.ID }),
		pod:       post(obs, func(o *evidence.Observation) string { return o.Subject.PodUID }),
		container: post(obs, func(o *evidence.Observation) string { return nameless(o, o.Subject.ContainerID) }),
		sandbox:   post(obs, func(o *evidence.Observation) string { return nameless(o, o.Subject.SandboxID) }),
		node:      post(obs, nodeOf),
		reported:  make([]bool, len(obs)),
		restarts:  map[string][]*timeline.Restart{},
	}
	for i := range t.r.Evidence {
		if at, ok := x.find(t.r.Evidence[i].ID); ok {
			x.reported[at] = true
		}
	}
	for _, r := range t.t.Restarts {
		x.restarts[r.PodUID] = append(x.restarts[r.PodUID], r)
	}
	t.ix = x
	return x
}

// nodeOf returns the node that an observation is about, "" where it is about something that runs there.
func nodeOf(o *evidence.Observation) string {
	s := &o.Subject
	switch {
	case s.Pod != "" || s.PodUID != "" || s.Container != "" || s.ContainerID != "" || s.SandboxID != "":
		return ""
	case s.Node != "":
		return s.Node
	}
	return o.Source.Node
}

// nameless returns the id where no pod is known with it: what is in the pod's own postings is not needed twice.
func nameless(o *evidence.Observation, id string) string {
	if o.Subject.PodUID != "" {
		return ""
	}
	return id
}

func (x *index) find(id string) (int32, bool) {
	at := x.evidence.of(id)
	if len(at) == 0 {
		return 0, false
	}
	return at[0], true
}

// postings are positions of observations, ordered by a key and then by position.
type postings struct {
	obs   []*evidence.Observation
	key   func(*evidence.Observation) string
	order []int32
}

// post orders the observations that have the key.
func post(obs []*evidence.Observation, key func(*evidence.Observation) string) postings {
	p := postings{obs: obs, key: key}
	for i := range obs {
		if key(obs[i]) != "" {
			p.order = append(p.order, int32(i))
		}
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		if c := strings.Compare(key(obs[a]), key(obs[b])); c != 0 {
			return c
		}
		return int(a) - int(b)
	})
	return p
}

// of returns the positions of the observations with this key, in order.
func (p postings) of(key string) []int32 {
	if key == "" {
		return nil
	}
	first := func(after bool) int {
		i, _ := slices.BinarySearchFunc(p.order, key, func(at int32, key string) int {
			if c := strings.Compare(p.key(p.obs[at]), key); c < 0 || after && c == 0 {
				return -1
			}
			return 1
		})
		return i
	}
	return p.order[first(false):first(true)]
}

// place identifies where the neighbours of an observation are.
type place struct {
	kind               evidence.SourceKind
	node, where, space string
}

// placeOf returns the file or unit that an observation was read from. The API has one object for each: there the place
// is the list that it is in, such as the events of one namespace.
func placeOf(o *evidence.Observation) place {
	if o.Source.Kind == evidence.SourceAPI {
		list, _, _ := strings.Cut(o.Source.Where, " ")
		return place{o.Source.Kind, "", list, o.Subject.Namespace}
	}
	return place{o.Source.Kind, o.Source.Node, o.Source.Where, ""}
}
