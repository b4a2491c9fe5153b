package subject

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Entity is what all sources together know about one id.
type Entity struct {
	// Subject is mostly that of an observation about it, and must not be changed: see Own.
	*evidence.Subject
	ID        string
	Kind      evidence.ContainerKind
	Attempt   int
	own       bool // Subject is its own
	IsSandbox bool // the id is a sandbox's
	finished  bool // the kubelet logged its exit code: it is a container
	failed    bool // with an exit code other than 0
	fails     bool // the kubelet or the runtime has such a code of it, or ran into its memory limit
	asked     bool // something asked for its end
	pleg      bool // seen in PLEG events
	lived     bool // ended and was followed like a container
	named     bool // some source identifies it as a container or a sandbox
	dated     bool // some line dates its start or end
	Guessed   bool // its container's name is inferred from nearby lines
	Killed    bool // the kernel killed what may have been its main process
	sureName  bool // a line names its container itself, not just some text (evidence.NameTold)
	// Tellers and Recorded count the observations about it, and those of them that record its end.
	Tellers, Recorded int32

	known    *known            // its times in the records
	In       *Entity           // the last sandbox that was named with it
	Box      *timeline.Sandbox // if it is a sandbox
	UID      string            // of pod
	Owner    *Pod
	Instance *timeline.Instance // set by collect
}

// identify joins what all observations know of each id: the kubelet's PLEG lines have a pod and an id, kill lines an id
// and a name, the runtime's log and records the rest.
func (t *Resolver) identify() {
	for i := range t.Obs {
		o := &t.Obs[i]
		if o.Tells&timeline.ToldOfEnd != 0 && o.Pod != nil {
			o.Pod.judgeEnd(o)
		}
		if o.Tells&timeline.ToldBox != 0 {
			t.tellsOfBox(o)
			continue
		}
		e := o.Who
		if e == nil {
			continue
		}
		s := &o.Subject
		join(e, s).named = true
		e.sureName = e.sureName || s.Container != "" && !names(o.Fact)
		e.Tellers++
		e.judgeEnd(o.Fact)
		switch f := o.Fact.(type) {
		case evidence.RuntimeCreated:
			e.Attempt = f.Attempt
			t.runsIn(e, o.Pod, s.SandboxID)
		case evidence.ContainerRecord:
			if f.Kind != "" {
				e.Kind = f.Kind
			}
			if f.Attempt >= 0 {
				e.Attempt = f.Attempt
			}
			t.runsIn(e, o.Pod, s.SandboxID)
			e.Recorded++
		case evidence.ContainerFinished:
			e.finished, e.failed = true, f.ExitCode != 0
			e.Recorded++
		case evidence.ContainerStarted, evidence.ContainerDied:
			e.pleg = true
		case evidence.ContainerRemoved:
			e.lived = true
		case evidence.KillStarted:
			// With the id alone, as kubelets 1.7–1.20 log it for containers; earlier ones also for sandboxes.
			e.lived = e.lived || s.Pod == "" && s.Container == ""
		case evidence.OOMKill:
			e.Killed = e.Killed || MainVictim(&f)
		case evidence.UserspaceOOMKill:
			e.Killed = e.Killed || f.Cgroup != ""
		}
	}
	for _, e := range t.IDs.All {
		e.Guessed = e.Guessed || e.Container != "" && !e.sureName && !e.IsSandbox
	}
	t.inheritFromSandboxes()
	t.inferNames()
	t.nameVictims()
	for i := range t.Obs { // those about a sandbox may also have named a container
		if o := &t.Obs[i]; o.Who != nil && !o.Who.named {
			o.Who = nil
		}
	}
}

// BoxOf reports whether the other is the sandbox of this container: of both the kubelet says that they died, and of
// this one alone its exit code, which it logs of containers (kubelet v1.23 pleg/generic.go Relist).
func (e *Entity) BoxOf(other *Entity) bool {
	return e.finished && e.pleg && other.pleg && !other.finished
}

// tellsOfBox applies an observation about a sandbox.
func (t *Resolver) tellsOfBox(o *Seen) {
	s := &o.Subject
	id := s.SandboxID
	if _, stop := o.Fact.(evidence.SandboxStopRequested); stop {
		id = cmp.Or(s.SandboxID, s.ContainerID)
	}
	if id == "" {
		return
	}
	e := t.IDs.Of(id)
	e.named, e.IsSandbox = true, true
	sb := t.Box(e, true)
	switch f := o.Fact.(type) {
	case evidence.SandboxRecord:
		sb.Attempt, sb.Created, sb.Ready, sb.CgroupParent, sb.Record = f.Attempt, f.Created, f.Ready, f.CgroupParent, o.ID
		sb.Coarse = f.Coarse
		sb.PodUID = s.PodUID
		join(e, s)
	case evidence.SandboxCreated:
		sb.Attempt = f.Attempt
		if sb.Created.IsZero() {
			sb.Created = o.Time
		}
		sb.PodUID = s.PodUID
		join(e, s)
	case evidence.NameTold:
		sb.PodUID = cmp.Or(sb.PodUID, s.PodUID)
		join(e, s)
	case evidence.SandboxStopRequested:
		sb.StopRequested = append(sb.StopRequested, timeline.Once(o.Observation))
	}
}

// runsIn records that a container was named with a sandbox. Usually it is the one that its pod was named with before.
func (t *Resolver) runsIn(e *Entity, p *Pod, sandbox string) {
	switch {
	case sandbox == "" || e.In != nil && e.In.ID == sandbox:
		return
	case p != nil && p.box != nil && p.box.ID == sandbox:
		e.In = p.box
		return
	}
	e.In = t.IDs.Of(sandbox)
	e.In.named, e.In.IsSandbox = true, true
	t.Box(e.In, true)
	if p != nil {
		p.box = e.In
	}
}

