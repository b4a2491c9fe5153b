package worker

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// kubeletRestartGrace: what started less than this before the kubelet does not count as older (kubelet v1.35
// prober_manager.go kubeletRestartGracePeriod).
const kubeletRestartGrace = 10 * time.Second

// Event is one thing that a worker did, and the state it left.
type Event struct {
	// Began is the tick; At is when the step was done, later by the run's duration.
	Began, At   time.Time
	ContainerID string
	// Step names the branch of doProbe that was taken.
	Step Branch
	// Ran is true when the probe was executed; Outcome is then how it ended.
	Ran     bool
	Outcome RunResult
	// Result is what the results manager has for the container afterwards, and Run how many equal outcomes in a row the
	// worker has counted.
	Result probe.Held
	Run    int
	// Announced are the changes that the results manager sent to the sync loop.
	Announced []Announcement
	// Kills: the pod's next sync kills the container for this result.
	Kills bool
	// Ended: the worker is gone.
	Ended bool
}

// Announcement is a result that replaced another one or none.
type Announcement struct {
	At     time.Time
	Result probe.Held
}

// Branch is a branch of doProbe.
type Branch string

// The branches in the order in which doProbe takes them.
const (
	StepNoStatus       Branch = "no-status"
	StepPodOver        Branch = "pod-over"
	StepNoContainer    Branch = "no-container"
	StepOnHold         Branch = "on-hold"
	StepNotRunning     Branch = "not-running"
	StepDeleted        Branch = "pod-deleted"
	StepInitialDelay   Branch = "initial-delay"
	StepAlreadyStarted Branch = "already-started"
	StepNotStarted     Branch = "not-started"
	StepErrored        Branch = "errored"
	StepBelowThreshold Branch = "below-threshold"
	StepResult         Branch = "result"
)

// worker is the state of one probe worker; it outlives containers.
type worker struct {
	rules          Rules
	spec           probe.Spec
	never, sidecar bool
	kubelet        time.Time // when the kubelet process started

	containerID string
	result      probe.Held // of containerID, in the results manager
	last        RunResult
	run         int
	onHold      bool
}

// set is results manager Set: only a change is announced.
func (w *worker) set(e *Event, r probe.Held) {
	if w.result != r {
		w.result = r
		e.Announced = append(e.Announced, Announcement{e.At, r})
	}
}

// adopt switches the worker to a container that it has not seen before.
func (w *worker) adopt(e *Event, v PodView) {
	w.containerID, w.result, w.onHold = v.ContainerID, probe.None, false
	survivor := w.rules.KeepsOverRestart && v.Running && !v.StartedAt.IsZero() &&
		v.StartedAt.Truncate(time.Second).Before(w.kubelet.Add(-kubeletRestartGrace))
	if w.rules.SeedsSidecars && w.sidecar && w.spec.Kind == probe.Startup && v.Started {
		w.set(e, probe.Success)
	}
	if survivor {
		return
	}
	switch w.spec.Kind {
	case probe.Liveness:
		w.set(e, probe.Success)
	case probe.Readiness:
		w.set(e, probe.Failure)
	case probe.Startup:
		w.set(e, w.rules.StartupInitial)
	}
}

// finish records the state after a step. A worker that ends removes its container's result last (run's deferred
// clean-up).
func (w *worker) finish(e *Event) {
	if e.Ended {
		w.result = probe.None
	}
	e.ContainerID, e.Result, e.Run = w.containerID, w.result, w.run
}

// before goes through every branch of doProbe before the probe runs; it returns false when the probe must run.
func (w *worker) before(e *Event, v PodView) (done bool) {
	end := func(s Branch, ends bool) bool {
		e.Step, e.Ended = s, ends
		return true
	}
	switch {
	case v.NoStatus:
		return end(StepNoStatus, false)
	case v.PodOver:
		return end(StepPodOver, true)
	case v.ContainerID == "":
		return end(StepNoContainer, false)
	}
	if w.containerID != v.ContainerID {
		w.adopt(e, v)
	}
	kind := w.spec.Kind
	switch elapsed := e.Began.Sub(v.StartedAt.Truncate(time.Second)); {
	case w.onHold:
		return end(StepOnHold, false)
	case !v.Running:
		w.set(e, probe.Failure)
		if w.endsWith(v) {
			return end(StepNotRunning, true)
		}
		return end(StepNotRunning, false)
	case v.Deleted && w.rules.DeletionEnds && kind != probe.Readiness:
		w.set(e, probe.Success)
		return end(StepDeleted, true)
	case int64(elapsed/time.Second) < int64(w.spec.InitialDelay):
		return end(StepInitialDelay, false)
	case !w.rules.StartupProbes:
		return false
	case kind == probe.Startup && v.Started:
		if w.rules.StartupWorkerEnds {
			return end(StepAlreadyStarted, true) // no later container gets a startup probe: a bug of these patches
		}
		return end(StepAlreadyStarted, false)
	case kind != probe.Startup && !v.Started:
		return end(StepNotStarted, false)
	}
	return false
}

// endsWith reports whether the worker ends with its container.
func (w *worker) endsWith(v PodView) bool {
	switch {
	case !v.Terminated:
		return false
	case w.rules.RestartRules:
		return v.StaysEnded
	}
	return w.never && !(w.sidecar && w.rules.SidecarsOutliveNever)
}

// after counts one outcome.
func (w *worker) after(e *Event, o RunResult) {
	e.Ran, e.Outcome = true, o
	if o == Errored {
		e.Step = StepErrored // neither success nor failure: the count stays
		return
	}
	if w.run > 0 && w.last == o {
		w.run++
	} else {
		// A count that a kill cleared starts again at 1, whatever came last.
		w.run = 1
	}
	w.last = o
	threshold, result := int(w.spec.SuccessThreshold), probe.Success
	if o == Failed {
		threshold, result = int(w.spec.FailureThreshold), probe.Failure
	}
	if w.run < threshold {
		e.Step = StepBelowThreshold
		return
	}
	e.Step = StepResult
	w.set(e, result)
	kind := w.spec.Kind
	if kind == probe.Readiness || (o == Passed && !(kind == probe.Startup && w.rules.HoldsAfterStartup)) {
		return
	}
	w.onHold = kind == probe.Liveness || w.rules.StartupProbes
	switch w.rules.AfterKill {
	case probe.RunReset:
		w.run = 0
	case probe.RunSetTo1:
		w.run = 1
	}
	if o == Failed && (kind == probe.Liveness || w.rules.StartupKills) {
		e.Kills = true
	}
}
