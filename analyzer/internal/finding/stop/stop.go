// Package stop finds who requested an end: the kubelet's kill with its reason, stop requests that reached the runtime
// or systemd, and what the kubelet logged around its kill. It may import basis and what basis may import.
package stop

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Stops holds the facts about who requested the end: the kubelet's kill, stop requests that reached the runtime or
// systemd, and the kubelet's messages around its kill.
type Stops struct {
	Kill KubeletKill
	Hook basis.Point // a failed postStart hook of the old instance
	Stop basis.Point // a CRI StopContainer for it, whoever requested it
	// StopDated: as far as is known, the log with the request is by the node's clock.
	StopDated bool
	// StopBox: the request was to stop its sandbox with everything in it.
	StopBox bool
	// UnitStop: systemd was asked to stop the unit of its processes. UnitNear: the same, within the second in which it
	// ended, and nothing shows which came first.
	UnitStop, UnitNear basis.Point
	Probes             Probes
	// Record is the kubelet's error that it has no record of the container's resources; No where its log covers the
	// time without it.
	Record basis.Point
	// Resized is the kubelet's message that it started a resize of the container's resources right before it killed it.
	Resized basis.Point
	// UnknownState is the kubelet's message that the runtime did not know the state of the old instance.
	UnknownState basis.Point
	// KilledBefore is the newest kill of an earlier instance that is known only from an event.
	KilledBefore KubeletKill
	// KillFirst is when the kubelet first began to kill it, and KillGrace the grace period then; KillBegan is when it
	// last began.
	KillFirst time.Time
	KillGrace time.Duration
	KillBegan time.Time
	// StopGrace is the grace period of the last stop request, in seconds, -1 when unknown. StopForeign: the kubelet does
	// not ask in this way, so the request is not the kubelet's even if its log lost a line.
	StopGrace   int
	StopForeign bool
}

type finder struct {
	*basis.Basis
	*Stops
}

// Find looks for requests to stop the old instance.
func Find(b *basis.Basis) (s Stops) {
	f := finder{b, &s}
	f.killedBefore()
	f.kill()
	f.stop()
	f.unasked()
	f.ending()
	f.outerStops()
	f.StopForeign = f.StopBox || f.Stop.Answer == basis.Yes && f.foreignGrace()
	f.again()
	f.unwatched()
	f.records()
	return s
}

// unwatched takes the kubelet's silence about a stop back where its log begins only behind the request: a stop may take
// far longer than its grace period, so that the request came before all that the log has to cover otherwise.
func (f *finder) unwatched() {
	if f.Kill.Answer != basis.No || f.Stop.Answer != basis.Yes || f.Stop.At.IsZero() {
		return
	}
	ok, verbosity := f.KubeletLogCovers(f.Stop.At.Add(-tolerance.Slack), f.Stop.At)
	if !ok || verbosity < 2 {
		f.Kill.Answer = basis.Unknown
		f.Doubt("the kubelet's log does not cover the moment of the stop request to the runtime", f.Stop.Evidence...)
	}
}

// KubeletKill is the facts about the kubelet's kill of the old instance.
type KubeletKill struct {
	basis.Point
	Reason  evidence.KillReason // "" when only the kill itself was seen
	Message string
	// Unread: it gave a reason that is not known here: cut, or of a newer kubelet.
	Unread bool
	// Grace is the grace period in seconds, -1 when unknown.
	Grace int
	// DecidedAt is when the kubelet logged the reason; zero when it logged none.
	DecidedAt time.Time
	// Twice: a kill had begun well before the reason was logged, so there was another reason first (a kubelet was
	// replaced in the middle of a kill).
	Twice bool
	// Late: the process exited with its own code, and the first message about the kill came after that. Close: the
	// message came so near the exit that it may have been later. A container that exits by itself while the kubelet
	// decides is killed anyway.
	Late, Close bool
	// Unlogged: only events report it, and the kubelet's log, which covers the time, has no kill of this container at
	// all: the event is about another one, or not from a kubelet.
	Unlogged bool
	// GraceOver is true when the container outlived the grace period and had to
	// be killed with SIGKILL.
	GraceOver bool
}

// Probes holds the failed probe runs of the old instance.
type Probes struct {
	Liveness, Startup []timeline.Occurrence
}

// FailedRuns returns the known failed runs of a probe.
func (s *Stops) FailedRuns(k basis.ProbeKind) []timeline.Occurrence {
	if k == basis.Startup {
		return s.Probes.Startup
	}
	return s.Probes.Liveness
}
