package history

import (
	"cmp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/told"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// group holds all instances of one container name of one pod.
type group struct {
	Node, Namespace, Pod, PodUID, Container string

	kind      evidence.ContainerKind
	in        *life
	node      *timeline.NodeStory // nil where unknown
	pod       *evidence.Pod
	instances []*timeline.Instance // by attempt and time
	// restarts is the count that the API reports, -1 when unknown.
	restarts int
	named    told.Events // marks that name the container, but no id
	*rare                // to be read; see more
}

// rare is what is known of few containers.
type rare struct {
	own     bool // not shared with all other groups
	waiting timeline.Waiting
	idless  []*subject.Seen       // records of its states, without an id
	up      string                // the record of a row in which it runs again
	logs    *evidence.Observation // its log directory
	// counts are the increases of its restart count, measured is what else was counted and measured, by time.
	counts, measured []timeline.Occurrence
}

// more returns what is rare of a container, to be changed.
func (g *group) more() *rare {
	if !g.own {
		g.rare = &rare{own: true}
	}
	return g.rare
}

// collect makes the instances and applies every observation about them.
func (t *builder) collect() {
	for i := range t.Obs {
		o := &t.Obs[i]
		e := o.Who
		switch {
		case e == nil:
			t.note(o)
			continue
		case e.IsSandbox:
			t.noteSandbox(e, o.Observation)
			continue
		case e.Container == "" || e.PodUID == "":
			continue // nothing names it: leave it out rather than guess
		}
		in := e.Instance
		if in == nil {
			in = t.instances.New()
			in.ID, in.SandboxID, in.Attempt, in.Guessed = e.ID, e.SandboxID, e.Attempt, e.Guessed
			in.Marks, in.Records = t.marks.Take(int(e.Tellers))[:0], t.records.Take(int(e.Recorded))[:0]
			e.Instance = in
			g := t.group(e.Owner, e.Subject, e.Kind)
			g.instances = append(g.instances, in)
		}
		t.Fold(in, o.Observation, e.Node)
		if o.Tells&timeline.ToldContainer == 0 || o.Source.Kind != evidence.SourceAPI {
			continue
		}
		if rec, ok := o.Fact.(evidence.ContainerRecord); ok && !rec.Last {
			g := t.group(e.Owner, e.Subject, e.Kind)
			g.restarts = max(g.restarts, rec.RestartCount)
		}
	}
	for _, e := range t.IDs.All {
		if e.Instance != nil && e.In != nil && e.In.ID == e.SandboxID {
			e.Instance.Sandbox = e.In.Box
		}
	}
	t.endOfVictims()
	if t.Listed() { // else alone asks what they are of
		t.ForgetIDs()
	}
	t.joinUnnamed()
	for _, g := range t.groups {
		t.placeIDless(g)
		g.recall()
		t.startedAfterEnds(g)
		if !slices.IsSortedFunc(g.instances, timeline.ByBegin) {
			slices.SortStableFunc(g.instances, timeline.ByBegin)
		}
	}
}

// group returns the group of a container of a pod, creating it if needed.
func (t *builder) group(of *subject.Pod, s *evidence.Subject, kind evidence.ContainerKind) *group {
	p := t.life(of)
	g := p.group(s.Container)
	if g == nil {
		g = t.groupsOf.New()
		g.Node, g.Namespace, g.Pod, g.Container, g.kind = s.Node, s.Namespace, s.Pod, s.Container, p.Kind(s.Container)
		g.in, g.pod, g.restarts, g.rare = p, p.Given, -1, &t.nothing
		g.PodUID = p.UID // a static pod has two UIDs
		if p.Given != nil {
			g.Node, g.Namespace, g.Pod = cmp.Or(p.Given.Node, g.Node), p.Given.Namespace, p.Given.Name
		}
		g.Node = cmp.Or(g.Node, p.On)
		p.add(g)
		t.groups = append(t.groups, g)
	}
	g.kind = cmp.Or(g.kind, kind) // of a pod without its spec
	return g
}

// note records an observation without a container id: about a container by name, about a pod, or about a node (those
// are in the node's story).
func (t *builder) note(o *subject.Seen) {
	s := &o.Subject
	if o.Pod == nil || s.Container == "" {
		return // attachPods finds those by pod
	}
	g := t.group(o.Pod, s, o.Pod.Kind(s.Container))
	switch f := o.Fact.(type) {
	case evidence.RestartCount:
		g.restarts = max(g.restarts, f.Count)
	case evidence.ContainerRecord: // waiting, or a state without an id
		g.kind = cmp.Or(g.kind, f.Kind) // of a pod without its spec
		if f.State == evidence.StateWaiting {
			g.more().waiting = timeline.Waiting{Reason: f.Reason, Message: f.Message.String(), Evidence: []string{o.ID}}
		}
		if f.RestartCount >= 0 {
			g.restarts = max(g.restarts, f.RestartCount)
		}
		if f.ExitCode != nil || f.State == evidence.StateExited || f.State == evidence.StateRunning {
			// An end without an id: the kubelet lost the container and invented its end (ContainerStatusUnknown), or it
			// comes from output for people, which omits the id.
			g.more().idless = append(g.idless, o)
		}
	case evidence.ContainerLogs:
		g.more().logs = o.Observation
	case evidence.RestartCounted:
		g.more().counts = append(g.counts, timeline.Once(o.Observation))
	case evidence.Counted, evidence.MemoryNear, evidence.ProbeTotals:
		g.more().measured = append(g.measured, timeline.Once(o.Observation))
	default:
		g.named = append(g.named, timeline.Once(o.Observation))
		if at, ok := timeline.FirstOf(o.Observation); ok {
			g.named = append(g.named, timeline.Occurrence{At: at, Obs: o.Observation})
		}
	}
}

func (t *builder) noteSandbox(e *subject.Entity, o *evidence.Observation) {
	sb := t.Box(e, false)
	switch f := o.Fact.(type) {
	case evidence.ContainerDied:
		if node := cmp.Or(o.Subject.Node, o.Source.Node); !t.FirstRelist(node, o.Time) {
			sb.Died = append(sb.Died, timeline.Once(o))
		}
	case evidence.TaskExited:
		sb.Died = append(sb.Died, timeline.Occurrence{At: timeline.TaskEnd(f, o.Time), Obs: o})
	case evidence.ContainerStarted:
		if sb.Created.IsZero() {
			sb.Created = o.Time
		}
	}
}
