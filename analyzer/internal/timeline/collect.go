package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// group is all instances of one container name of one pod.
type group struct {
	evidence.Subject
	kind      evidence.ContainerKind
	in        *pod
	node      *NodeStory // nil where it is not known
	pod       *evidence.Pod
	instances []*Instance // by attempt and time
	// restarts is the count that the API reports, -1 when unknown.
	restarts int
	waiting  Waiting
	named    []Occurrence          // marks that name the container, but no id
	logs     *evidence.Observation // its log directory
	// counts are the rises of its restart count, measured what else was counted and measured, by time.
	counts, measured []Occurrence
}

// The quality of a source for times and codes: the runtime's own record beats
// the API's (whole seconds), which beats the logs (PLEG lags up to a second), and those what was read every so often.
const (
	fromMetrics int8 = iota + 1
	fromKubeletLog
	fromRuntimeLog
	fromAPI
	fromCRI
)

// The fields of an instance that several sources tell.
const (
	ofCreated = iota
	ofStarted
	ofFinished
	ofExit
	ofImage
	fields
)

// collect makes the instances and folds every observation about them into them.
func (t *History) collect() {
	for i := range t.obs {
		o := &t.obs[i]
		e := o.id
		switch {
		case e == nil:
			t.note(o)
			continue
		case e.sandbox:
			t.noteSandbox(e, o.Observation)
			continue
		case e.Container == "" || e.PodUID == "":
			continue // nothing names it: leave it out rather than guess
		}
		in := e.instance
		if in == nil {
			in = t.made.instances.New()
			in.ID, in.SandboxID, in.Attempt, in.Guessed = o.Subject.ContainerID, e.SandboxID, e.attempt, e.guessed
			in.Marks, in.Records = t.made.marks.Take(int(e.tellers))[:0], t.made.records.Take(int(e.recorded))[:0]
			e.instance, e.group = in, t.group(e.pod, &e.Subject, e.kind)
			e.group.instances = append(e.group.instances, in)
		}
		t.fold(in, o.Observation, e.Node)
		in.told |= o.tells | toldAnything
		if o.tells&toldContainer == 0 || o.Source.Kind != evidence.SourceAPI {
			continue
		}
		if rec, ok := o.Fact.(evidence.ContainerRecord); ok && !rec.Last {
			e.group.restarts = max(e.group.restarts, rec.RestartCount)
		}
	}
	for _, e := range t.ids.all {
		if e.instance != nil && e.in != nil && e.in.id == e.SandboxID {
			e.instance.sandbox = e.in.box
		}
	}
	t.endOfVictims()
	t.joinUnnamed()
	for _, g := range t.groups {
		g.recall()
		if !slices.IsSortedFunc(g.instances, order) {
			slices.SortStableFunc(g.instances, order)
		}
	}
}

// group returns the group of a container of a pod, a new one if there is none yet.
func (t *History) group(p *pod, s *evidence.Subject, kind evidence.ContainerKind) *group {
	g := p.group(s.Container)
	if g == nil {
		g = t.made.groups.New()
		g.Subject, g.kind, g.in, g.pod, g.restarts = *s, kind, p, p.api, -1
		g.PodUID = p.uid // a static pod is known by two UIDs
		if p.api != nil {
			g.Node, g.Namespace, g.Pod = cmp.Or(p.api.Node, g.Node), p.api.Namespace, p.api.Name
			g.kind = p.kind(s.Container)
		}
		p.add(g)
		t.groups = append(t.groups, g)
	}
	return g
}

