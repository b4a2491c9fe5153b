package statement

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestSystemdsLinesSayHowAUnitEnded(t *testing.T) {
	for msg, want := range map[string]evidence.UnitChanged{
		"kubelet.service: Main process exited, code=exited, status=255/EXCEPTION": {Change: "exited",
			Code: "exited", Status: 255},
		"kubelet.service: Main process exited, code=killed, status=9/KILL":  {Change: "exited", Code: "killed", Status: 9},
		"kubelet.service: main process exited, code=dumped, status=6/ABRT":  {Change: "exited", Code: "dumped", Status: 6},
		"kubelet.service: Main process exited":                              {Change: "exited"},
		"kubelet.service: Failed with result 'watchdog'.":                   {Change: "failed", Result: "watchdog"},
		"kubelet.service: Failed with result":                               {Change: "failed"},
		"kubelet.service: Scheduled restart job, restart counter is at 23.": {Change: "restart-scheduled", Restarts: 23},
		"kubelet.service: Scheduled restart job.":                           {Change: "restart-scheduled"},
		"kubelet.service: Killing process 12 (a) with signal x (b) with signal SIGKILL.": {Change: "process-killed",
			Process: "a) with signal x (b", PID: 12},
		"kubelet.service: Service RestartSec=10s expired, scheduling restart.": {Change: "restart-scheduled"},
		"kubelet.service: Main process exited, code=exited, status=99999999999999999999/SOMETHING": {Change: "exited",
			Code: "exited"},
	} {
		want.Unit = "kubelet.service"
		got, ok := unitChange("", msg)
		if d := cmp.Diff(want, got); d != "" || !ok {
			t.Errorf("%q: %s", msg, d)
		}
	}
}

