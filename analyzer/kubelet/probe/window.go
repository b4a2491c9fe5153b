package probe

import (
	"errors"
	"fmt"
	"time"
)

// SyncSlack is what a loaded kubelet may add between a result and the kill, or
// between a start and its status: one relist of the PLEG and one sync of the pod
// take 1–2 s when all is well.
const SyncSlack = 10 * time.Second

var errNeverKills = errors.New("this probe kills nothing")

// Life is what a window depends on besides the probe.
type Life struct {
	// ContainerStarted is the container's start; only whole seconds count.
	ContainerStarted time.Time
	// Gated is when the status said started, for a liveness probe beside a
	// startup probe. Zero: nothing held it off.
	Gated time.Time
	// KubeletStarted is when the kubelet process that killed started. Zero, or
	// before the container: it saw the whole life. After it: counters, results
	// and the worker began anew then.
	KubeletStarted time.Time
	// Carried is how many failures the same worker had counted against the
	// container before this one. It is read only if the kubelet did not restart
	// in between; below zero counts as zero.
	Carried int
}

// Window is when a kill falls if every run of the probe fails.
type Window struct {
	// Failures is how many failed runs it takes.
	Failures int
	// From is when the first run may come. Earliest and Latest bound the kill's
	// decision (the Killing event from 1.14 on); a kill before Earliest was not
	// this probe's. Latest includes SyncSlack; passed or errored runs move it.
	From, Earliest, Latest time.Time
	// Unbounded: a run may take any time, so Latest holds only if none hung
	// (exec before its timeout was enforced, and dockershim longer).
	Unbounded bool
	// Trace is how the bounds came about, a sentence for each rule.
	Trace []string
}

// KillWindow says when a kill had to come if every run fails. A readiness probe,
// or a startup probe before 1.17, kills nothing: an error.
func KillWindow(r Rules, s Spec, l Life) (Window, error) {
	if err := s.validate(); err != nil {
		return Window{}, err
	}
	if s.Kind == Readiness || s.Kind == Startup && !r.StartupKills {
		return Window{}, fmt.Errorf("compute kill window of the %s probe on kubelet %s: %w", s.Kind, r.Version, errNeverKills)
	}
	var w Window
	say := func(format string, args ...any) { w.Trace = append(w.Trace, fmt.Sprintf(format, args...)) }

	survivor := l.KubeletStarted.After(l.ContainerStarted)
	w.Failures = failuresNeeded(r, s, l, survivor, say)

	// The status cuts the start to whole seconds, so the delay may end up to 1 s early.
	w.From = later(l.ContainerStarted.Truncate(time.Second).Add(seconds(s.InitialDelay)), l.ContainerStarted)
	say("initialDelaySeconds %d from the container's start: the first run comes at %s or later",
		s.InitialDelay, clockTime(w.From))
	if s.Kind == Liveness && r.StartupProbes && l.Gated.After(w.From) {
		w.From = l.Gated
		say("it waited for the startup probe until %s", clockTime(w.From))
	}
	if survivor {
		if s.Kind == Startup && r.KeepsOverRestart &&
			l.ContainerStarted.Truncate(time.Second).Before(l.KubeletStarted.Add(-kubeletRestartGrace)) {
			say("since 1.35 a startup probe that had passed is not run again: the kill is its only if it had not passed when " +
				"the kubelet restarted")
		}
		if l.KubeletStarted.After(w.From) {
			w.From = l.KubeletStarted
		}
		say("the kubelet restarted at %s: its counters started at zero", clockTime(l.KubeletStarted))
	}

	period, run := seconds(s.Period), seconds(s.Timeout)
	gap := max(period, run) // a run longer than the period uses up a tick
	between := w.Failures - 1
	w.Latest = w.From.Add(gap + time.Duration(between)*gap + run + SyncSlack)
	if r.TickerBeforeJitter && between > 0 {
		between-- // the first run falls into the jitter, the second may follow at once
		say("up to 1.7 the second run may follow the first at once")
	}
	w.Earliest = w.From.Add(time.Duration(between) * period)
	say("%d failures, one each %s: the kill falls between %s and %s", w.Failures,
		period, clockTime(w.Earliest), clockTime(w.Latest))
	if s.Handler == "exec" && !(r.ExecTimeoutFails && r.DockershimExecTimeout) {
		w.Unbounded = true
		say("this kubelet does not end an exec run at timeoutSeconds on every runtime: a run that hangs moves the kill")
	}
	return w, nil
}

// failuresNeeded applies what an earlier container left in the counter.
func failuresNeeded(r Rules, s Spec, l Life, survivor bool, say func(string, ...any)) int {
	carried := min(max(l.Carried, 0), int(s.FailureThreshold))
	if survivor {
		carried = 0
	}
	switch {
	case carried == 0:
	case carried < int(s.FailureThreshold):
		say("%d of %d failures were carried over from the previous container", carried, s.FailureThreshold)
	case r.AfterKill == RunReset:
		carried = 0
	case r.AfterKill == RunSetTo1:
		carried = 1
		say("up to 1.10, the previous kill left the counter at 1")
	default:
		say("up to 1.6.11, the previous kill left the counter at its threshold: one failure is enough")
	}
	return max(1, int(s.FailureThreshold)-carried)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// clockTime is a moment to the millisecond, without trailing zeros.
func clockTime(t time.Time) string { return t.UTC().Format("15:04:05.999") }
