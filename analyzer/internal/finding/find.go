package finding

import (
	"syscall"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/access"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/memory"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/node"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Derive returns the findings for one restart.
func Derive(t *timeline.History, r *timeline.Restart) *Findings {
	f := &Findings{}
	f.Derive(t, r)
	return f
}

// Derive replaces the findings by those for one restart.
func (f *Findings) Derive(t *timeline.History, r *timeline.Restart) {
	fresh := f.Basis
	fresh.Begin(t, r)
	*f = Findings{Basis: fresh}
	if r.Kind == timeline.KindNone { // nothing ended: there is nothing else to find
		f.Events = t.EventsCovered(r.Seen)
		f.Definition = definition.Find(&f.Basis, &f.Kill)
		f.around()
		f.ranOn()
		return
	}
	f.Basis.Find()
	f.Stops = stop.Find(&f.Basis)
	f.Signals = access.Find(&f.Basis, Faults[syscall.Signal(f.Exit.Signal())])
	f.endedTogether()
	f.OOM = memory.Find(&f.Basis)
	f.cutShort()
	f.onLinux()
	f.sandbox()
	f.Definition = definition.Find(&f.Basis, &f.Kill)
	f.staticPod()
	f.ended()
	f.staticEnd()
	f.around()
	f.shutDown()
	f.repeats()
	f.policy()
	f.initAgain()
	f.restartedAll()
	f.Facts = node.Find(&f.Basis, &f.Kill, &f.Versions)
	f.agree()
	f.stored()
	if r.Kin != nil && !f.Exit.Known && f.Kill.Answer != Yes {
		f.Kin = Derive(t, r.Kin)
	}
}

// onLinux withdraws the conclusion that the node runs Windows where there is evidence that exists only on Linux: other
// evidence about the machine then rules nothing out.
func (f *Findings) onLinux() {
	if !f.Exit.Windows {
		return
	}
	o := &f.OOM
	if o.Label || o.Killer != "" || o.Shortage.Answer == Yes || f.R.From.HasAny(timeline.HasMemory) ||
		f.Node.Has(evidence.SourceKernelLog) || f.Node.Has(evidence.SourceCgroup) || f.Node.Has(evidence.SourceSystemd) {
		f.Exit.Windows = false
	}
}

// OnlyCounted reports whether all cited observations are secondhand: from a monitoring system, or from the output of a
// tool for people.
func (f *Findings) OnlyCounted(cited []string) bool {
	for _, id := range cited {
		if !f.T.Counted(id) {
			return false
		}
	}
	return len(cited) > 0
}

// Expected returns the hash that a kubelet of this minor computes from the present spec, or "" when unknown.
func (f *Findings) Expected(minor int) string { return f.Definition.Expected(&f.Basis, minor) }
