package causes

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
)

// NextStart returns when a container in CrashLoopBackOff may be started again: the back-off counts from its end
// (kubelet v1.30 kuberuntime_manager.go doBackOff, flowcontrol.IsInBackOffSince), and the next sync of the pod after it
// starts it. Zero where the message or the end is unknown.
func NextStart(f *finding.Findings) time.Time {
	end := f.R.From.Finished
	if f.R.Waiting.Reason != "CrashLoopBackOff" || end.IsZero() {
		return time.Time{}
	}
	wait, ok := backOff(f.R.Waiting.Message)
	if !ok {
		return time.Time{}
	}
	return end.Add(wait)
}

// backOff parses "back-off 2m40s restarting failed container=…"; kubelets before 1.14 begin with a capital letter.
func backOff(message string) (time.Duration, bool) {
	_, rest, ok := strings.Cut(message, "ack-off ")
	if !ok {
		return 0, false
	}
	text, _, ok := strings.Cut(rest, " restarting failed container")
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 && d <= tolerance.BackoffRead
}
