package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file makes deaths of pods that ended as a whole and left no container that could be
// asked: an evicted pod's statuses may be gone, a refused one never had any, and of a pod
// that was deleted, or whose sandbox was made anew, events may be all that is left.

// wholePods adds the death of every pod whose end something states, where no container's
// death stands for it already.
func (t *History) wholePods() {
	told := map[*pod]*Restart{}
	var order []*Restart
	stated, refuses := map[*pod]bool{}, map[*pod]bool{} // something says why, and that it was not admitted
	end := func(p *pod) *Restart {
		if told[p] == nil {
			r := t.made.restarts.New()
			*r = Restart{Kind: KindDeath, PodUID: p.uid, Namespace: p.name.namespace,
				PodName: p.name.pod, Pod: p.api, From: &Instance{Attempt: -1}, pod: p}
			if p.api != nil {
				r.Namespace, r.PodName, r.Node = p.api.Namespace, p.api.Name, p.api.Node
			}
			told[p] = r
			order = append(order, r)
		}
		return told[p]
	}
	for i := range t.obs {
		o := &t.obs[i]
		if o.tells&toldOfEnd == 0 || o.pod == nil || o.Subject.Container != "" || !endsForGood(o.Fact) {
			continue
		}
		stated[o.pod] = true
		refuses[o.pod] = refuses[o.pod] || refusal(o.Fact)
		r := end(o.pod)
		r.Node = cmp.Or(r.Node, o.Subject.Node, o.Source.Node)
		if at := &r.From.Finished; !o.Time.IsZero() && (at.IsZero() || o.Time.Before(*at)) {
			*at = o.Time
		}
	}
	for i := range t.Snapshot.Pods {
		if p := t.pods[t.Snapshot.Pods[i].UID]; p != nil && p.api != nil && wantsAnswer(p.api) {
			end(p)
		}
	}
	anew, ended := map[*Restart]bool{}, map[*pod]bool{}
	for _, r := range t.Restarts {
		ended[r.pod] = true
	}
	for i := range t.obs { // a daemon that kills all of a pod for want of memory, of which no container's end tells
		o := &t.obs[i]
		k, kills := o.Fact.(evidence.UserspaceOOMKill)
		if !kills || k.Cgroup == "" || o.pod == nil || o.Subject.ContainerID != "" || o.Time.IsZero() || ended[o.pod] {
			continue
		}
		r := end(o.pod)
		r.Node, r.PodName = cmp.Or(r.Node, o.Subject.Node, o.Source.Node), cmp.Or(r.PodName, o.Subject.PodUID)
		if at := &r.From.Finished; at.IsZero() {
			*at = o.Time
		}
	}
	for i := range t.obs {
		o := &t.obs[i]
		if o.pod == nil || !blank(o.pod.api) || !madeAnew(o.Fact) || ended[o.pod] || t.firstSandbox(o) ||
			slices.ContainsFunc(t.named[o.pod.name], func(p *evidence.Pod) bool { return !blank(p) }) ||
			told[o.pod] != nil && !anew[told[o.pod]] {
			continue
		}
		r := end(o.pod)
		r.Kind, r.From.Finished, r.Node = KindRestart, o.Time, cmp.Or(r.Node, o.Subject.Node, o.Source.Node)
		anew[r] = true
	}
	for _, e := range t.staticEnds() {
		if ended[e.pod] || told[e.pod] != nil {
			continue
		}
		r := end(e.pod)
		r.PodUID, r.Namespace, r.PodName = e.uid, e.name.namespace, e.name.pod
		r.From.Finished, r.Node, r.Successor = e.at, cmp.Or(r.Node, e.node), e.next
	}
	dead := make(map[*pod]bool, len(order))
	for _, r := range t.Restarts {
		dead[r.pod] = dead[r.pod] || r.To == nil && (!stated[r.pod] || r.endsWithPod(told[r.pod], refuses[r.pod]))
	}
	for _, r := range order {
		if !dead[r.pod] && !r.pod.goesOn() {
			t.Restarts = append(t.Restarts, r)
		}
	}
}

