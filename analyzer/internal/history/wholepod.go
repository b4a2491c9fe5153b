package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/told"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file makes deaths of pods that ended as a whole without a container's record: an evicted pod's statuses may be
// gone, a refused one never had any, and of a pod that was deleted, or whose sandbox was recreated, only events may be
// left.

// wholePods adds a death for each pod that is known to have ended and has no container's death.
func (t *builder) wholePods() {
	w := &podEnds{builder: t, of: map[*subject.Pod]*timeline.Restart{}, anew: map[*timeline.Restart]bool{},
		stated: map[*subject.Pod]bool{}, refused: map[*subject.Pod]bool{}, restarted: map[*subject.Pod]bool{}}
	for _, r := range t.Restarts {
		w.restarted[t.Of(r.Story)] = true
	}
	w.withReason()
	w.taken()
	w.madeAnew()
	w.static()
	dead := make(map[*subject.Pod]bool, len(w.order))
	for _, r := range t.Restarts {
		p := t.Of(r.Story)
		dead[p] = dead[p] || r.To == nil && (!w.stated[p] || t.endsWithPod(r, w.of[p], w.refused[p]))
	}
	for _, r := range w.order {
		if p := t.Of(r.Story); !dead[p] && !t.life(p).goesOn() {
			t.Restarts = append(t.Restarts, r)
		}
	}
}

// podEnds are the ends of whole pods while they are collected.
type podEnds struct {
	*builder
	of        map[*subject.Pod]*timeline.Restart
	order     []*timeline.Restart
	anew      map[*timeline.Restart]bool // the pod was recreated
	stated    map[*subject.Pod]bool      // a reason is known
	refused   map[*subject.Pod]bool      // it was not admitted
	restarted map[*subject.Pod]bool      // a container's restart or death is known
}

// end returns the end of a pod, a new one if there was none.
func (w *podEnds) end(p *subject.Pod) *timeline.Restart {
	if w.of[p] == nil {
		r := w.restarts.New()
		*r = timeline.Restart{Kind: timeline.KindDeath, PodUID: p.UID, Namespace: p.Name.Namespace,
			PodName: p.Name.Pod, Pod: p.Given, From: &timeline.Instance{Attempt: -1}, Story: p.PodStory}
		if p.Given != nil {
			r.Namespace, r.PodName, r.Node = p.Given.Namespace, p.Given.Name, p.Given.Node
		}
		w.of[p] = r
		w.order = append(w.order, r)
	}
	return w.of[p]
}

// seen returns the end of a pod that an observation shows, on the node that it names where none was known.
func (w *podEnds) seen(p *subject.Pod, o *subject.Seen) *timeline.Restart {
	r := w.end(p)
	r.Node = cmp.Or(r.Node, o.Subject.Node, o.Source.Node)
	return r
}

// withReason adds the pods for whose end a reason is known, and those of the API that failed or have one.
func (w *podEnds) withReason() {
	for i := range w.Obs {
		o := &w.Obs[i]
		if o.Tells&timeline.ToldOfEnd == 0 || o.Pod == nil || o.Subject.Container != "" || !told.EndsForGood(o.Fact) {
			continue
		}
		w.stated[o.Pod] = true
		w.refused[o.Pod] = w.refused[o.Pod] || told.Refusal(o.Fact)
		at := &w.seen(o.Pod, o).From.Finished
		if !o.Time.IsZero() && (at.IsZero() || o.Time.Before(*at)) {
			*at = o.Time
		}
	}
	for i := range w.Snapshot.Pods {
		if p := w.Known(w.Snapshot.Pods[i].UID); p != nil && p.Given != nil && wantsAnswer(p.Given) {
			w.end(p)
		}
	}
}

// taken adds the pods that were stopped as a whole.
func (w *podEnds) taken() {
	for i := range w.Obs {
		o := &w.Obs[i]
		if o.Pod == nil || o.Subject.ContainerID != "" || o.Time.IsZero() || w.restarted[o.Pod] || !w.takesPod(o) {
			continue
		}
		r := w.seen(o.Pod, o)
		r.PodName = cmp.Or(r.PodName, o.Subject.PodUID)
		if at := &r.From.Finished; at.IsZero() {
			*at = o.Time
		}
	}
}

