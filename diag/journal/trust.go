package journal

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// trusted are the fields of an entry that its writer cannot choose: journald fills in those with an underscore
// (systemd.journal-fields(7)), and facility 0 in the kernel's buffer is only for the kernel itself
// (kernel/printk/printk.c devkmsg_write).
type trusted struct {
	transport, facility, uid, cgroup string
}

// voucher determines how the writer of the entry is known. Identifiers and messages confirm nothing: any process may
// write both, to /dev/log as well as /dev/kmsg.
func (d *decoder) voucher() evidence.Voucher {
	kernel := d.transport == "kernel"
	switch {
	case d.transport == "":
		return evidence.Unvouched // the exporter left such fields out
	case kernel && (d.pid != 0 || d.unit != "" || d.ident != "" && d.ident != "kernel" ||
		d.facility != "" && d.facility != "0"):
		return evidence.Impostor // a program that wrote into the kernel's buffer
	case kernel && d.facility == "":
		return evidence.Unvouched
	case kernel:
		return evidence.Vouched
	case d.transport == "audit": // journald has it from the kernel
		return evidence.Vouched
	case d.pid == 1 && (d.uid == "" || d.uid == "0"), d.transport == "driver":
		return evidence.Vouched
	case d.unit == "", d.uid != "" && d.uid != "0" && rooted[d.unit], d.cgroup != "" &&
		!strings.Contains(d.cgroup, "/"+d.unit):
		return evidence.Impostor // not the unit: usually a container's process
	}
	return evidence.Vouched
}

// rooted are the units whose processes belong to root.
var rooted = func() map[string]bool {
	out := map[string]bool{}
	for _, u := range append(evidence.KubeletUnits(), evidence.RuntimeUnits()...) {
		out[u] = true
	}
	return out
}()

// printed reports whether the entry is a container's output. A log driver writes that under its runtime's unit, over
// journald's own socket: dockerd itself (moby daemon/logger/journald/journald.go), nerdctl below containerd (v2
// pkg/logging/journald_logger.go), conmon below CRI-O (src/ctr_logging.c). The runtimes' own messages come by standard
// output.
func (d *decoder) printed() bool {
	return d.container != "" && rooted[d.unit] ||
		d.transport == "journal" && slices.Contains(evidence.RuntimeUnits(), d.unit)
}

// kubelets reports whether the entry is from a kubelet's container, which RKE 1 and CKE run in Docker, others in
// podman, under that name. Standard output is not used by log drivers. Names of pods' containers begin with k8s_
// (kubelet v1.23 dockershim/naming.go makeContainerName). But where the log driver copies variables or labels, these
// replace its own fields (moby daemon/logger/journald/journald.go New, --log-opt env-regex), so a pod may claim to be
// the kubelet. Therefore such lines are read, but they support no proof: their unit is the container's name
// (kubeletlog/beside.go).
func (d *decoder) kubelets() bool {
	return d.container == "kubelet" && (d.unit == "docker.service" || d.unit == "kubelet.service") &&
		(d.transport == "journal" || d.transport == "")
}

// maxLate is the longest delay of an entry in a stalled journal.
const maxLate = time.Hour

func (d *decoder) entry() evidence.Entry {
	e := evidence.Entry{
		Time: time.UnixMicro(d.micros).UTC(), Host: d.host, Unit: d.unit, PID: d.pid,
		BootID: d.boot, Message: d.message, Machine: d.machineID(),
		Mono: time.Duration(d.mono) * time.Microsecond, Seq: d.seq, SeqID: d.seqID, Writer: d.voucher(),
	}
	// A time after the log's own, or long before it, means that the clock was set in between.
	if late := d.micros - d.sent; d.sent > 0 && late >= 0 && late < maxLate.Microseconds() {
		e.Sent = time.UnixMicro(d.sent).UTC()
	}
	e.Kernel = d.transport == "kernel" && e.Writer != evidence.Impostor
	// Until journald runs, systemd writes to the kernel's buffer too: leaving that out needs no report.
	booting := d.transport == "kernel" && e.Writer == evidence.Impostor && strings.HasPrefix(d.ident, "systemd")
	switch {
	case booting:
		e.Unit = d.ident + ".service" // a unit that is not read
	case e.Unit == "":
		e.Unit = d.ident
	}
	if d.printed() {
		if e.Unit = d.container; !d.kubelets() {
			e.Writer = evidence.Impostor
		}
	}
	// Anyone may write the field UNIT; only systemd's own is trusted.
	if d.pid == 1 && e.Writer != evidence.Impostor {
		e.About = d.about
		e.Unit = "init.scope"
	}
	e.ClockSet = d.id == idTimeChange && d.pid == 1 && e.Writer != evidence.Impostor
	e.Continues = d.stream.cut && d.stream.pid == d.pid
	if d.pid != 0 && (d.cut || e.Continues || d.stream.pid == d.pid) {
		d.stream.pid, d.stream.cut = d.pid, d.cut
	}
	return e
}

// machineID is the machine's id in redacted form.
func (d *decoder) machineID() string {
	if d.machine == "" {
		return ""
	}
	if m, ok := d.machines[d.machine]; ok {
		return m
	}
	if d.machines == nil || len(d.machines) > 64 {
		d.machines = map[string]string{}
	}
	d.machines[d.machine] = redact.Machine(d.machine)
	return d.machines[d.machine]
}