// firstSandbox tells that a kubelet found no sandbox of a pod that the API server had just given it, alone: so it is
// with every new pod. One that starts is given all pods of its node in one line.
func (t *History) firstSandbox(o *seen) bool {
	if judged, ok := o.Fact.(evidence.SandboxJudged); !ok || judged.Reason != evidence.SandboxNone {
		return false
	}
	all := t.config[o.pod.name]
	for _, m := range slices.Backward(all[:from(all, o.Time.Add(1))]) {
		if c, ok := m.Obs.Fact.(evidence.PodConfig); ok && c.Op == "ADD" {
			run, _ := t.node(o.Source.Node).KubeletAt(m.At)
			return c.Origin == "api" && c.Others == 0 && o.Time.Sub(m.At) < tolerance.FirstSync &&
				(run == nil || m.At.Sub(run.Start) > tolerance.FirstSync)
		}
	}
	return false
}

// blank tells a pod of whose containers the API told nothing: it did not give the pod, or a description of it is cut.
func blank(p *evidence.Pod) bool { return p == nil || len(p.Containers) == 0 }

// madeAnew tells words of a sandbox that was not the pod's first.
func madeAnew(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.SandboxChanged, evidence.SandboxJudged:
		return true
	case evidence.SandboxCreated:
		return f.Attempt > 0
	}
	return false
}

// endsWithPod tells deaths that the end of their pod may stand behind: of a container that ran
// until then. One that waited to be started again, that the kubelet killed for a reason of its own,
// or that others outlived, has its own story; so has one that never ran, unless the pod was refused.
func (r *Restart) endsWithPod(whole *Restart, refused bool) bool {
	switch {
	case r.To != nil, r.pod.outlives(r, whole.From.Finished):
		return false
	case ran(r.Waiting.Reason), r.From.ExitCode != nil && cannotStart(r.Waiting.Reason):
		return slices.ContainsFunc(r.From.Marks, func(m Occurrence) bool { // unless it was stopped with its pod
			k, ok := m.Obs.Fact.(evidence.KillDecided)
			return ok && k.Reason == evidence.KillPod
		})
	case r.Kind == KindRefused || r.From.Reason == "StartError" || r.From.Reason == "ContainerCannotRun":
		return refused
	}
	return !slices.ContainsFunc(r.From.Marks, func(m Occurrence) bool {
		k, ok := m.Obs.Fact.(evidence.KillDecided)
		return ok && k.Reason != "" && k.Reason != evidence.KillPod && k.Reason != evidence.KillUnknownState
	})
}

// outlives tells that a container of the pod ran on for longer than the end of a pod takes, or that
// its end was told of behind the container's own.
func (p *pod) outlives(r *Restart, over time.Time) bool {
	end, takes := r.From.Finished, tolerance.Together
	if r.Pod != nil && r.Pod.GraceSeconds > 0 {
		takes += evidence.Seconds(r.Pod.GraceSeconds)
	}
	return !end.IsZero() && (over.Sub(end) > tolerance.Slack+time.Second ||
		slices.ContainsFunc(p.groups, func(g *group) bool {
			return g.Container != r.Container &&
				slices.ContainsFunc(g.instances, func(in *Instance) bool { return in.Finished.Sub(end) > takes })
		}))
}

// endsForGood tells facts that are the end of a pod, and not of its object alone.
func endsForGood(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.PodEvicted:
		return f.Reason != "TerminationByKubelet"
	case evidence.PodRejected:
		return true
	}
	return false
}

// refusal tells ends of pods that were not admitted, or whose node was about to go: their
// containers need not have run.
func refusal(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.PodEvicted:
		return f.Reason == "Terminated" || f.Reason == "Shutdown" || f.Reason == "NodeShutdown"
	case evidence.PodRejected:
		return true
	}
	return false
}

// wantsAnswer tells a pod of the API that failed or carries a reason.
func wantsAnswer(p *evidence.Pod) bool {
	return p.Phase == "Failed" || p.Reason != "" && p.Phase != "Succeeded"
}

// goesOn tells a pod of which a container was seen to run, and nothing says that it ended:
// what was told of its end was taken back, as a taint that is gone. A static pod comes back
// under its UID.
func (p *pod) goesOn() bool {
	switch {
	case p.api == nil, p.api.Mirror && p.api.Phase == "Failed":
		return false
	case !p.api.Mirror && (p.api.Phase != "Running" || p.api.Reason != "" || !p.api.DeletedAt.IsZero()):
		return false
	}
	return slices.ContainsFunc(p.groups, func(g *group) bool {
		return len(g.instances) > 0 && !g.instances[len(g.instances)-1].Exited()
	})
}
