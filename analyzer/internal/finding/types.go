package finding

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/access"
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
	// DiedFirst: the sandbox ended before the kubelet or anyone else requested it.
	DiedFirst Point
	// Certain is false when it is only inferred that the id is a sandbox's.
	Certain bool
	Reason  evidence.SandboxReason
	ID      string
	// Unready is the problem of the sandbox in the pod's condition since this end, where nothing runs again; Wrong the
	// kubelet's last message about it.
	Unready Point
	Wrong   evidence.SandboxReason
	// Together: it ended at the same moment as the old instance, and no kill by the kubelet fits that: one thing ended
	// both.
	Together bool
	// KilledFirst: the kubelet stopped the pod's containers before it checked the sandbox, so the sandbox is not the
	// reason. No: it checked first.
	KilledFirst Point
}

// Disturbance is an event of the whole node near the end of the instance.
type Disturbance struct {
	Boot, Runtime, Kubelet Point
	// Perhaps is a boot near the end of what began at an unknown time, perhaps after that boot.
	Perhaps Point
	// Between is a start of the kubelet after the end and before the new instance's start: that kubelet does not know
	// what happened in the meantime.
	Between Point
	// Down is an orderly shutdown, right before the end, of a daemon that takes its containers along.
	Down Point
}

// WentDown reports whether the runtime went down before the container's end or came back after it. A daemon that takes
// its containers along when it stops (dockerd without live-restore) asks them to end, so that they exit with any code.
func (f *Findings) WentDown() bool {
	start, end := f.NodeEvents.Runtime, f.R.From.Finished
	return f.NodeEvents.Down.Answer == Yes || start.Answer == Yes && !end.IsZero() && start.At.After(end.Add(-time.Second))
}

// TakenAlong reports whether a daemon's shutdown explains the end: it logged so, or others ended with this one.
func (f *Findings) TakenAlong() bool {
	return f.WentDown() && (f.NodeEvents.Down.Answer == Yes || f.Together > 0)
}

// OfDocker reports whether the container belongs to dockerd, which takes all containers along when it is restarted
// without live-restore.
func (f *Findings) OfDocker() bool {
	return f.R.From.Runtime == "docker" || f.NodeEvents.Down.Answer == Yes ||
		f.Node != nil && strings.HasPrefix(f.Node.Info.Runtime, "docker://")
}

// NodeWentDown reports whether the machine may have ended it while it went down: systemd stops the units of CRI-O's
// containers, dockerd its own, and the process chooses its exit code. Any action of the kubelet about the end before
// the boot excludes that, and so does a kubelet that saw the end and wrote on for longer than a machine takes to stop
// what runs on it. A log that does not tell boots apart covers the time in which the machine was off, too.
func (f *Findings) NodeWentDown() bool {
	boot, end := f.NodeEvents.Boot, f.R.From.Finished
	if boot.Answer != Yes || end.IsZero() || boot.At.Before(end) || f.R.To == nil && boot.At.Sub(end) > tolerance.Settle {
		return false
	}
	if on := end.Add(tolerance.DownLag); on.Before(boot.At) {
		witness := f.Testifies(evidence.SourceKubeletLog)
		ofBoot := func(o *evidence.Origin) bool { return o != nil && o.Boot != "" && witness(o) }
		if ok, _ := f.Node.Covered(evidence.SourceKubeletLog, end, on, ofBoot); ok {
			return false
		}
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

// Findings holds all facts about one restart.
type Findings struct {
	basis.Basis
	stop.Stops
	definition.Definition
	node.Facts
	access.Signals
	// Brief: a row of a table is asked for, which does not say what is missing.
	Brief      bool
	OOM        memory.OOM
	Sandbox    SandboxFate
	NodeEvents Disturbance
	// RuntimeDown is the kubelet's line that the runtime did not answer around the end, which is normal only while a
	// kubelet starts.
	RuntimeDown Point
	// EarlyReadiness is the kubelet's line that a readiness result came before it had synced the pod for the first
	// time.
	EarlyReadiness Point
	// InitAgain: an ordinary init container of the pod ran again before the new
	// instance was started.
	InitAgain Point
	// RestartedAll: another container ended right before an init container ran again, and its rule for that end
	// restarts all containers.
	RestartedAll Trigger
	// RuleDecided: a restart rule of the container restarted it; its restart policy would not have.
	RuleDecided bool
	// End is the end of the whole pod.
	End PodEnd
	// Static is the facts about it as a static pod.
	Static Static
	// Repeats is how many neighbouring ends of this container look the same: same
	// exit code, same lifetime, no kill by the kubelet.
	Repeats int
	SameAge int // of them have the same lifetime, to the second
	// Clockwork: they ended at the same second of a minute. A schedule outside, such as a cron job, makes equal
	// lifetimes, too.
	Clockwork bool
	// Alike also counts neighbours whose exit code is not known (kubelets before 1.22 do not log it) but which have the
	// same lifetime and were not killed either.
	Alike int
	// Together counts the other pods of the node that lost a container at the same moment.
	Together int
	// Kin is the findings about the end of a pod of the same controller, where this end has no details; nil for none.
	Kin *Findings
}

// OwnProcesses reports whether the container's main process shares its process namespace with no other container.
func (f *Findings) OwnProcesses() bool { return access.Own(&f.Basis) }
