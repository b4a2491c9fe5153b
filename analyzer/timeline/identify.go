package timeline

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// identity is what all sources together know about one id.
type identity struct {
	evidence.Subject
	kind     evidence.ContainerKind
	attempt  int
	sandbox  bool      // the id is a sandbox's
	finished bool      // the kubelet logged its exit code: it is a container
	pleg     bool      // seen in PLEG events
	instance *Instance // once collect made it
}

// identify joins the ids of all observations: the kubelet's PLEG lines know a
// pod and an id, kill lines an id and a name, the runtime's log and records the
// rest. It returns the identity of each observation's ContainerID, nil where it has
// none: ids are long, and looking them up again would cost more than all else.
func identify(t *Timeline) []*identity {
	ids, subjects := make(map[string]*identity, len(t.obs)/4), make([]*identity, len(t.obs))
	var room []identity // many are made: a block at a time
	get := func(id string) *identity {
		e := ids[id]
		if e == nil {
			if len(room) == 0 {
				room = make([]identity, min(256, max(8, len(t.obs))))
			}
			e, room = &room[0], room[1:]
			e.attempt = -1
			ids[id] = e
		}
		return e
	}
	for i := range t.obs {
		o := &t.obs[i]
		s := &o.Subject
		switch f := o.Fact.(type) {
		case evidence.SandboxRecord:
			sb := t.sandbox(s.SandboxID, true)
			sb.Attempt, sb.Created, sb.Ready, sb.CgroupParent, sb.Record = f.Attempt, f.Created, f.Ready, f.CgroupParent, o.ID
			join(get(s.SandboxID), s).sandbox = true
			sb.PodUID = s.PodUID
			continue
		case evidence.SandboxCreated:
			sb := t.sandbox(s.SandboxID, true)
			sb.Attempt = f.Attempt
			if sb.Created.IsZero() {
				sb.Created = o.Time
			}
			join(get(s.SandboxID), s).sandbox = true
			sb.PodUID = s.PodUID
			continue
		case evidence.SandboxStopRequested:
			sb := t.sandbox(first(s.SandboxID, s.ContainerID), true)
			sb.StopRequested = append(sb.StopRequested, Mark{o.Time, o})
			get(sb.ID).sandbox = true
			continue
		}
		if s.ContainerID == "" {
			continue
		}
		e := join(get(s.ContainerID), s)
		subjects[i] = e
		switch f := o.Fact.(type) {
		case evidence.RuntimeCreated:
			e.attempt = f.Attempt
			if s.SandboxID != "" {
				t.sandbox(s.SandboxID, true)
				get(s.SandboxID).sandbox = true
			}
		case evidence.ContainerRecord:
			if f.Kind != "" {
				e.kind = f.Kind
			}
			if f.Attempt >= 0 {
				e.attempt = f.Attempt
			}
			if s.SandboxID != "" {
				t.sandbox(s.SandboxID, true)
				get(s.SandboxID).sandbox = true
			}
		case evidence.ContainerFinished:
			e.finished = true
		case evidence.ContainerStarted, evidence.ContainerDied:
			e.pleg = true
		}
	}
	delete(t.Sandboxes, "")
	delete(ids, "")
	t.inheritFromSandboxes(ids)
	t.inferNames(ids)
	for i := range t.obs { // those that told of a sandbox may have named a container, too
		if id := t.obs[i].Subject.ContainerID; id != "" && subjects[i] == nil {
			subjects[i] = ids[id]
		}
	}
	return subjects
}

// inheritFromSandboxes gives containers the pod that their sandbox belongs to.
func (t *Timeline) inheritFromSandboxes(ids map[string]*identity) {
	for _, e := range ids {
		if sb := ids[e.SandboxID]; e.SandboxID != "" && sb != nil {
			join(e, &evidence.Subject{Node: sb.Node, Namespace: sb.Namespace, Pod: sb.Pod, PodUID: sb.PodUID})
		}
		if p := t.pods[e.PodUID]; p != nil && e.PodUID != "" {
			join(e, &evidence.Subject{Node: p.Node, Namespace: p.Namespace, Pod: p.Name})
		}
	}
}

// inferNames names containers that only PLEG lines know. A pod with a single
// container leaves no choice, provided that the id is a container's: the
// kubelet logs an exit code for containers only (1.22+). Everything else stays
// unnamed and is left out rather than guessed.
func (t *Timeline) inferNames(ids map[string]*identity) {
	for _, e := range ids {
		if e.sandbox || e.Container != "" {
			continue
		}
		if p := t.pods[e.PodUID]; p != nil && e.finished && len(p.Containers) == 1 {
			e.Container, e.kind = p.Containers[0].Name, p.Containers[0].Kind
		}
	}
	for id, e := range ids {
		if e.kind == "" && e.Container != "" {
			e.kind = kindOf(t.pods[e.PodUID], e.Container)
		}
		if !e.sandbox && e.Container == "" && e.pleg && !e.finished && e.PodUID != "" {
			// Neither a container that anything names nor one with an exit code:
			// in all likelihood the pod's sandbox. The timeline says "inferred".
			sb := t.sandbox(id, false)
			sb.PodUID = e.PodUID
			e.sandbox = true
		}
	}
}

// kindOf looks the container up in the pod's spec. Without a spec the kind is
// not known and stays empty: logs do not tell an init container from others.
func kindOf(p *evidence.Pod, container string) evidence.ContainerKind {
	if p != nil {
		for i := range p.Containers {
			if p.Containers[i].Name == container {
				return p.Containers[i].Kind
			}
		}
	}
	return ""
}

func (t *Timeline) sandbox(id string, known bool) *Sandbox {
	s := t.Sandboxes[id]
	if s == nil {
		s = &Sandbox{ID: id, Attempt: -1}
		t.Sandboxes[id] = s
	}
	s.Known = s.Known || known
	return s
}

// join completes what is known by what a line says; what is known stays.
func join(e *identity, s *evidence.Subject) *identity {
	fill(&e.Node, s.Node)
	fill(&e.Namespace, s.Namespace)
	fill(&e.Pod, s.Pod)
	fill(&e.PodUID, s.PodUID)
	fill(&e.Container, s.Container)
	fill(&e.SandboxID, s.SandboxID)
	return e
}

func fill(have *string, more string) {
	if *have == "" {
		*have = more
	}
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