// note files an observation that has no container id: about a container by
// name, about a pod, or about a node (those are in the node's story).
func (t *History) note(o *seen) {
	s := &o.Subject
	if o.pod == nil || s.Container == "" {
		return // attachPods finds those by pod
	}
	g := t.group(o.pod, s, o.pod.kind(s.Container))
	switch f := o.Fact.(type) {
	case evidence.RestartCount:
		g.restarts = max(g.restarts, f.Count)
	case evidence.ContainerRecord: // waiting, or a state without an id
		if f.State == evidence.StateWaiting {
			g.waiting = Waiting{f.Reason, f.Message.String(), []string{o.ID}}
		}
		if f.RestartCount >= 0 {
			g.restarts = max(g.restarts, f.RestartCount)
		}
		if f.ExitCode != nil || f.State == evidence.StateExited {
			// An end without an id: the kubelet lost the container and invented
			// its end (ContainerStatusUnknown).
			in := &Instance{Attempt: -1, lost: true, present: !f.Last}
			t.fold(in, o.Observation, s.Node)
			in.told |= o.tells | toldAnything
			g.instances = append(g.instances, in)
		}
	case evidence.ContainerLogs:
		g.logs = o.Observation
	case evidence.RestartCounted:
		g.counts = append(g.counts, Occurrence{o.Time, o.Observation})
	case evidence.Counted, evidence.MemoryNear, evidence.ProbeTotals:
		g.measured = append(g.measured, Occurrence{o.Time, o.Observation})
	default:
		g.named = append(g.named, Occurrence{o.Time, o.Observation})
		if at, ok := firstOf(o.Observation); ok {
			g.named = append(g.named, Occurrence{at, o.Observation})
		}
	}
}

// firstOf returns the first occurrence of an aggregated event.
func firstOf(o *evidence.Observation) (time.Time, bool) {
	var count int
	var at time.Time
	switch f := o.Fact.(type) {
	case evidence.KillDecided:
		count, at = f.Count, f.First
	case evidence.ProbeFailed:
		count, at = f.Count, f.First
	case evidence.SandboxChanged:
		count, at = f.Count, f.First
	}
	return at, count > 1 && !at.IsZero() && !at.Equal(o.Time)
}

func (t *History) noteSandbox(e *identity, o *evidence.Observation) {
	sb := t.sandbox(e, false)
	switch f := o.Fact.(type) {
	case evidence.ContainerDied:
		if node := cmp.Or(o.Subject.Node, o.Source.Node); !t.firstRelist(node, o.Time) {
			sb.Died = append(sb.Died, Occurrence{o.Time, o})
		}
	case evidence.TaskExited:
		sb.Died = append(sb.Died, Occurrence{taskEnd(f, o.Time), o})
	case evidence.ContainerStarted:
		if sb.Created.IsZero() {
			sb.Created = o.Time
		}
	}
}

// fold takes from an observation what it says about the instance; a better
// source overwrites a worse one, never the other way round.
func (t *History) fold(in *Instance, o *evidence.Observation, node string) {
	in.Marks = append(in.Marks, Occurrence{o.Time, o})
	switch f := o.Fact.(type) {
	case evidence.ContainerRecord:
		q := fromAPI
		if o.Source.Kind == evidence.SourceCRI {
			q = fromCRI
		}
		if f.Coarse {
			q = fromKubeletLog
			in.coarse = true
		}
		in.before = in.before || f.Last
		in.InStatus = in.InStatus || o.Source.Kind == evidence.SourceAPI && f.State == evidence.StateExited
		in.Records = append(in.Records, o.ID)
		in.setTime(ofCreated, &in.Created, f.Created, q)
		in.setTime(ofStarted, &in.Started, f.Started, q)
		in.setTime(ofFinished, &in.Finished, f.Finished, q)
		switch {
		case f.ExitCode != nil && in.better(ofExit, q):
			in.ExitCode, in.Signal, in.Reason = f.ExitCode, f.Signal, f.Reason
		case f.ExitCode == nil && f.State == evidence.StateExited && in.Reason == "":
			in.Reason = f.Reason // a piece of text that leaves the code out
		}
		if !f.Message.Empty() {
			in.Message = f.Message
		}
		if f.Image != "" && in.better(ofImage, q) {
			in.Image = f.Image
		}
		in.ImageID, in.Hash = cmp.Or(in.ImageID, f.ImageID), cmp.Or(in.Hash, f.Hash)
		in.Runtime = cmp.Or(in.Runtime, f.Runtime)
		in.CgroupsPath = cmp.Or(in.CgroupsPath, f.CgroupsPath)
		if f.Attempt >= 0 {
			in.Attempt = f.Attempt
		}
		if f.PID > 0 {
			in.PID = f.PID
		}
		if f.State == evidence.StateExited || in.State == "" {
			in.State = f.State
		}
	case evidence.TaskStarted:
		in.PID = cmp.Or(in.PID, f.PID)
	case evidence.RuntimeCreated:
		in.setTime(ofCreated, &in.Created, o.Time, fromRuntimeLog)
	case evidence.ContainerStarted:
		if !t.firstRelist(node, o.Time) {
			in.setTime(ofStarted, &in.Started, o.Time, fromKubeletLog)
		}
	case evidence.ContainerDied:
		in.State = evidence.StateExited
		if !t.diedBefore(in, node, o.Time) {
			in.setTime(ofFinished, &in.Finished, o.Time, fromKubeletLog)
		}
	case evidence.ContainerFinished:
		in.State = evidence.StateExited
		if in.better(ofExit, fromKubeletLog) {
			in.ExitCode = new(f.ExitCode)
		}
		in.Records = append(in.Records, o.ID)
		if !t.diedBefore(in, node, o.Time) {
			in.setTime(ofFinished, &in.Finished, o.Time, fromKubeletLog)
		}
	case evidence.TaskExited:
		in.State = evidence.StateExited
		in.setTime(ofFinished, &in.Finished, o.Time, fromRuntimeLog)
		in.PID = cmp.Or(in.PID, f.PID)
		if f.ExitCode != nil && in.better(ofExit, fromRuntimeLog) {
			in.ExitCode = f.ExitCode
		}
	}
}