// inheritFromSandboxes assigns to containers the pod of their sandbox.
func (t *Resolver) inheritFromSandboxes() {
	listed := t.Listed()
	for _, e := range t.IDs.All {
		if !e.named {
			continue
		}
		if e.SandboxID != "" {
			sb := e.In
			if sb == nil || sb.ID != e.SandboxID {
				sb = t.IDs.by[e.SandboxID]
			}
			if sb != nil && sb.named {
				e.complete(evidence.Subject{Node: sb.Node, Namespace: sb.Namespace, Pod: sb.Pod, PodUID: sb.PodUID})
			}
		}
		if e.PodUID == "" && !listed && e.Container != "" && e.Pod == "" && e.SandboxID != "" {
			t.podOfSandbox(e)
		}
		if e.PodUID == "" {
			continue
		}
		if e.Owner == nil || e.UID != e.PodUID {
			e.UID, e.Owner = e.PodUID, t.Under(e.PodUID)
		}
		if p := e.Owner.Given; p != nil {
			e.complete(evidence.Subject{Node: p.Node, Namespace: p.Namespace, Pod: p.Name})
		}
		if name := e.Owner.Name; e.Pod == "" && name.Pod != "" { // as another line has it along with the UID
			e.complete(evidence.Subject{Namespace: name.Namespace, Pod: name.Pod})
		}
	}
}

// podOfSandbox assigns to a container a pod that is known only by its sandbox: a few lines of a runtime's log, or
// crictl ps, name the container and not its pod, and containers of one sandbox belong to one pod.
func (t *Resolver) podOfSandbox(e *Entity) {
	s := e.Own()
	s.PodUID = timeline.UnknownUID + evidence.Unnamed + "/" + s.SandboxID
	s.Pod = evidence.Unnamed
	if s.Namespace == "" {
		s.Namespace = evidence.UsualNamespace(evidence.Unnamed)
	}
	t.Learn(t.Under(e.PodUID), timeline.PodName{Namespace: e.Namespace, Pod: e.Pod}, time.Time{}, false)
}

// apiPod returns the pod of an id, nil where nothing has its UID.
func apiPod(e *Entity) *Pod {
	if e.PodUID == "" {
		return nil
	}
	return e.Owner
}

// Box returns the sandbox of an id.
func (t *Resolver) Box(e *Entity, known bool) *timeline.Sandbox {
	if e.Box == nil {
		e.Box = t.room.New()
		e.Box.ID, e.Box.Attempt = e.ID, -1
		t.Sandboxes[e.ID] = e.Box
	}
	e.Box.Known = e.Box.Known || known
	return e.Box
}

// join fills in what a line says; known values stay.
func join(e *Entity, s *evidence.Subject) *Entity {
	if *e.Subject == (evidence.Subject{}) {
		e.Subject, e.own = s, false
	} else {
		e.complete(*s)
	}
	return e
}

// complete is join for a subject that is not kept.
func (e *Entity) complete(s evidence.Subject) {
	all := *e.Subject
	fill(&all.Node, s.Node)
	fill(&all.Namespace, s.Namespace)
	fill(&all.Pod, s.Pod)
	fill(&all.PodUID, s.PodUID)
	fill(&all.Container, s.Container)
	fill(&all.SandboxID, s.SandboxID)
	if all != *e.Subject {
		*e.Own() = all
	}
}

// Own returns the subject for changes.
func (e *Entity) Own() *evidence.Subject {
	if !e.own {
		e.Subject, e.own = new(*e.Subject), true
	}
	return e.Subject
}

func fill(have *string, more string) {
	if *have == "" {
		*have = more
	}
}

// withoutRows drops table rows whose pods are known elsewhere with their UIDs: the rows would be other pods. What such
// a row says of an eviction is of the only one with its name, if a line tells of an end of that.
func (t *Resolver) withoutRows(pods []evidence.Pod) []evidence.Pod {
	if !slices.ContainsFunc(pods, func(p evidence.Pod) bool { return p.Row() }) {
		return pods
	}
	uids := map[timeline.PodName]string{} // also without the namespace: a table of one does not show it
	ended := map[string]bool{}
	for i := range t.Obs {
		s := &t.Obs[i].Subject
		if s.Pod == "" || s.PodUID == "" || names(t.Obs[i].Fact) || strings.HasPrefix(s.PodUID, evidence.Described) {
			continue
		}
		ended[s.PodUID] = ended[s.PodUID] || t.Obs[i].Tells&(tellsOfEnd|timeline.ToldLife) != 0
		for _, name := range []timeline.PodName{{Namespace: s.Namespace, Pod: s.Pod}, {Pod: s.Pod}} {
			if uid, ok := uids[name]; ok && uid != s.PodUID {
				uids[name] = "" // several had it
			} else {
				uids[name] = s.PodUID
			}
		}
	}
	instead := map[string]string{}
	pods = slices.DeleteFunc(slices.Clone(pods), func(p evidence.Pod) bool {
		name := timeline.PodName{Namespace: p.Namespace, Pod: p.Name}
		if p.UID == evidence.Row+"/"+p.Name {
			name.Namespace = ""
		}
		uid, known := uids[name]
		if p.Row() && ended[uid] {
			instead[p.UID] = uid
		}
		return p.Row() && known
	})
	t.give(instead, func(o *evidence.Observation) bool {
		_, evicted := o.Fact.(evidence.PodEvicted)
		return evicted
	})
	return pods
}
