package finding

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/ending"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// PodEnd is what is known of the end of the old instance's pod.
type PodEnd struct {
	Point
	How evidence.Ending
	// Resource is what the node lacked, in the kubelet's terms, for an eviction or a rejection for a resource: memory,
	// ephemeral-storage, pids …
	Resource string
	Reason   string
	Message  string
	// By is who requested the deletion, and with which program, by an audit log of the API server; "" if none was read.
	By string
	// ByOwner: an event of its controller says that it deleted the pod.
	ByOwner bool
	// Origin is the config source of a removal: api, file, http.
	Origin string
	// Soft: the kubelet cannot run the pod at present; it is not Failed and may run later.
	Soft bool
	// Refused: the kubelet did not admit the pod.
	Refused bool
	// OwnLimit: it was evicted because the pod, a container or a volume used more disk space than its limit.
	OwnLimit bool
	// Unwanted: it was removed from its source, or had ended before in a way that nothing tells.
	Unwanted bool
	// Asked is a deletion along with a more specific ending.
	Asked Point
	// Successor is a later pod of the same name.
	Successor *evidence.Pod
}

func (f *Findings) ended() {
	r, e := f.R, &f.End
	untimed, ends := f.endings()
	// If other containers of the pod outlived this one, the status is about something later; if this one was started
	// again, the status is about the present. A static pod ends many times under one UID; the log has each end.
	for _, m := range untimed {
		how, _, _, _ := ending.Of(m.Obs.Fact)
		over := r.To == nil || how == evidence.EndShutdown && r.Next == nil && !f.OOM.Label
		if over && !f.waited() && !f.outlived() && !(f.Static.Answer == Yes && f.KubeletLog) && !f.laterThan(ends, m) {
			f.endedBy(m)
		}
	}
	for _, m := range ends {
		if !f.tooLate(m) {
			f.endedBy(m)
		}
	}
	e.By = f.deleter(slices.Concat(untimed, ends))
	if p := r.Pod; p != nil && e.Answer != Yes && p.DeletedAt.IsZero() &&
		p.Phase != "" && p.Phase != "Failed" && p.Phase != "Succeeded" { // a partial description may lack it
		e.Answer = No
	}
	if e.Answer == Yes && f.Hooked() && f.Kill.Answer == No {
		f.Kill.Answer = Unknown // its hook may be running, or have ended it: the kill itself comes later
	}
	f.announced()
	e.Successor = f.T.Successor(r, r.End())
}

// shutDown takes a kill of the whole pod for one of a graceful shutdown if the node booted right afterwards and the
// pod, which nobody had deleted, went on: with nothing but a boot the kubelet stops no pod, and of its status only the
// boot's may have reached the API server.
func (f *Findings) shutDown() {
	kill, boot, changed := f.Kill, f.NodeEvents.Boot, f.Sandbox.Changed
	if f.End.Answer == Yes || f.R.To == nil || kill.Answer != Yes || kill.Reason != evidence.KillPod ||
		boot.Answer != Yes || !boot.At.After(kill.At) || boot.At.Sub(kill.At) > tolerance.Settle ||
		changed.Answer == Yes && changed.At.Before(boot.At) {
		return
	}
	f.End = PodEnd{Point: basis.Found(kill.At, slices.Concat(kill.Evidence, boot.Evidence)...), How: evidence.EndShutdown,
		Successor: f.End.Successor}
	f.Doubt("no evidence states the shutdown: it follows from the kubelet's stop of the pod and the boot after it",
		f.End.Evidence...)
}

// deleter returns who requested the deletion that ended the pod, by an audit log: the request at the moment that the
// pod's object has, or else right before its kubelet was told. One at another time may be of another pod of that name.
func (f *Findings) deleter(ends []timeline.Occurrence) (by string) {
	var asked, seen time.Time
	var requests []timeline.Occurrence
	for _, m := range ends {
		switch fact := m.Obs.Fact.(type) {
		case evidence.PodDeleted:
			if !fact.By.Empty() {
				requests = append(requests, m)
			} else if !fact.Until.IsZero() && fact.GraceSeconds >= 0 {
				asked = fact.Until.Add(-evidence.Seconds(fact.GraceSeconds))
			}
		case evidence.PodConfig:
			if fact.Op == "DELETE" && (seen.IsZero() || m.At.Before(seen)) {
				seen = m.At
			}
		}
	}
	for _, m := range requests {
		lag := seen.Sub(m.At)
		if asked.IsZero() && (seen.IsZero() || lag > -tolerance.Slack && lag < tolerance.Deletes) ||
			!asked.IsZero() && asked.Sub(m.At).Abs() <= tolerance.Slack {
			return m.Obs.Fact.(evidence.PodDeleted).By.String()
		}
	}
	if len(requests) > 0 {
		f.Doubt("the audit log has a request to delete the pod, at another time than its deletion", requests[0].Obs.ID)
	}
	return ""
}

