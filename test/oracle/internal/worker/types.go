package worker

import "time"

// RunResult is how one run of a probe ended.
type RunResult int

// A warning (an HTTP redirect elsewhere) is a success. Errored is a run that failed to execute in three tries: it is no
// result, and does not count.
const (
	Passed RunResult = iota
	Failed
	Errored
)

// PodView is the status manager's view of the pod at a tick. A worker sees a container only through it, so a little
// later than the runtime.
type PodView struct {
	// NoStatus: the kubelet has no status for the pod. PodOver: its phase is
	// Failed or Succeeded. Deleted: it has a deletion timestamp, and the kubelet terminates it.
	NoStatus, PodOver, Deleted bool
	// ContainerID is "" before the container is created.
	ContainerID string
	// Running with StartedAt, or Terminated, or (neither) waiting.
	Running, Terminated bool
	// StartedAt has whole seconds: the status manager truncates it.
	StartedAt time.Time
	// Started is the status' started field; false when absent.
	Started bool
	// StaysEnded: according to restart policy and rules this end was the last one (1.35+; before, the pod's restart
	// policy alone decides).
	StaysEnded bool
}

func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }
