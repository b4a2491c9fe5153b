package hostlog

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/packages"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Read reads one line. The entry's Unit says who wrote it: a unit's name or a syslog identifier. Emitted observations
// have Time, Subject, Fact and Text; node and source are up to the caller. Most lines emit nothing.
func Read(e evidence.Entry, emit func(evidence.Observation)) {
	var subject evidence.Subject
	var fact evidence.Fact
	switch strings.TrimSuffix(e.Unit, ".service") {
	case "systemd-oomd":
		fact, subject = oomd(e.Message)
	case "earlyoom":
		fact = earlyoom(e.Message)
	case "systemd-logind":
		fact = logind(e.Message)
	case "yum":
		fact = yum(e.Message)
	case Talos:
		fact, subject = talos(e.Message)
	case "audit":
		if record, ok := strings.CutPrefix(e.Message, "OBJ_PID "); ok && Audited(record) > 0 {
			fact = evidence.Signalled{By: "audit", PIDs: []int{Audited(record)}}
		}
	default:
		mentioned(&e, emit)
	}
	if fact != nil {
		emit(evidence.Observation{Time: e.Time, Subject: subject, Fact: fact, Text: safetext.Clean(e.Message)})
	}
}

// oomd reads "Killed /kubepods.slice/… due to memory pressure for …" and "… due to memory used (…) / total (…) and swap
// used …" (systemd v248+ oomd-manager.c). It ignores the dry run's "Dry run: Killed …".
func oomd(msg string) (evidence.Fact, evidence.Subject) {
	rest, ok := strings.CutPrefix(msg, "Killed ")
	group, _, why := strings.Cut(rest, " due to ")
	if !ok || !why || !path.IsAbs(group) {
		return nil, evidence.Subject{}
	}
	var s evidence.Subject
	if ref, ok := cgroup.ParsePath(group); ok {
		s.PodUID, s.ContainerID = ref.PodUID, ref.ContainerID
	}
	under, pressed := strings.CutPrefix(rest[len(group):], " due to memory pressure for ")
	under, _, _ = strings.Cut(under, " being ")
	ref, ok := cgroup.ParsePath(under)
	return evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: safetext.Ident(group),
		Own: pressed && ok && ref.PodUID != ""}, s
}

// Talos is the writer of the lines of Talos' machined in the kernel's log.
const Talos = "talos"

// talos reads `[talos] Sending SIGKILL to cgroup {"component": "controller-runtime", "controller":
// "runtime.OOMController", "cgroup": "/sys/fs/cgroup/kubepods/…"}` (Talos v1.12+, its memory controller, which kills
// all processes of one cgroup).
func talos(msg string) (evidence.Fact, evidence.Subject) {
	if f := talosService(msg); f != nil {
		return f, evidence.Subject{}
	}
	sequence, begins, _ := strings.Cut(strings.TrimPrefix(msg, "[talos] "), " sequence: ")
	if strings.HasSuffix(begins, " phase(s)") && talosPower[sequence] != "" {
		return evidence.PowerChange{Change: talosPower[sequence]}, evidence.Subject{}
	}
	values, kills := strings.CutPrefix(msg, "[talos] Sending SIGKILL to cgroup ")
	var said struct{ Cgroup string }
	if json.Unmarshal([]byte(values), &said) != nil { // a console may leave out the braces
		said.Cgroup, _, _ = strings.Cut(values, " ")
	}
	if !kills || !path.IsAbs(said.Cgroup) {
		return nil, evidence.Subject{}
	}
	group := strings.TrimPrefix(said.Cgroup, "/sys/fs/cgroup")
	var s evidence.Subject
	if ref, ok := cgroup.ParsePath(group); ok {
		s.PodUID, s.ContainerID = ref.PodUID, ref.ContainerID
	}
	return evidence.UserspaceOOMKill{Killer: "Talos", Cgroup: safetext.Ident(group)}, s
}

// talosPower maps the sequences with which Talos takes its machine down, as in `[talos] reboot sequence: 11 phase(s)`
// (internal/app/machined/pkg/runtime, Sequence), to the change. Every upgrade ends with a reboot.
var talosPower = map[string]string{"reboot": "reboot", "upgrade": "reboot", "stageUpgrade": "reboot",
	"maintenanceUpgrade": "reboot", "shutdown": "shutdown"}

// talosUnits maps Talos' services to their unit names elsewhere.
var talosUnits = map[string]string{"cri": "containerd.service", "kubelet": "kubelet.service"}

// talosService reads `[talos] service[cri](Waiting): Error running Process(…), going to restart forever: signal:
// hangup` and `[talos] service[cri](Running): Process Process(…) started with PID 1234`
// (internal/app/machined/pkg/system).
func talosService(msg string) evidence.Fact {
	rest, ok := strings.CutPrefix(msg, "[talos] service[")
	name, rest, ok2 := strings.Cut(rest, "](")
	state, said, ok3 := strings.Cut(rest, "): ")
	f := evidence.UnitChanged{Unit: talosUnits[name]}
	switch {
	case !ok || !ok2 || !ok3 || f.Unit == "":
		return nil
	case state == "Running" && strings.Contains(strings.ToLower(said), "started"):
		f.Change = "started"
	case state == "Stopping":
		f.Change = "stopping"
	case state == "Waiting" && strings.HasPrefix(said, "Error running "), state == "Failed":
		f.Change = "failed"
	default:
		return nil
	}
	return f
}

// earlyoom reads `sending SIGTERM to process 1234 uid 0 "python": badness 801, VmRSS 12 MiB` (earlyoom v1.4+ kill.c).
// Since v1.8 the name is followed by `oom_score 801, oom_score_adj 0, VmRSS 12 MiB`.
func earlyoom(msg string) evidence.Fact {
	rest, ok := strings.CutPrefix(msg, "sending ")
	signal, rest, ok2 := strings.Cut(rest, " to process ")
	if !ok || !ok2 || signal != "SIGTERM" && signal != "SIGKILL" {
		return nil
	}
	number, rest, _ := strings.Cut(rest, " ")
	pid, err := strconv.Atoi(number)
	_, task, quoted := strings.Cut(rest, `"`)
	if err != nil {
		return nil
	}
	if end := strings.LastIndex(task, `": `); quoted && end >= 0 { // the process chooses its name
		task = task[:end]
	}
	return evidence.UserspaceOOMKill{Killer: "earlyoom", Task: safetext.Ident(task), PID: pid, Asks: signal == "SIGTERM"}
}

// logind reads what it logs when someone requests a shutdown or reboot (systemd logind-dbus.c), with the words of who
// did in brackets: "System is rebooting (Unattended-upgrade requires a reboot)."
func logind(msg string) evidence.Fact {
	msg, _, _ = strings.Cut(msg, " (")
	switch strings.TrimRight(msg, ".!") {
	case "System is powering down", "System is halting", "The system will power off now", "The system will halt now":
		return evidence.PowerChange{Change: "shutdown"}
	case "System is rebooting", "The system will reboot now", "System is rebooting with kexec":
		return evidence.PowerChange{Change: "reboot"}
	}
	return nil
}

// yum reads "Updated: kubelet-1.20.0-0.x86_64", which yum 3 also writes to syslog.
func yum(msg string) evidence.Fact {
	if p, ok := packages.RPM(msg); ok {
		return p
	}
	return nil
}
