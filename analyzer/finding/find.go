package finding

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	// slack is how much two sources may disagree about one moment.
	slack = 2 * time.Second
	// oomLag is the time between the kernel's kill and the end of the container
	// as others see it; clocks of kernel log and runtime differ by up to a second.
	oomLag = 5 * time.Second
	// settle is how long a new kubelet may take to act on what it finds.
	settle = 10 * time.Minute
)

// Find works out the findings for one restart.
func Find(t *timeline.Timeline, r *timeline.Restart) *Findings {
	f := &Findings{}
	f.Find(t, r)
	return f
}

// Find works out the findings for one restart in the place of what was there.
func (f *Findings) Find(t *timeline.Timeline, r *timeline.Restart) {
	*f = Findings{R: r, T: t, Node: t.Nodes[r.Node]}
	if r.Kind == timeline.KindNone { // nothing ended: there is nothing else to find
		f.Events = t.EventsCovered(r.Seen)
		f.versions()
		f.around()
		return
	}
	f.coverage()
	f.exit()
	f.kill()
	f.stop()
	f.oom()
	f.sandbox()
	f.versions()
	f.images()
	f.hashes()
	f.staticPod()
	f.ended()
	f.staticEnd()
	f.around()
	f.repeats()
	f.records()
	f.policy()
	f.initAgain()
	f.cgroup()
	f.runtimeSwitch()
}

func (f *Findings) exit() {
	in := f.R.From
	if in.ExitCode == nil {
		return
	}
	f.Exit = Exit{
		Known: true, Code: *in.ExitCode, Reason: in.Reason, Evidence: in.Records,
		Invented:   in.Reason == "ContainerStatusUnknown" || in.Reason == "RestartingAllContainers",
		Lost:       *in.ExitCode == 255 && in.Reason == "Unknown",
		NotStarted: slices.Contains([]string{"StartError", "ContainerCannotRun", "CreateContainerError", "RunContainerError"}, in.Reason),
	}
}

// records looks for words about the container that are no kill: a missing record
// of its resources, a state that the runtime did not know. Both are said at any
// verbosity.
func (f *Findings) records() {
	r := f.R
	for _, marks := range [][]timeline.Mark{r.From.Marks, r.PodMarks} {
		for _, m := range marks {
			_, missing := m.Obs.Fact.(evidence.MissingActuatedRecord)
			if missing && (m.Obs.Subject.Container == "" || m.Obs.Subject.Container == r.Container) {
				f.Record = Fact{Yes, m.At, append(f.Record.Evidence, m.Obs.ID)}
			}
		}
	}
	end := r.End()
	if end.IsZero() {
		return
	}
	covered, _ := f.T.Covered(evidence.SourceKubeletLog, r.Node, end.Add(-time.Minute), end)
	for _, fact := range []*Fact{&f.Record, &f.UnknownState} {
		if fact.Answer != Yes && covered {
			fact.Answer = No
		}
	}
}

func (f *Findings) around() {
	r := f.R
	end := r.End()
	if end.IsZero() || f.Node == nil {
		return
	}
	// A runtime that started before the container was made did not lose it.
	before := time.Minute
	if made := r.From.Created; !made.IsZero() && end.Sub(made) < before {
		before = end.Sub(made)
	} else if made := r.From.Started; !made.IsZero() && end.Sub(made) < before {
		before = end.Sub(made)
	}
	if m := timeline.Near(f.Node.Runtime, end, before, time.Minute); m != nil {
		f.Around.Runtime = Fact{Yes, m.At, ids(m.Obs)}
	}
	since := f.Node.RuntimeSince
	if f.Around.Runtime.Answer != Yes && (f.runtimeStarts || !since.IsZero() && since.Before(end.Add(-before))) {
		f.Around.Runtime.Answer = No
	}
	f.Around.Boot = f.boot()
	f.together()
	if m := timeline.Near(f.Node.Shortages, end, oomLag, oomLag); m != nil {
		f.OOM.Shortage = Fact{Yes, m.At, ids(m.Obs)}
		f.OOM.Elsewhere = slices.ContainsFunc(f.T.Around(r.Node, m.At, oomLag), func(o *timeline.Restart) bool {
			return o != r && o.From.Reason == "OOMKilled"
		})
	}
	if run, _ := f.Node.KubeletAt(end.Add(slack)); run != nil && end.Sub(run.Start) < settle {
		f.Around.Kubelet = Fact{Yes, run.Start, ids(run.Obs)}
	} else if f.KubeletLog {
		f.Around.Kubelet.Answer = No
	}
}

