package statement

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// descriptions are unit descriptions that systemd's lines have instead of the unit's name; they are needed where the
// envelope has no unit either (systemd <249).
var descriptions = map[string]string{
	"kubelet: The Kubernetes Node Agent":  "kubelet.service", // kubernetes/release, kubeadm packages
	"Kubernetes Kubelet":                  "kubelet.service",
	"Kubernetes Kubelet Server":           "kubelet.service",
	"containerd container runtime":        "containerd.service",
	"Docker Application Container Engine": "docker.service",
	// cri-o contrib/systemd/crio.service, cri-dockerd packaging/systemd, k3s install.sh, rke2 bundle/lib/systemd
	"Container Runtime Interface for OCI (CRI-O)":           "crio.service",
	"CRI Interface for Docker Application Container Engine": "cri-docker.service",
	"Lightweight Kubernetes":                                "k3s.service",
	"Rancher Kubernetes Engine v2 (server)":                 "rke2-server.service",
	"Rancher Kubernetes Engine v2 (agent)":                  "rke2-agent.service",
	"Daily apt upgrade and clean activities":                "apt-daily-upgrade.service",
}

// maintenance are units that change other units automatically: the package manager's own log says what they did.
var maintenance = []string{"apt-daily-upgrade.service", "unattended-upgrades.service",
	"dnf-automatic.service", "dnf-automatic-install.service", "yum-cron.service",
	"packagekit.service", "snapd.service", "update-engine.service", "rpm-ostreed.service", "transactional-update.service"}

// unitChange reads systemd's line about a kubelet's or runtime's unit, or one that updates them. about is the unit that
// the journal names (field UNIT), "" in text logs.
//
// Messages: systemd src/core/job.c job_emit_done_message, service.c service_sigchld_event, unit.c unit_log_failure, and
// their older forms.
func unitChange(about, msg string) (evidence.UnitChanged, bool) {
	f := evidence.UnitChanged{Unit: about}
	first, rest, _ := strings.Cut(msg, " ")
	switch first {
	case "Starting", "Started", "Stopping", "Stopped", "Reloading":
		f.Change = strings.ToLower(first)
		if f.Unit == "" {
			f.Unit = named(rest)
		}
	default:
		name, event, ok := strings.Cut(msg, ": ")
		if !ok {
			name, event, ok = oldUnit(msg)
		}
		if !ok {
			return evidence.UnitChanged{}, false
		}
		if f.Unit == "" {
			f.Unit = name
		}
		readEvent(event, &f)
	}
	if f.Change == "" || !ours(f.Unit) && !slices.Contains(maintenance, f.Unit) {
		return evidence.UnitChanged{}, false
	}
	f.Unit = safetext.Ident(f.Unit)
	return f, true
}

// stopOfGroup reads that systemd begins or continues to stop a unit that holds containers: the scope of one (runc's and
// crun's names and description), the slice of a pod, or a slice above all pods. subject is empty for the last. Each
// process in it gets SIGTERM, whoever requested the stop; when that takes too long systemd reports it and kills the
// rest, naming each process (v256 src/core/scope.c scope_dispatch_timer, unit.c unit_kill_context and log_kill; v208
// "x.scope stopping timed out. Killing.", without a colon). A scope's time limit stops it, too.
func stopOfGroup(about, msg string) (f evidence.UnitChanged, subject evidence.Subject, ok bool) {
	rest, ok := strings.CutPrefix(msg, "Stopping ")
	for _, event := range []string{": Stopping timed out.", " stopping timed out.", ": Killing process ",
		": Scope reached runtime time limit."} {
		if unit, _, said := strings.Cut(msg, event); !ok && said {
			rest, ok = unit, true
		}
	}
	if !ok {
		return f, subject, false
	}
	f = evidence.UnitChanged{Unit: about, Change: "stopping"}
	if rest = strings.TrimRight(rest, "."); f.Unit == "" {
		f.Unit, _, _ = strings.Cut(rest, " ")
	}
	if id, described := strings.CutPrefix(rest, "libcontainer container "); described && about == "" { // before v249
		f.Unit = "cri-containerd-" + id + ".scope"
	}
	if !holds(f.Unit) {
		return f, subject, false
	}
	ref, ok := cgroup.ParsePath(f.Unit)
	f.Unit = safetext.Ident(f.Unit)
	return f, evidence.Subject{PodUID: ref.PodUID, ContainerID: ref.ContainerID}, ok
}

// signalled reads that systemd sent a signal to a process: because someone asked for it, "x.scope: Sent signal SIGTERM
// to process 4711 (web) on client request." (src/core/unit.c kill_common_log, systemctl kill), or with the rest of a
// service that it stops, "x.service: Killing process 4711 (web) with signal SIGTERM." (log_kill). A service holds
// containers where a runtime runs without root, or puts them there; only the number then tells whose process it is.
func signalled(about, msg string) (f evidence.Signalled, subject evidence.Subject, ok bool) {
	if unit, victim, kills := strings.Cut(msg, ": Killing process "); kills && !holds(cmp.Or(about, unit)) {
		number, rest, _ := strings.Cut(victim, " ")
		pid, err := strconv.Atoi(number)
		_, signal, _ := strings.Cut(strings.TrimSuffix(rest, "."), ") with signal ")
		return evidence.Signalled{By: "unit", Signal: safetext.Ident(signal), PIDs: []int{pid}}, subject, err == nil
	}
	unit, event, ok := strings.Cut(msg, ": Sent signal ")
	signal, rest, told := strings.Cut(event, " to ")
	if !ok || !told || !strings.HasSuffix(msg, " on client request.") || harmless[signal] {
		return f, subject, false
	}
	_, number, _ := strings.Cut(rest, "process ")
	number, _, _ = strings.Cut(number, " ")
	pid, err := strconv.Atoi(number)
	ref, ok := cgroup.ParsePath(cmp.Or(about, unit))
	return evidence.Signalled{By: "systemd", Signal: safetext.Ident(signal), PIDs: []int{pid}},
		evidence.Subject{PodUID: ref.PodUID, ContainerID: ref.ContainerID}, ok && err == nil
}

