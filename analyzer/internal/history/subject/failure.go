package subject

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Failure is when a pod's sandbox could not be created first. Similar failures, which no event counts, may have come
// before.
type Failure struct {
	since time.Time
	made  time.Time // when one of its containers first began after that: it has had a sandbox since
	most  int       // of all failures, if there may be such ones
}

// combinedFrom is how many similar events there are before they become one (client-go tools/record events_cache.go
// defaultAggregateMaxEvents).
const combinedFrom = 10

// NotMade reports whether the message says that the pod's sandbox or cgroup could not be created, or that a volume did
// not come: the kubelet says so, and of attempt 0 the runtime too. That is a pod's first sandbox, or the next one where
// none is left, as after a wipe (kuberuntime/util PodSandboxChanged). A later attempt replaces one that ended.
func (o *Seen) NotMade() (evidence.StartFailed, bool) {
	if call, ok := o.Fact.(evidence.RuntimeFailed); ok {
		return evidence.StartFailed{Reason: "CreatePodSandboxError", Message: call.Message},
			call.Op == "RunPodSandbox" && call.Attempt == 0
	}
	f, failed := o.Fact.(evidence.StartFailed)
	return f, failed && o.Subject.Container == ""
}

// NoSandbox is NotMade without the volumes and the node's network: a kubelet that waits for these looks at no sandbox,
// and after a reboot the pod has lost one.
func (o *Seen) NoSandbox() (evidence.StartFailed, bool) {
	f, failed := o.NotMade()
	return f, failed && f.Reason != "FailedMount" && f.Reason != "FailedAttachVolume" &&
		f.Reason != evidence.NetworkNotReady
}

// Began reports whether the message is an event that a container was created or started, or its image pulled, which is
// the kubelet's step before: its pod has been made.
func (o *Seen) Began() bool {
	switch e := o.Fact.(type) {
	case evidence.APIEvent:
		return e.Reason == "Created" || e.Reason == "Started"
	case evidence.ImageSeen:
		return o.Source.Event()
	}
	return false
}

// Runs reports whether the message is a record of a container that runs.
func (o *Seen) Runs() bool {
	r, ok := o.Fact.(evidence.ContainerRecord)
	return ok && r.State == evidence.StateRunning
}

// Attached reports whether the message is an event that a volume came.
func (o *Seen) Attached() bool {
	e, ok := o.Fact.(evidence.APIEvent)
	return ok && e.Reason == "SuccessfulAttachVolume"
}

// And adds another message of that kind.
func (f Failure) And(o *Seen, said evidence.StartFailed) Failure {
	if first := o.First(); f.since.IsZero() || first.Before(f.since) {
		f.since = first
	}
	if said.Similar {
		f.most = max(f.most, said.Count+combinedFrom)
	}
	return f
}

// Until adds a message that a container of the pod began.
func (f Failure) Until(o *Seen) Failure {
	at := o.First()
	if at.Before(f.since) {
		at = o.Time // an event counts several beginnings, of which it dates only the first and the last
	}
	if !at.Before(f.since) && (f.made.IsZero() || at.Before(f.made)) {
		f.made = at
	}
	return f
}

// Before reports whether a message is what the kubelet reports for a pod without a sandbox at each attempt to create
// one.
func (f Failure) Before(o *Seen) bool {
	changed, ok := o.Fact.(evidence.SandboxChanged)
	if !ok || f.since.IsZero() || !f.made.IsZero() && o.Time.After(f.made) {
		return false
	}
	first := o.First()
	return !first.Before(f.since) || changed.Count <= f.most && !first.Before(f.since.Add(-tolerance.Similar))
}

// First returns when a message first appeared.
func (o *Seen) First() time.Time {
	if at, ok := timeline.FirstOf(o.Observation); ok {
		return at
	}
	return o.Time
}
