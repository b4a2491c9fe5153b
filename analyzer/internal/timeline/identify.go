package timeline

import (
	"cmp"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// identity is what all sources together know about one id.
type identity struct {
	evidence.Subject
	id       string
	kind     evidence.ContainerKind
	attempt  int
	sandbox  bool // the id is a sandbox's
	finished bool // the kubelet logged its exit code: it is a container
	pleg     bool // seen in PLEG events
	lived    bool // ended and was followed as a container is
	named    bool // something tells of it as a container or as a sandbox
	dated    bool // some line dates its start or end
	guessed  bool // its container's name follows from lines around it
	killed   bool // the kernel killed what may have been its main process
	// tellers and recorded are how many observations tell of it, and how many of them record its end.
	tellers, recorded int32

	known    *known    // what the records tell of its times
	in       *identity // the sandbox that was named with it last
	box      *Sandbox  // where it is a sandbox
	uid      string    // of pod
	pod      *pod
	group    *group    // once collect found it
	instance *Instance // once collect made it
}

// identify joins what all observations tell of each id: the kubelet's PLEG lines know a
// pod and an id, kill lines an id and a name, the runtime's log and records the
// rest.
func (t *History) identify() {
	for i := range t.obs {
		o := &t.obs[i]
		if o.tells&toldBox != 0 {
			t.tellsOfBox(o)
			continue
		}
		e := o.id
		if e == nil {
			continue
		}
		s := &o.Subject
		join(e, s).named = true
		e.tellers++
		switch f := o.Fact.(type) {
		case evidence.RuntimeCreated:
			e.attempt = f.Attempt
			t.runsIn(e, o.pod, s.SandboxID)
		case evidence.ContainerRecord:
			if f.Kind != "" {
				e.kind = f.Kind
			}
			if f.Attempt >= 0 {
				e.attempt = f.Attempt
			}
			t.runsIn(e, o.pod, s.SandboxID)
			e.recorded++
		case evidence.ContainerFinished:
			e.finished = true
			e.recorded++
		case evidence.ContainerStarted, evidence.ContainerDied:
			e.pleg = true
		case evidence.ContainerRemoved:
			e.lived = true
		case evidence.KillStarted:
			// By its id alone, as kubelets 1.7–1.20 say it of containers; those before also of sandboxes.
			e.lived = e.lived || s.Pod == "" && s.Container == ""
		case evidence.OOMKill:
			e.killed = e.killed || mainVictim(&f)
		case evidence.UserspaceOOMKill:
			e.killed = e.killed || f.Cgroup != ""
		}
	}
	t.inheritFromSandboxes()
	t.inferNames()
	t.nameVictims()
	for i := range t.obs { // those that told of a sandbox may have named a container, too
		if o := &t.obs[i]; o.id != nil && !o.id.named {
			o.id = nil
		}
	}
}

// tellsOfBox takes what is said of a sandbox.
func (t *History) tellsOfBox(o *seen) {
	s := &o.Subject
	id := s.SandboxID
	if _, stop := o.Fact.(evidence.SandboxStopRequested); stop {
		id = cmp.Or(s.SandboxID, s.ContainerID)
	}
	if id == "" {
		return
	}
	e := t.ids.of(id)
	e.named, e.sandbox = true, true
	sb := t.sandbox(e, true)
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
	case evidence.SandboxStopRequested:
		sb.StopRequested = append(sb.StopRequested, Occurrence{o.Time, o.Observation})
	}
}

// runsIn tells that a container was named with a sandbox. Mostly it is the one that its pod was named with before.
func (t *History) runsIn(e *identity, p *pod, sandbox string) {
	switch {
	case sandbox == "" || e.in != nil && e.in.id == sandbox:
		return
	case p != nil && p.box != nil && p.box.id == sandbox:
		e.in = p.box
		return
	}
	e.in = t.ids.of(sandbox)
	e.in.named, e.in.sandbox = true, true
	t.sandbox(e.in, true)
	if p != nil {
		p.box = e.in
	}
}

// inheritFromSandboxes gives containers the pod that their sandbox belongs to.
func (t *History) inheritFromSandboxes() {
	listed := t.Listed()
	for _, e := range t.ids.all {
		if !e.named {
			continue
		}
		if e.SandboxID != "" {
			sb := e.in
			if sb == nil || sb.id != e.SandboxID {
				sb = t.ids.by[e.SandboxID]
			}
			if sb != nil && sb.named {
				join(e, &evidence.Subject{Node: sb.Node, Namespace: sb.Namespace, Pod: sb.Pod, PodUID: sb.PodUID})
			}
		}
		if e.PodUID == "" && !listed && e.Container != "" && e.Pod == "" && e.SandboxID != "" {
			t.podOfSandbox(e)
		}
		if e.PodUID == "" {
			continue
		}
		if e.pod == nil || e.uid != e.PodUID {
			e.uid, e.pod = e.PodUID, t.under(e.PodUID)
		}
		if p := e.pod.api; p != nil {
			join(e, &evidence.Subject{Node: p.Node, Namespace: p.Namespace, Pod: p.Name})
		}
	}
}

// podOfSandbox gives a container a pod that only its sandbox is known of: a few lines of a runtime's log, or crictl ps,
// name the container and not its pod, and those of one sandbox are of one pod.
func (t *History) podOfSandbox(e *identity) {
	e.PodUID = unknownUID + evidence.Unnamed + "/" + e.SandboxID
	e.Pod = evidence.Unnamed
	if e.Namespace == "" {
		e.Namespace = evidence.UsualNamespace(evidence.Unnamed)
	}
	t.learn(t.under(e.PodUID), podName{e.Namespace, e.Pod}, time.Time{}, false)
}

// apiPod is the pod of an id, nil where nothing names its UID.
func apiPod(e *identity) *pod {
	if e.PodUID == "" {
		return nil
	}
	return e.pod
}

// sandbox returns the sandbox of an id.
func (t *History) sandbox(e *identity, known bool) *Sandbox {
	if e.box == nil {
		e.box = t.made.boxes.New()
		e.box.ID, e.box.Attempt = e.id, -1
		t.Sandboxes[e.id] = e.box
	}
	e.box.Known = e.box.Known || known
	return e.box
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