// boot tells whether the node booted between the start of the old instance and
// the start of the next one.
func (f *Findings) boot() Fact {
	r := f.R
	from, until := r.From.Started, f.T.Snapshot.CollectedAt
	if from.IsZero() {
		from = r.From.Created
	}
	if from.IsZero() && !r.End().IsZero() {
		from = r.End().Add(-settle) // nothing tells when it began: look around its end
	}
	switch {
	case r.To != nil && !r.To.Started.IsZero():
		until = r.To.Started
	case r.To == nil && f.End.Answer == Yes && !f.End.At.IsZero():
		until = f.End.At.Add(rebootLag) // what came later found nothing of the pod
	}
	for _, m := range f.Node.BootsAfter(from) {
		if from.IsZero() || !m.At.Before(until.Add(rebootLag)) {
			break
		}
		late := slack
		if _, event := m.Obs.Fact.(evidence.NodeRebooted); event && r.To != nil && r.Next == nil && !r.To.Exited() {
			late = rebootLag // had the node booted after the new instance's start, that one would be gone
		}
		if m.At.Before(until.Add(late)) {
			return Fact{Yes, m.At, ids(m.Obs)}
		}
	}
	if f.Versions.SameProcess || !from.IsZero() && f.upSince(from, until) {
		return Fact{Answer: No}
	}
	return Fact{}
}

// rebootLag is how long after its first containers a kubelet may say that its node
// was rebooted: it does with a status of the node.
const rebootLag = 2 * time.Minute

// upSince tells whether the node demonstrably did not boot in the time: its kernel's
// log covers all of it, or the last boot that the node itself remembers was before.
func (f *Findings) upSince(from, until time.Time) bool {
	if ok, _ := f.T.Covered(evidence.SourceKernelLog, f.R.Node, from, until); ok {
		return true
	}
	last := f.Node.LastBoot()
	return !last.IsZero() && !last.After(from)
}

func ids(obs ...*evidence.Observation) []string {
	out := make([]string, 0, len(obs))
	for _, o := range obs {
		if o != nil {
			out = append(out, o.ID)
		}
	}
	return out
}

// together counts the other pods of the node that lost a container in the same
// moment.
func (f *Findings) together() {
	seen := map[string]bool{f.R.PodUID: true}
	for _, o := range f.T.Around(f.R.Node, f.R.End(), slack) {
		if !seen[o.PodUID] {
			seen[o.PodUID] = true
			f.Together++
		}
	}
}

// repeats counts the neighbours that ended in the same way. What ends a
// container at the same age with the same code again and again is inside it.
func (f *Findings) repeats() {
	for _, next := range []func(*timeline.Restart) *timeline.Restart{
		func(r *timeline.Restart) *timeline.Restart { return r.Prev },
		func(r *timeline.Restart) *timeline.Restart { return r.Next },
	} {
		strict := true
		for o, n := next(f.R), 0; o != nil && n < 5 && f.alike(o); o, n = next(o), n+1 {
			f.Alike++
			if strict = strict && o.From.ExitCode != nil; strict {
				f.Repeats++
			}
		}
	}
}

// alike tells whether another restart of the container ended in the same way, as
// far as that is known.
func (f *Findings) alike(o *timeline.Restart) bool {
	if f.R.From.ExitCode == nil || o.From.ExitCode != nil && *o.From.ExitCode != *f.R.From.ExitCode {
		return false
	}
	for _, m := range o.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.KillStarted, evidence.StopRequested, evidence.OOMKill, evidence.TaskOOM:
			return false
		}
	}
	mine, other := lifetime(f.R.From), lifetime(o.From)
	return mine >= 0 && other >= 0 && (mine-other).Abs() <= max(2*time.Second, max(mine, other)/5)
}

// lifetime is how long an instance lived, -1 when unknown. Its creation is the
// better beginning: PLEG tells of a start up to a second late, after a short life
// only when it is over.
func lifetime(in *timeline.Instance) time.Duration {
	begin := in.Created
	if begin.IsZero() {
		begin = in.Started
	}
	if begin.IsZero() || in.Finished.Before(begin) {
		return -1
	}
	return in.Finished.Sub(begin)
}

// EditLag is how long after an edit the kubelet may act on it: it gets the new
// spec through a watch, at the latest with its next sync.
const EditLag = 3 * time.Minute