// madeAnew adds the pods whose sandbox was recreated, at the last of these times.
func (w *podEnds) madeAnew() {
	failing := w.failing()
	outdated := map[timeline.PodName]*subject.Seen{} // the last mirror pods that did not match their static pods
	for i := range w.Obs {
		o := &w.Obs[i]
		if m, ok := o.Fact.(evidence.MirrorPod); ok && m.Change == evidence.MirrorOutdated && o.Pod != nil {
			outdated[timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}] = o
		}
		if o.Pod == nil || !blank(o.Pod.Given) || !madeAnew(o.Fact) || w.restarted[o.Pod] || w.firstSandbox(o) ||
			failing[o.Pod].Before(o) ||
			slices.ContainsFunc(w.Bearers[o.Pod.Name], func(p *evidence.Pod) bool { return !blank(p) }) ||
			w.of[o.Pod] != nil && (!w.anew[w.of[o.Pod]] || subject.RowOfNew(o.Fact)) {
			continue
		}
		if mirror := outdated[o.Pod.Name]; mirror != nil && w.renews(mirror, o) {
			w.renewed(mirror, o)
			continue
		}
		r := w.seen(o.Pod, o)
		r.Kind, r.From.Finished, r.From.Records = timeline.KindRestart, o.Time, []string{o.ID}
		w.anew[r] = true
	}
}

// renewed adds the end of a static pod that continues under another UID, unless a restart of that name is known.
func (w *podEnds) renewed(mirror, o *subject.Seen) {
	if slices.ContainsFunc(w.Restarts, func(r *timeline.Restart) bool {
		return r.PodName == o.Pod.Name.Pod && r.Namespace == o.Pod.Name.Namespace && r.PodUID != o.Pod.UID
	}) {
		return
	}
	originate(mirror.Pod, "file", mirror.ID)
	r := w.seen(mirror.Pod, o)
	r.Namespace, r.PodName, r.From.Finished = o.Pod.Name.Namespace, o.Pod.Name.Pod, o.Time
	r.Successor = w.life(o.Pod).successor(o.Subject.PodUID, o.Time)
}

// static adds the ends of static pods that their files or UIDs show.
func (w *podEnds) static() {
	for _, e := range w.staticEnds() {
		if w.restarted[e.pod] || w.of[e.pod] != nil {
			continue
		}
		r := w.end(e.pod)
		r.PodUID, r.Namespace, r.PodName = e.uid, e.name.Namespace, e.name.Pod
		r.From.Finished, r.Node, r.Successor = e.at, cmp.Or(r.Node, e.node), e.next
	}
}

// renews reports whether a kubelet found no sandbox of a static pod just after its mirror pod was found outdated: the
// pod is new then, under another UID, and lost none. A mirror pod that someone deletes is called outdated, too, while
// the sandbox remains (kubelet.go syncPod).
func (t *builder) renews(mirror, o *subject.Seen) bool {
	judged, ok := o.Fact.(evidence.SandboxJudged)
	return ok && judged.Reason == evidence.SandboxNone && mirror.Pod != o.Pod &&
		(timeline.ComputedUID(o.Subject.PodUID) || o.Pod.FromFile()) &&
		mirror.Source.Node == o.Source.Node && o.Time.Sub(mirror.Time) < tolerance.FirstSync
}

// firstSandbox reports whether a kubelet found no sandbox of a pod that the API server had just assigned alone, or that
// nothing earlier tells of while no kubelet was starting: this is normal for every new pod. A starting kubelet gets all
// pods of its node in one line, before anything else.
func (t *builder) firstSandbox(o *subject.Seen) bool {
	if judged, ok := o.Fact.(evidence.SandboxJudged); !ok || judged.Reason != evidence.SandboxNone {
		return false
	}
	all := t.Configured[o.Pod.Name]
	for _, m := range slices.Backward(all[:timeline.IndexAt(all, o.Time.Add(1))]) {
		if c, ok := m.Obs.Fact.(evidence.PodConfig); ok && c.Op == "ADD" {
			run, _ := t.Node(o.Source.Node).KubeletAt(m.At)
			return c.Origin == "api" && c.Others == 0 && o.Time.Sub(m.At) < tolerance.FirstSync &&
				(run == nil || m.At.Sub(run.Start) > tolerance.FirstSync || t.listed(o.Source.Node, run.Start, m.At))
		}
	}
	if ran, ok := t.ran()[o.Pod]; ok && o.Time.Sub(ran) > tolerance.Slack {
		return false
	}
	if run, _ := t.Node(o.Source.Node).KubeletAt(o.Time); run != nil {
		return o.Time.Sub(run.Start) > tolerance.FirstSync
	}
	// Who shows the line alone asks what it means.
	return slices.ContainsFunc(t.Snapshot.Read, func(log evidence.Span) bool {
		return log.Source == evidence.SourceKubeletLog && log.From.Before(o.Time)
	})
}

