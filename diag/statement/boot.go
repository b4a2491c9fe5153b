package statement

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// reboot tells that the boot id changed. The first one of a log is where the log
// starts, not where the machine did.
func (r *Router) reboot(e evidence.Entry) {
	first := r.boot == "" && !e.Rebooted
	if !first {
		r.Hole() // what a machine writes last before it goes down may be lost
		r.origin = &evidence.Origin{Machine: r.origin.Machine, Stored: r.o.Stored}
	}
	r.boot = e.BootID
	if known := r.booted[e.BootID] && e.BootID != ""; first || known {
		r.booted[e.BootID] = true
		if !known && e.Mono > 0 && e.BootID != "" { // a log that begins within a boot: its clock counts from there
			r.beginsAt(e, e.Time.Add(-e.Mono), true)
		}
		return
	}
	r.booted[e.BootID] = true
	r.kubelet.Boot(r.fromKubelet)
	r.kernel.Close(r.fromKernel)
	r.storage.Close(e.Time, r.lose)
	if r.back {
		return // files in the wrong order, or a machine that came up with a wrong clock: when is not known
	}
	if e.Kernel && strings.HasPrefix(e.Message, "Linux version ") {
		return // the kernel's own line tells it
	}
	r.beginsAt(e, e.Time, false)
}

// beginsAt tells that the boot of an entry began at the time.
func (r *Router) beginsAt(e evidence.Entry, at time.Time, reckoned bool) {
	kind := evidence.SourceSystemd
	if e.Kernel {
		kind = evidence.SourceKernelLog
	}
	r.observe(kind)(evidence.Observation{Time: at,
		Fact: evidence.KernelBooted{BootID: safetext.Ident(dashed(e.BootID)), Reckoned: reckoned},
		Text: safetext.Clean("boot " + dashed(e.BootID))})
}
