package probe

import (
	"errors"
	"fmt"
	"time"
)

// SyncSlack is what a loaded kubelet may add between a result and the kill, or between a start and its status: one
// relist of the PLEG and one sync of the pod normally take 1–2 s.
const SyncSlack = 10 * time.Second

var errNeverKills = errors.New("this probe kills nothing")

// Life is what a window depends on apart from the probe.
type Life struct {
	// ContainerStarted is the container's start; only whole seconds count.
	ContainerStarted time.Time
	// KubeletStarted is when the kubelet process that killed started. Zero, or before the container: it saw the whole
	// life. After it: counters, results and the worker started again then.
	KubeletStarted time.Time
	// Carried is how many failures the same worker had counted for the previous container. It is used only if the
	// kubelet did not restart in between; below zero counts as zero.
	Carried int
}

// Window is when a kill falls if every run of the probe fails.
type Window struct {
	// Failures is how many failed runs are required.
	Failures int
	// From is when the first run may come. Earliest and Latest are the bounds of the kill's decision (the Killing event
	// from 1.14 on); a kill before Earliest was not for this probe. Latest includes SyncSlack; runs that pass, err or
	// hang delay it.
	From, Earliest, Latest time.Time
}

// KillWindow returns when a kill was due if every run fails. A readiness probe, or a startup probe before 1.17, never
// kills: an error.
func KillWindow(r Rules, s Spec, l Life) (Window, error) {
	if err := s.Validate(); err != nil {
		return Window{}, err
	}
	if s.Kind == Readiness || s.Kind == Startup && !r.StartupKills {
		return Window{}, fmt.Errorf("compute kill window of the %s probe on kubelet %s: %w", s.Kind, r.Version, errNeverKills)
	}
	w := Window{Failures: failuresNeeded(r, s, l)}
	// The status truncates the start to whole seconds, so the delay may end up to 1 s early.
	w.From = later(l.ContainerStarted.Truncate(time.Second).Add(seconds(s.InitialDelay)), l.ContainerStarted)
	if l.KubeletStarted.After(l.ContainerStarted) {
		w.From = later(l.KubeletStarted, w.From)
	}
	period, run := seconds(s.Period), seconds(s.Timeout)
	gap := max(period, run) // a run longer than the period uses up a tick
	between := w.Failures - 1
	w.Latest = w.From.Add(gap + time.Duration(between)*gap + run + SyncSlack)
	if r.TickerBeforeJitter && between > 0 {
		between-- // up to 1.7 the first run is within the jitter, the second may follow at once
	}
	w.Earliest = w.From.Add(time.Duration(between) * period)
	return w, nil
}

// failuresNeeded subtracts what a previous container left in the counter, which starts at zero with the kubelet.
func failuresNeeded(r Rules, s Spec, l Life) int {
	carried := min(max(l.Carried, 0), int(s.FailureThreshold))
	switch {
	case l.KubeletStarted.After(l.ContainerStarted):
		carried = 0
	case carried < int(s.FailureThreshold):
	case r.AfterKill == RunReset:
		carried = 0
	case r.AfterKill == RunSetTo1: // up to 1.10; up to 1.6.11 the previous kill left it at its threshold
		carried = 1
	}
	return max(1, int(s.FailureThreshold)-carried)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