// ran returns when something first told of a running container of a pod.
func (t *builder) ran() map[*subject.Pod]time.Time {
	if t.ranSince != nil {
		return t.ranSince
	}
	t.ranSince = map[*subject.Pod]time.Time{}
	for i := range t.Obs {
		o := &t.Obs[i]
		if o.Pod == nil || o.Tells&(timeline.HasProbe|timeline.HasKill|timeline.ToldLife|timeline.ToldRuntime) == 0 {
			continue
		}
		first := o.First()
		if have, ok := t.ranSince[o.Pod]; !first.IsZero() && (!ok || first.Before(have)) {
			t.ranSince[o.Pod] = first
		}
	}
	return t.ranSince
}

// listed reports whether a kubelet that started got its pods, or an empty list, before a time.
func (t *builder) listed(node string, start, before time.Time) bool {
	all := t.given[node]
	first, _ := slices.BinarySearchFunc(all, start, time.Time.Compare)
	return first < len(all) && all[first].Before(before)
}

// madeAnew reports whether the message is about a sandbox that was not the pod's first.
func madeAnew(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.SandboxChanged, evidence.SandboxJudged:
		return true
	case evidence.SandboxCreated:
		return f.Attempt > 0
	}
	return subject.RowOfNew(f)
}

// blank reports whether the API shows no containers of the pod: it does not have the pod, or its description is cut.
func blank(p *evidence.Pod) bool { return p == nil || len(p.Containers) == 0 }

// endsWithPod reports whether the end of the pod may explain the death: the container ran until then. One that waited
// to be restarted, that the kubelet killed for its own reason, or that others outlived has another explanation; so has
// one that never ran, unless the pod was refused.
func (t *builder) endsWithPod(r, whole *timeline.Restart, refused bool) bool {
	switch {
	case r.To != nil, t.life(t.Of(r.Story)).outlives(r, whole.From.Finished):
		return false
	case told.Ran(r.Waiting.Reason), r.From.ExitCode != nil && told.CannotStart(r.Waiting.Reason):
		return slices.ContainsFunc(r.From.Marks, func(m timeline.Occurrence) bool { // unless it was stopped with its pod
			k, ok := m.Obs.Fact.(evidence.KillDecided)
			return ok && k.Reason == evidence.KillPod
		})
	case r.Kind == timeline.KindRefused || r.From.Reason == "StartError" || r.From.Reason == "ContainerCannotRun":
		return refused
	}
	return !timeline.Has(r.From.Marks, func(k evidence.KillDecided) bool {
		return k.Reason != "" && k.Reason != evidence.KillPod && k.Reason != evidence.KillUnknownState
	})
}

// outlives reports whether a container of the pod ran longer than the end of a pod takes, or the pod's end was reported
// after the container's own.
func (p *life) outlives(r *timeline.Restart, over time.Time) bool {
	end, takes := r.From.Finished, tolerance.Together
	if r.Pod != nil && r.Pod.GraceSeconds > 0 {
		takes += evidence.Seconds(r.Pod.GraceSeconds)
	}
	return !end.IsZero() && (over.Sub(end) > tolerance.Slack+time.Second ||
		slices.ContainsFunc(p.groups, func(g *group) bool {
			return g.Container != r.Container &&
				slices.ContainsFunc(g.instances, func(in *timeline.Instance) bool { return in.Finished.Sub(end) > takes })
		}))
}

// takesPod reports whether a fact is that a whole pod was ended, without an end of a container: by a daemon on low
// memory, or by its controller, where no pod objects were read, or where someone described the pod that has to go.
func (t *builder) takesPod(o *subject.Seen) bool {
	switch f := o.Fact.(type) {
	case evidence.UserspaceOOMKill:
		return f.Cgroup != ""
	case evidence.PodDeleted:
		given, stated := o.Pod.Given, !f.Until.IsZero()
		return o.Subject.Container == "" && (given == nil && !t.Listed() || given != nil && given.Described() && stated)
	}
	return false
}

// wantsAnswer reports whether a pod of the API failed or has a reason.
func wantsAnswer(p *evidence.Pod) bool {
	return p.Phase == "Failed" || p.Reason != "" && p.Phase != "Succeeded"
}

// goesOn reports whether a container of the pod runs, and nothing says that the pod ended: what was reported about its
// end was taken back, like a taint that is gone. A static pod comes back under its UID.
func (p *life) goesOn() bool {
	switch {
	case p.Given == nil, p.Given.Mirror && p.Given.Phase == "Failed":
		return false
	case !p.Given.Mirror && (p.Given.Phase != "Running" || p.Given.Reason != "" || !p.Given.DeletedAt.IsZero()):
		return false
	}
	return slices.ContainsFunc(p.groups, func(g *group) bool {
		return len(g.instances) > 0 && !g.instances[len(g.instances)-1].Exited()
	})
}