// firstRelist tells whether the time is right after a start of the kubelet: its
// first relist reports every container that runs as just started and every dead
// one as just died, so the times of these lines are not those of start and death
// (kubelet pleg/generic.go).
func (t *History) firstRelist(node string, at time.Time) bool {
	run, _ := t.node(node).KubeletAt(at)
	return run != nil && at.Sub(run.Start) < tolerance.FirstRelist
}

func (i *Instance) better(field int, q int8) bool {
	if q < i.quality[field] {
		return false
	}
	i.quality[field] = q
	return true
}

func (i *Instance) setTime(field int, have *time.Time, at time.Time, q int8) {
	// Within one source the first time counts: a line may be repeated later.
	if at.IsZero() || !have.IsZero() && q <= i.quality[field] {
		return
	}
	i.quality[field] = q
	*have = at
}

// order sorts instances by time, and by attempt where times are missing or equal.
func order(a, b *Instance) int {
	if a.present != b.present { // a lost one may have no time, and is the newest all the same
		if a.present {
			return 1
		}
		return -1
	}
	if a.Attempt >= 0 && b.Attempt >= 0 && a.Attempt != b.Attempt {
		// What ended before it started saw the clock put back: its start is by another clock than those of its neighbours.
		if a.coarse || b.coarse || a.turned() || b.turned() {
			return cmp.Compare(a.Attempt, b.Attempt)
		}
		// Attempts restart at 0 when the runtime lost its records: then time decides.
		if x, y := a.begin(), b.begin(); x.IsZero() || y.IsZero() || x.Sub(y).Abs() < time.Second {
			return cmp.Compare(a.Attempt, b.Attempt)
		}
	}
	x, y := a.begin(), b.begin()
	if x.IsZero() != y.IsZero() { // what has no time is the older one: its record is worn
		if x.IsZero() {
			return -1
		}
		return 1
	}
	return cmp.Or(x.Compare(y), cmp.Compare(a.Attempt, b.Attempt), cmp.Compare(a.ID, b.ID))
}

// taskEnd is when a task ended of which a line tells: by its own word, unless that is of another time altogether.
func taskEnd(f evidence.TaskExited, line time.Time) time.Time {
	if lag := line.Sub(f.Ended); !f.Ended.IsZero() && lag > 0 && lag <= tolerance.Outlived {
		return f.Ended
	}
	return line
}
