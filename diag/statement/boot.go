package statement

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// reboot handles a change of the boot id. The first id of a log marks the start of the log, not of the machine.
func (r *Router) reboot(e evidence.Entry) {
	first := r.boot == "" && !e.Rebooted
	if !first {
		r.Hole() // the last lines before a machine goes down may be lost
		r.origin = &evidence.Origin{Machine: r.origin.Machine, Stored: r.o.Stored}
	}
	r.boot = e.BootID
	if known := r.booted[e.BootID] && e.BootID != ""; first || known {
		r.booted[e.BootID] = true
		if !known && e.Mono > 0 && e.BootID != "" { // the log begins within a boot: its clock counts from the boot
			r.beginsAt(e, e.Time.Add(-e.Mono), true)
		}
		return
	}
	r.booted[e.BootID] = true
	r.kubelet.Boot(r.fromKubelet)
	r.kernel.Close(r.fromKernel)
	r.storage.Close(e.Time, r.lose)
	if r.back {
		return // files in the wrong order, or a machine that came up with a wrong clock: the time is unknown
	}
	if e.Kernel && kernel.Booted(e.Message) {
		return // the kernel's own line reports it
	}
	r.beginsAt(e, e.Time, false)
}

// beginsAt emits that the boot of an entry began at a time.
func (r *Router) beginsAt(e evidence.Entry, at time.Time, reckoned bool) {
	kind := evidence.SourceSystemd
	if e.Kernel {
		kind = evidence.SourceKernelLog
	}
	r.observe(kind)(evidence.Observation{Time: at,
		Fact: evidence.KernelBooted{BootID: safetext.Ident(dashed(e.BootID)), Reckoned: reckoned},
		Text: safetext.Clean("boot " + dashed(e.BootID))})
}
