package timeline

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// EndsAs reports whether an instance with an id matches the end and its time in a record without one.
func (i *Instance) EndsAs(rec *evidence.ContainerRecord) bool {
	return i.comparable(rec) && !i.Finished.IsZero() && !rec.Finished.IsZero() &&
		(i.ExitCode == nil || rec.ExitCode == nil || *i.ExitCode == *rec.ExitCode) &&
		near(i.Finished, rec.Finished, i.Coarse || rec.Coarse)
}

// RanAs reports whether a record without an id shows the end of an instance that was seen while it ran: they started at
// one time, and it ended after that. The next one of a container that ends at once starts within the same seconds.
func (i *Instance) RanAs(rec *evidence.ContainerRecord) bool {
	return i.comparable(rec) && !i.Exited() && i.Finished.IsZero() && !i.Started.IsZero() && !rec.Started.IsZero() &&
		near(i.Started, rec.Started, i.Coarse || rec.Coarse) && rec.Finished.After(i.Started)
}

// comparable reports whether times identify the end in a record without an id. The times that the kubelet invents for a
// lost container (kubelet_pods.go convertToAPIContainerStatuses) match nothing.
func (i *Instance) comparable(rec *evidence.ContainerRecord) bool {
	return i.ID != "" && rec.State == evidence.StateExited && rec.Reason != "ContainerStatusUnknown"
}

// MayEnd reports whether an end without an id may be the instance's: it is not of one that started at another time, nor
// older than the instance.
func (i *Instance) MayEnd(end *Instance) bool {
	coarse := i.Coarse || end.Coarse
	return i.Started.IsZero() || (end.Started.IsZero() || near(i.Started, end.Started, coarse)) &&
		(end.Finished.IsZero() || !end.Finished.Before(i.Started) || near(i.Started, end.Finished, coarse) &&
			end.Started.IsZero())
}

// near reports whether two sources may give one moment these times.
func near(a, b time.Time, coarse bool) bool {
	if coarse {
		return a.Sub(b).Abs() <= tolerance.Age
	}
	return a.Sub(b).Abs() <= tolerance.Slack
}
