package evidence

import "time"

// PodDeleted is a pod's deletionTimestamp: someone asked the API to delete it. The observation's time is that of the
// request, which is the timestamp minus the grace period.
type PodDeleted struct {
	Until        time.Time // deletionTimestamp
	GraceSeconds int64     // metadata.deletionGracePeriodSeconds; -1 when absent
}

// Statement implements Fact.
func (PodDeleted) Statement() string { return "pod.deleted" }