// holds reports whether a unit is of the kinds that hold containers.
func holds(unit string) bool {
	return strings.HasSuffix(unit, ".scope") || strings.HasSuffix(unit, ".slice")
}

// harmless are the signals that never end a process (signal(7)).
var harmless = map[string]bool{"SIGCHLD": true, "SIGCONT": true, "SIGSTOP": true, "SIGTSTP": true, "SIGTTIN": true,
	"SIGTTOU": true, "SIGURG": true, "SIGWINCH": true}

// readEvent reads what systemd writes after the unit's name.
func readEvent(event string, f *evidence.UnitChanged) {
	lower := strings.ToLower(event)
	switch {
	case strings.HasPrefix(lower, "main process exited"): // Main process exited, code=killed, status=9/KILL
		f.Change = "exited"
		f.Code = safetext.Ident(value(event, "code="))
		number, _, _ := strings.Cut(value(event, "status="), "/")
		if n, err := strconv.Atoi(number); err == nil {
			f.Status = n
		}
	case strings.HasPrefix(lower, "failed with result"): // Failed with result 'exit-code'.
		f.Change = "failed"
		_, result, _ := strings.Cut(event, "'")
		result, _, _ = strings.Cut(result, "'")
		f.Result = safetext.Ident(result)
	case lower == "failed.", strings.HasSuffix(lower, "entered failed state."):
		f.Change = "failed"
	case strings.HasPrefix(lower, "scheduled restart job"): // …, restart counter is at 23.
		f.Change = "restart-scheduled"
		_, count, _ := strings.Cut(event, "restart counter is at ")
		if n, err := strconv.Atoi(strings.TrimSuffix(count, ".")); err == nil && n > 0 {
			f.Restarts = n
		}
	case strings.HasSuffix(lower, "scheduling restart."):
		f.Change = "restart-scheduled"
	case strings.HasPrefix(lower, "a process of this unit has been killed by the oom killer"): // v244+
		f.Change = "oom-killed"
	case strings.HasPrefix(lower, "watchdog timeout"):
		f.Change = "watchdog"
	case strings.HasPrefix(lower, "start request repeated too quickly"):
		f.Change = "start-limit"
	case strings.HasPrefix(lower, "state 'stop-") && strings.Contains(lower, "' timed out"):
		f.Change = "stop-timeout"
	case strings.HasPrefix(lower, "killing process "): // Killing process 123 (containerd-shim) with signal SIGKILL.
		number, rest, _ := strings.Cut(event[len("Killing process "):], " (")
		pid, err := strconv.Atoi(number)
		end := strings.LastIndex(rest, ") with signal ")
		if err == nil && end >= 0 {
			f.Change, f.Process, f.PID = "process-killed", safetext.Ident(rest[:end]), pid
		}
	}
}

// scopeKilled reads systemd's line (v244+) that the kernel killed a process of a container's scope, named after the
// runtime: cri-containerd-<id>.scope, crio-<id>.scope, docker-<id>.scope, libpod-<id>.scope.
func scopeKilled(about, msg string) (id string, ok bool) {
	name, event, cut := strings.Cut(msg, ": ")
	if about != "" {
		name = about
	}
	if !cut || !strings.HasSuffix(name, ".scope") ||
		!strings.HasPrefix(event, "A process of this unit has been killed by the OOM killer") &&
			!strings.HasPrefix(event, "Failed with result 'oom-kill'") {
		return "", false
	}
	name = strings.TrimSuffix(name, ".scope")
	for _, runtime := range []string{"cri-containerd-", "crio-", "docker-", "libpod-"} {
		if id, ok := strings.CutPrefix(name, runtime); ok && evidence.IsContainerID(id, evidence.WholeID) {
			return id, true
		}
	}
	return "", false
}

// value extracts a value from "code=exited, status=255/EXCEPTION".
func value(s, key string) string {
	_, s, _ = strings.Cut(s, key)
	s, _, _ = strings.Cut(s, ",")
	return s
}

// named finds the unit in "kubelet.service - kubelet: The Kubernetes Node
// Agent.", "kubelet.service." or "kubelet: The Kubernetes Node Agent...".
func named(rest string) string {
	rest = strings.TrimRight(rest, ".")
	unit, _, _ := strings.Cut(rest, " ")
	if strings.HasSuffix(unit, ".service") {
		return unit
	}
	if app, ok := strings.CutPrefix(rest, "Service for snap application "); ok { // snapd wrappers/services.go
		return "snap." + app + ".service"
	}
	return descriptions[rest]
}

// oldUnit reads "Unit kubelet.service entered failed state.", "kubelet.service
// failed." and "kubelet.service holdoff time over, scheduling restart." (systemd
// ≤229, among them 219 of CentOS 7).
func oldUnit(msg string) (unit, event string, ok bool) {
	unit, event, ok = strings.Cut(strings.TrimPrefix(msg, "Unit "), " ")
	return unit, event, ok && strings.HasSuffix(unit, ".service")
}
