package evidence

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// PodDeleted is a pod's deletionTimestamp: someone asked the API to delete it. The observation's time is that of the
// request, which is the timestamp minus the grace period.
type PodDeleted struct {
	Until        time.Time // deletionTimestamp
	GraceSeconds int64     // metadata.deletionGracePeriodSeconds; -1 when absent
	// By is who requested it, and with which program; "" unless an audit log of the API server says so.
	By safetext.Text
	// ByOwner: an event says that the pod's controller deleted it because there were too many (SuccessfulDelete).
	ByOwner bool
}

// RequestedBy begins the message of an eviction if an audit log of the API server names who requested it.
const RequestedBy = "requested by "

// Statement implements Fact.
func (PodDeleted) Statement() string { return "pod.deleted" }
