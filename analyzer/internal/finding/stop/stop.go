// Package stop finds who asked for an end: the kubelet's kill with its reason, requests to stop that reached the
// runtime or systemd, and what the kubelet said around its kill. It may import what basis may, and basis.
package stop

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Stops are what is known of who asked for the end: the kubelet's kill, requests to stop that reached the runtime or
// systemd, and the kubelet's words around its kill.
type Stops struct {
	Kill KubeletKill
	Hook basis.Point // a failed postStart hook of the old instance
	Stop basis.Point // a CRI StopContainer for it, whoever asked
	// StopDated: the log that tells of it is on the node's clock, as far as is known.
	StopDated bool
	// StopBox: the request was to stop its sandbox with all that ran in it.
	StopBox bool
	// UnitStop: systemd was asked to stop the unit that its processes were in.
	UnitStop basis.Point
	Probes   Probes
	// Record is the kubelet's complaint that it has no record of the container's
	// resources; No where its log covers the time without it.
	Record basis.Point
	// Resized is the kubelet's word that it took up a resize of the container's resources right before it killed it.
	Resized basis.Point
	// UnknownState is the kubelet's word that the runtime did not know the state of
	// the old instance.
	UnknownState basis.Point
	// KilledBefore is the newest kill of an earlier instance of which only an event is
	// left.
	KilledBefore KubeletKill
	// KillFirst is when the kubelet first began to kill it, and KillGrace the grace period then; KillBegan is when it
	// last did.
	KillFirst time.Time
	KillGrace time.Duration
	KillBegan time.Time
	// StopGrace is the grace period of a request to stop it, in seconds.
	StopGrace int
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
	f.outerStops()
	f.records()
	return s
}

// KubeletKill is what is known of the kubelet killing the old instance.
type KubeletKill struct {
	basis.Point
	Reason  evidence.KillReason // "" when only the kill itself was seen
	Message string
	// Grace is the grace period in seconds, -1 when unknown.
	Grace int
	// DecidedAt is when the kubelet gave the reason; zero when it gave none.
	DecidedAt time.Time
	// Twice: a kill had begun well before the reason was given, so there was
	// another reason first (a kubelet was replaced in the middle of a kill).
	Twice bool
	// Late: the process ended with a code of its own, and the first word of the kill came
	// after that. Close: it came so near that it may have. A container that ends by
	// itself while the kubelet decides is killed all the same.
	Late, Close bool
	// Unlogged: only events tell of it, and the kubelet's log, which covers the time, has
	// no kill of this container at any time: the event is another's, or not a kubelet's.
	Unlogged bool
	// GraceOver is true when the container outlived the grace period and had to
	// be killed with SIGKILL.
	GraceOver bool
}

// Probes counts failed probe runs of the old instance.
type Probes struct {
	Liveness, Startup []timeline.Occurrence
}

// FailedRuns are the failed runs of a probe that were seen.
func (s *Stops) FailedRuns(k basis.ProbeKind) []timeline.Occurrence {
	if k == basis.Startup {
		return s.Probes.Startup
	}
	return s.Probes.Liveness
}