func TestTheNodesOtherDaemonsAreHeard(t *testing.T) {
	cid := "cf42f657e760afb07f48065661d92833d97006f3d1b547bf955064fc4bcb305e"
	for _, c := range []struct {
		name  string
		entry evidence.Entry
		want  []string
	}{
		{"systemd-oomd", evidence.Entry{Unit: "systemd-oomd.service",
			Message: "Killed /kubepods.slice/x due to memory pressure for /kubepods.slice"},
			[]string{"host-log node.userspace-oom-kill"}},
		{"logind", evidence.Entry{Unit: "systemd-logind", Message: "System is rebooting."},
			[]string{"host-log node.power-change"}},
		{"conmon", evidence.Entry{Unit: "crio-conmon-" + cid + ".scope",
			Message: "conmon cf42f657e760afb07f48 <ninfo>: OOM received"}, []string{"runtime-log runtime.task-oom"}},
		{"apt", evidence.Entry{Unit: "init.scope", About: "apt-daily-upgrade.service",
			Message: "Starting Daily apt upgrade and clean activities..."}, []string{"systemd systemd.unit-changed"}},
		{"a stranger", evidence.Entry{Unit: "cron.service", Message: "System is rebooting."}, nil},
	} {
		s := route(Options{Node: "n1", Where: "f"}, c.entry)
		if d := cmp.Diff(c.want, said(s)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		for _, reach := range s.Coverage {
			t.Errorf("%s claims to cover %s", c.name, reach.Source)
		}
	}
}

func TestStoppingUnitsOfContainersAreRead(t *testing.T) {
	const id = "cf42f657e760afb07f48065661d92833d97006f3d1b547bf955064fc4bcb305e"
	const uid = "16a32d29-24eb-4a75-84ed-4c4c71e507a7"
	for _, tc := range []struct {
		about, msg string
		unit       string
		subject    evidence.Subject
	}{
		{"", "Stopping cri-containerd-" + id + ".scope - libcontainer container " + id + "...",
			"cri-containerd-" + id + ".scope", evidence.Subject{ContainerID: id}},
		{"crio-" + id + ".scope", "Stopping libcontainer container " + id + ".",
			"crio-" + id + ".scope", evidence.Subject{ContainerID: id}},
		{"", "Stopping libcontainer container " + id + ".", "cri-containerd-" + id + ".scope",
			evidence.Subject{ContainerID: id}},
		{"kubepods-burstable-pod16a32d29_24eb_4a75_84ed_4c4c71e507a7.slice", "Stopping libcontainer container…",
			"kubepods-burstable-pod16a32d29_24eb_4a75_84ed_4c4c71e507a7.slice", evidence.Subject{PodUID: uid}},
		{"", "Stopping kubepods.slice - libcontainer container kubepods.slice...", "kubepods.slice", evidence.Subject{}},
		{"", "crio-" + id + ".scope: Stopping timed out. Killing.", "crio-" + id + ".scope",
			evidence.Subject{ContainerID: id}},
		{"", "crio-" + id + ".scope: Killing process 7 (web) with signal SIGKILL.", "crio-" + id + ".scope",
			evidence.Subject{ContainerID: id}},
		{"", "crio-" + id + ".scope stopping timed out. Killing.", "crio-" + id + ".scope",
			evidence.Subject{ContainerID: id}},
		{"", "crio-" + id + ".scope: Scope reached runtime time limit. Stopping.", "crio-" + id + ".scope",
			evidence.Subject{ContainerID: id}},
		{"", "crio-" + id + ".scope: Deactivated successfully.", "", evidence.Subject{}},
		{"", "Stopping session-2.scope - Session 2 of User root...", "", evidence.Subject{}},
		{"", "Stopping user.slice - User and Session Slice.", "", evidence.Subject{}},
		{"", "Stopped cri-containerd-" + id + ".scope - libcontainer container " + id + ".", "", evidence.Subject{}},
	} {
		f, subject, ok := stopOfGroup(tc.about, tc.msg)
		if ok != (tc.unit != "") || ok && (f.Unit != tc.unit || f.Change != "stopping" || subject != tc.subject) {
			t.Errorf("%q of %q is %+v of %+v, %t", tc.msg, tc.about, f, subject, ok)
		}
	}
}

func TestSignalsThatSystemdSendsForSomeone(t *testing.T) {
	const id = "cf42f657e760afb07f48065661d92833d97006f3d1b547bf955064fc4bcb305e"
	scope := "cri-containerd-" + id + ".scope"
	for name, c := range map[string]struct {
		about, msg string
		want       bool
	}{
		"a container's":         {scope, scope + ": Sent signal SIGTERM to process 4711 (web) on client request.", true},
		"named by the line":     {"", scope + ": Sent signal SIGKILL to process 4711 (a b) on client request.", true},
		"one that ends nothing": {scope, scope + ": Sent signal SIGWINCH to process 4711 (web) on client request.", false},
		"of its own accord":     {scope, scope + ": Sent signal SIGTERM to process 4711 (web).", false},
		"a daemon's": {"web.service", "web.service: Sent signal SIGTERM to main process 4711 (web) on client request.",
			false},
		"without a process": {scope, scope + ": Sent signal SIGTERM to process x on client request.", false},
	} {
		f, s, ok := signalled(c.about, c.msg)
		if ok != c.want || ok && (s.ContainerID != id || len(f.PIDs) != 1 || f.PIDs[0] != 4711 || f.By != "systemd") {
			t.Errorf("%s: %+v of %+v, %v", name, f, s, ok)
		}
	}
}

// What systemd kills with a service may be a container's process; a scope's or slice's is read as a stop of that.
func TestProcessesThatSystemdKillsWithAUnit(t *testing.T) {
	for msg, want := range map[string]bool{
		"k3s.service: Killing process 4711 (web) with signal SIGTERM.":           true,
		"user@1000.service: Killing process 4711 (a b) with signal SIGKILL.":     true,
		"kubepods.slice: Killing process 4711 (web) with signal SIGKILL.":        false,
		"crio-x.scope: Killing process 4711 (web) with signal SIGKILL.":          false,
		"k3s.service: Killing process x (web) with signal SIGKILL.":              false,
		"k3s.service: Main process exited, code=killed, status=9/KILL (Killing)": false,
	} {
		f, s, ok := signalled("", msg)
		if ok != want || ok && (s != evidence.Subject{} || !slices.Equal(f.PIDs, []int{4711}) || f.By != "unit" ||
			!strings.HasSuffix(msg, "with signal "+f.Signal+".")) {
			t.Errorf("%s: %+v of %+v, %v", msg, f, s, ok)
		}
	}
}