// announced compares the announced pod end with the deletion and the kill: the announcement stays for minutes where the
// deletion failed (kubernetes v1.26 controller/disruption stalePodDisruptionTimeout).
func (f *Findings) announced() {
	e, r := &f.End, f.R
	if e.Answer != Yes || !slices.ContainsFunc(f.R.Ends(), func(m timeline.Occurrence) bool {
		evicted, ok := m.Obs.Fact.(evidence.PodEvicted)
		return ok && evicted.Announced && slices.Contains(e.Evidence, m.Obs.ID)
	}) {
		return
	}
	next := r.From.Finished
	for _, at := range []time.Time{f.Kill.At, e.Asked.At} {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if p := r.Pod; p != nil && !p.DeletedAt.IsZero() && p.Object != nil && p.Object.DeletionGracePeriodSeconds != nil {
		next = p.DeletedAt.Add(-evidence.Seconds(*p.Object.DeletionGracePeriodSeconds)) // by the announcement's clock
	}
	switch {
	case e.At.IsZero():
		f.Doubt("the pod's condition names who was about to delete it, but not when", e.Evidence...)
	case !next.IsZero() && next.Sub(e.At) > tolerance.Deletes:
		f.Doubt("the pod's condition names who was about to delete it, but it is much older than the deletion", e.Evidence...)
	}
}

// calledOff reports whether nothing followed an announcement: the API still has the pod, and it is not deleted.
func (f *Findings) calledOff(how evidence.Ending, m timeline.Occurrence) bool {
	evicted, ok := m.Obs.Fact.(evidence.PodEvicted)
	p := f.R.Pod
	return ok && evicted.Announced && how != evidence.EndDeleted && how.ByAPI() && p != nil &&
		p.Object != nil && !p.Described() && p.DeletedAt.IsZero() && p.Phase != "Failed" && p.Phase != "Succeeded"
}

// waited reports whether the container had ended before its pod did: it waits to be started again, or its hook had
// failed (kubelet kubelet_pods.go convertToAPIContainerStatuses takes such a reason from the cache of failed starts, in
// which an end of the pod puts none).
func (f *Findings) waited() bool {
	if f.Kill.Answer == Yes && f.Kill.Reason == evidence.KillPod {
		return false
	}
	switch f.R.Waiting.Reason {
	case "", "ContainerCreating", "PodInitializing":
		return false
	case "CrashLoopBackOff", "PostStartHookError":
		return true
	}
	return f.R.From.ExitCode != nil // its next creation failed
}

// outlived reports whether another container of the pod ran longer than the end of a whole pod takes: then the pod end
// in the status does not concern this container.
func (f *Findings) outlived() bool {
	end := f.R.From.Finished
	if end.IsZero() || f.R.Pod == nil {
		return false
	}
	takes := evidence.Seconds(f.R.Pod.GraceSeconds) + tolerance.PodEndLag
	for _, l := range f.R.Lives() {
		for _, in := range l.Instances {
			if l.Container != f.R.Container && in.Finished.Sub(end) > takes {
				return true
			}
		}
	}
	return false
}

// endings returns the evidence of the pod's end, without a time and with one, in order. A static pod comes back under
// the same UID whenever its manifest does: ends before the creation of this container belong to others.
func (f *Findings) endings() (untimed, timed []timeline.Occurrence) {
	all := f.R.Ends()
	timed = timeline.Since(all, time.Time{}.Add(1))
	untimed = all[:len(all)-len(timed)]
	if p := f.R.Pod; p != nil && !p.Mirror && !p.CreatedAt.IsZero() {
		timed = timeline.Since(timed, p.CreatedAt.Add(-tolerance.Slack)) // before that, it was another pod of the name
	}
	if began := f.R.From.Begun(); f.Static.Answer == Yes && !began.IsZero() {
		timed = timeline.Since(timed, began.Truncate(time.Second).Add(-tolerance.Slack))
	}
	return untimed, timed
}

// onlyTold reports whether the reason for the pod's end comes only from sources of one kind that others can write to:
// controllers' logs, which several programs share and which know a pod by its name, or events.
func (f *Findings) onlyTold(by func(*evidence.Source) bool) bool {
	told := false
	untimed, timed := f.endings()
	for _, m := range slices.Concat(untimed, timed) {
		if how, _, _, _ := ending.Of(m.Obs.Fact); how != f.End.How {
			continue
		}
		if !by(&m.Obs.Source) {
			return false
		}
		told = true
	}
	return told
}

// endedBy applies one observation about the pod's end.
func (f *Findings) endedBy(m timeline.Occurrence) {
	e := &f.End
	how, resource, reason, message := ending.Of(m.Obs.Fact)
	if how == "" || f.mirrored(how, m) || f.calledOff(how, m) {
		return
	}
	_, refused := m.Obs.Fact.(evidence.PodRejected)
	e.Unwanted = m.Obs.Fact == (evidence.PodTeardown{Reason: evidence.TeardownUnwanted}) && (e.How == "" || e.Unwanted)
	e.Refused = e.Refused || refused
	e.OwnLimit = e.OwnLimit || how == evidence.EndEvicted && ending.OwnLimit(message)
	if soft := ending.Soft(m.Obs.Fact); how == evidence.EndRejected && (e.How != evidence.EndRejected || e.Soft) {
		e.Soft = soft
	}
	if how == evidence.EndDeleted && e.Asked.Answer != Yes {
		e.Asked = basis.Found(m.At, m.Obs.ID)
	}
	switch was := e.How; {
	case was == how:
		e.Evidence = append(e.Evidence, m.Obs.ID)
		if e.At.IsZero() || !m.At.IsZero() && m.At.Before(e.At) {
			e.At = m.At
		}
		if e.Message == "" {
			e.Reason, e.Message, e.Resource = reason, message, resource
		}
	case was == "" || rank[how] == 0 && rank[was] > 0 || rank[how] > rank[was] && rank[was] > 0:
		e.Point, e.How, e.Resource, e.Reason, e.Message = basis.Found(m.At, m.Obs.ID), how, resource, reason, message
	}
	switch fact := m.Obs.Fact.(type) {
	case evidence.PodConfig:
		e.Origin = fact.Origin
	case evidence.PodDeleted:
		e.ByOwner = e.ByOwner || fact.ByOwner
	}
}

// laterThan reports whether a pod end that the status gives without a time is dated elsewhere, and all those times are
// later than the container's own end.
func (f *Findings) laterThan(dated []timeline.Occurrence, m timeline.Occurrence) bool {
	how, _, _, _ := ending.Of(m.Obs.Fact)
	late := false
	for _, d := range dated {
		if other, _, _, _ := ending.Of(d.Obs.Fact); other != how {
			continue
		}
		if !f.tooLate(d) {
			return false
		}
		late = true
	}
	return late
}

// tooLate reports whether the pod's end came after the container's own: then it did not end the container. The API's
// times have whole seconds, and those of the API server are by its own clock.
func (f *Findings) tooLate(m timeline.Occurrence) bool {
	end, exact := f.ExactEnd()
	if f.waited() {
		return true
	}
	if _, ok := m.Obs.Fact.(evidence.PodConfig); ok { // a kubelet's log has both, and pods are collected hours later
		end = cmp.Or(end, f.R.From.Spoken)
	}
	late := tolerance.Slack + time.Second
	if exact && m.Obs.Source.Kind == evidence.SourceKubeletLog && m.At.Nanosecond() != 0 {
		late = tolerance.Jitter
	}
	return !m.At.IsZero() && !end.IsZero() && m.At.After(end.Add(late)) && !f.toldBehind(m, end)
}

// toldBehind reports whether the kubelet says so only when its kill of the pod has returned, behind the ends: that it
// evicted the pod (v1.31 eviction_manager.go evictPod, preemption.go). If no log of it has a kill, it ended by itself.
func (f *Findings) toldBehind(m timeline.Occurrence, end time.Time) bool {
	_, evicted := m.Obs.Fact.(evidence.PodEvicted)
	ofPod := f.Kill.Answer == Yes && (f.Kill.Reason == "" || f.Kill.Reason == evidence.KillPod) && !f.Kill.At.After(end)
	return evicted && m.Obs.Source.Kind == evidence.SourceKubeletLog && (ofPod || f.Kill.Answer == Unknown) &&
		m.At.Sub(end) <= tolerance.PodEndLag
}

// youngerThan reports whether the pod was created less than so many seconds before the container ended. A deadline can
// only be shortened later.
func (f *Findings) youngerThan(seconds int64) bool {
	made, end := f.R.Pod.CreatedAt, f.R.From.Finished
	return !made.IsZero() && !end.IsZero() && int64(end.Add(tolerance.Slack).Sub(made)/time.Second) < seconds
}
