package finding

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/memory"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/node"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// SandboxFate is what happened to the pod's sandbox.
type SandboxFate struct {
	// Changed: the pod got a new sandbox in this restart.
	Changed Point
	// DiedFirst: the sandbox ended before the kubelet or anybody asked for it.
	DiedFirst Point
	// Certain is false when the id was only inferred to be a sandbox's.
	Certain bool
	Reason  evidence.SandboxReason
	ID      string
	// Unready is what the pod's condition says is wrong with its sandbox since this end, where nothing runs again; Wrong
	// the kubelet's last word on it.
	Unready Point
	Wrong   evidence.SandboxReason
	// Together: it ended at the old instance's own moment, and no kill by the kubelet fits that: one thing ended both.
	Together bool
	// KilledFirst: the kubelet stopped the pod's containers before it looked at the
	// sandbox, so the sandbox is not why. No: it looked first.
	KilledFirst Point
}

// Disturbance is an event of the whole node near the end of the instance.
type Disturbance struct {
	Boot, Runtime, Kubelet Point
	// Between is a start of the kubelet after the end and before the new instance's
	// start: what went on in the meantime is not known from it.
	Between Point
	// Down is a daemon that takes its containers along and went down right before the
	// end.
	Down Point
}

// WentDown reports whether the runtime came back after the container's end: a daemon
// that takes its containers along when it stops (dockerd without live-restore) asks
// them to end, so that they leave whatever code they choose.
func (f *Findings) WentDown() bool {
	start, end := f.NodeEvents.Runtime, f.R.From.Finished
	return f.NodeEvents.Down.Answer == Yes || start.Answer == Yes && !end.IsZero() && start.At.After(end.Add(-time.Second))
}

// TakenAlong tells an end that a daemon going down explains: it said so, or others
// ended with this one.
func (f *Findings) TakenAlong() bool {
	return f.WentDown() && (f.NodeEvents.Down.Answer == Yes || f.Together > 0)
}

// OfDocker tells a container of dockerd, which takes all of them along when it is
// restarted without live-restore.
func (f *Findings) OfDocker() bool {
	return f.R.From.Runtime == "docker" || f.NodeEvents.Down.Answer == Yes ||
		f.Node != nil && strings.HasPrefix(f.Node.Info.Runtime, "docker://")
}

// NodeWentDown reports whether the machine may have ended it while it went down: systemd
// stops the units of CRI-O's containers, dockerd its own, and what a process returns then
// is its choice. What the kubelet did about the end before the boot shows that it was
// not so.
func (f *Findings) NodeWentDown() bool {
	boot, end := f.NodeEvents.Boot, f.R.From.Finished
	if boot.Answer != Yes || end.IsZero() || boot.At.Before(end) || f.R.To == nil && boot.At.Sub(end) > tolerance.Settle {
		return false
	}
	for _, m := range f.R.From.Marks {
		if !m.At.After(end) || m.At.After(boot.At) {
			continue
		}
		switch m.Obs.Fact.(type) {
		case evidence.BackedOff, evidence.RestartDecided, evidence.StartFailed:
			return false
		}
	}
	return true
}

// Trigger is what another container of the pod did.
type Trigger struct {
	Point
	Container string
}

// Findings are all facts about one restart.
type Findings struct {
	basis.Basis
	stop.Stops
	definition.Definition
	node.Facts
	OOM        memory.OOM
	Sandbox    SandboxFate
	NodeEvents Disturbance
	// RuntimeDown is the kubelet's line that the runtime did not answer it around the end,
	// which is ordinary only while a kubelet starts.
	RuntimeDown Point
	// EarlyReadiness is the kubelet's line that a readiness result came before it had
	// synced the pod once.
	EarlyReadiness Point
	// InitAgain: an ordinary init container of the pod ran again before the new
	// instance was started.
	InitAgain Point
	// RestartedAll: another container's end, right before an init container ran again, is one
	// for which its rule restarts all containers.
	RestartedAll Trigger
	// RuleDecided: a restart rule of the container started it again, which its
	// restart policy would not have done.
	RuleDecided bool
	// End is the end of the whole pod.
	End PodEnd
	// Static is what is known of it as a static pod.
	Static Static
	// Repeats is how many neighbouring ends of this container look the same: same
	// exit code, same lifetime, no kill by the kubelet.
	Repeats int
	SameAge int // of them lived as long, to the second
	// Clockwork: they ended at the same second of a minute. Whoever keeps time outside,
	// such as a cron job, makes equal lives, too.
	Clockwork bool
	// Alike counts also neighbours whose exit code is not known (kubelets before
	// 1.22 do not log it) but which lived as long and were not killed either.
	Alike int
	// Together counts the other pods of the node of which a container ended within
	// the same moment.
	Together int
	// Kin is what is found of the end of a pod of the same controller, where nothing is told of this one; nil for none.
	Kin *Findings
}
