package finding

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/memory"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/node"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Derive works out the findings for one restart.
func Derive(t *timeline.History, r *timeline.Restart) *Findings {
	f := &Findings{}
	f.Derive(t, r)
	return f
}

// Derive works out the findings for one restart in the place of what was there.
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

// onLinux takes Linux for granted again where something says what only Linux has: whatever else is said of the
// machine then rules nothing out.
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

// OnlyCounted reports whether nothing but a monitoring system, or what a tool printed for people, stands behind all
// that is cited.
func (f *Findings) OnlyCounted(cited []string) bool {
	for _, id := range cited {
		if !f.T.Counted(id) {
			return false
		}
	}
	return len(cited) > 0
}

// Expected returns the hash that a kubelet of this minor computes from the present spec, or "" when it is not known.
func (f *Findings) Expected(minor int) string { return f.Definition.Expected(&f.Basis, minor) }
