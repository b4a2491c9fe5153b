package hostlog

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	uid   = "16a32d29-24eb-4a75-84ed-4c4c71e507a7"
	cid   = "cf42f657e760afb07f48065661d92833d97006f3d1b547bf955064fc4bcb305e"
	slice = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod16a32d29_24eb_4a75_84ed_4c4c71e507a7.slice"
)

var cases = []struct {
	name, unit, msg string
	subject         evidence.Subject
	want            evidence.Fact
}{
	{"systemd-oomd kills a pod", "systemd-oomd.service", "Killed " + slice +
		" due to memory pressure for /kubepods.slice being 85.12% > 60.00% for > 30s with reclaim activity",
		evidence.Subject{PodUID: uid}, evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: slice}},
	{"systemd-oomd kills a container", "systemd-oomd", "Killed " + slice +
		"/cri-containerd-" + cid +
		".scope due to memory used (123) / total (456) and swap used (7) / total (8) being more than 90.00%",
		evidence.Subject{PodUID: uid, ContainerID: cid},
		evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: slice + "/cri-containerd-" + cid + ".scope"}},
	{"systemd-oomd kills a pod for its own pressure", "systemd-oomd.service",
		"Killed " + slice + " due to memory pressure for " + slice + " being 85.12% > 60.00% for > 30s with reclaim activity",
		evidence.Subject{PodUID: uid}, evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: slice, Own: true}},
	{"systemd-oomd kills something else", "systemd-oomd.service",
		"Killed /user.slice/x due to memory pressure for /user.slice", evidence.Subject{},
		evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: "/user.slice/x"}},
	{"systemd-oomd only says that it would", "systemd-oomd.service", "Dry run: Killed " +
		slice + " due to memory pressure", evidence.Subject{}, nil},
	{"systemd-oomd starts", "systemd-oomd.service", "Starting up", evidence.Subject{}, nil},
	{"another unit says the same", "web.service", "Killed " + slice + " due to memory pressure", evidence.Subject{}, nil},
	{"earlyoom", "earlyoom.service", `sending SIGTERM to process 1234 uid 0 "python": badness 801, VmRSS 12 MiB`,
		evidence.Subject{}, evidence.UserspaceOOMKill{Killer: "earlyoom", Task: "python", PID: 1234, Asks: true}},
	{"earlyoom, a name that forges", "earlyoom",
		`sending SIGKILL to process 1234 uid 0 "a": badness 1, "b": badness 801, VmRSS 12 MiB`, evidence.Subject{},
		evidence.UserspaceOOMKill{Killer: "earlyoom", Task: `a": badness 1, "b`, PID: 1234}},
	{"earlyoom, cut", "earlyoom", `sending SIGKILL to process 1234 uid 0 "a`, evidence.Subject{},
		evidence.UserspaceOOMKill{Killer: "earlyoom", Task: "a", PID: 1234}},
	{"earlyoom since 1.8", "earlyoom", `sending SIGTERM to process 7 uid 0 "a": oom_score 9, oom_score_adj 0, VmRSS 2 MiB`,
		evidence.Subject{}, evidence.UserspaceOOMKill{Killer: "earlyoom", Task: "a", PID: 7, Asks: true}},
	{"earlyoom, another signal", "earlyoom", `sending SIGHUP to process 1 uid 0 "a": badness 1`, evidence.Subject{}, nil},
	{"earlyoom, no process", "earlyoom", `sending SIGTERM to process x uid 0 "a": badness 1`, evidence.Subject{}, nil},
	{"a command of sudo", "session-3.scope", "ops : TTY=pts/0 ; USER=root ; COMMAND=/usr/bin/kill -15 4711",
		evidence.Subject{}, evidence.Signalled{PIDs: []int{15, 4711}}},
	{"a command of cron", "CRON", "(root) CMD (/usr/bin/ctr -n k8s.io task kill " + cid + ")",
		evidence.Subject{ContainerID: cid}, evidence.Signalled{By: "cron"}},
	{"an agent", "agent.service", "will kill 4711", evidence.Subject{},
		evidence.Signalled{PIDs: []int{4711}}},
	{"a command that names a container", "sudo", "ops : USER=root ; COMMAND=/usr/bin/ctr task kill -s SIGTERM " + cid,
		evidence.Subject{ContainerID: cid}, evidence.Signalled{By: "sudo"}},
	{"of a session, with a signal", "session-3.scope", "ops : USER=root ; COMMAND=/bin/docker kill --signal=KILL " + cid,
		evidence.Subject{ContainerID: cid}, evidence.Signalled{By: "sudo"}},
	{"that reopens its files", "session-3.scope", "ops : USER=root ; COMMAND=/bin/docker kill --signal=USR1 " + cid,
		evidence.Subject{ContainerID: cid}, evidence.Signalled{}},
	{"that searches its log", "sudo", "ops : USER=root ; COMMAND=/bin/bash -c crictl logs " + cid + " | grep kill",
		evidence.Subject{ContainerID: cid}, evidence.Signalled{}},
	{"that kills within it", "session-3.scope", "ops : USER=root ; COMMAND=/bin/docker exec " + cid + " kill 7",
		evidence.Subject{ContainerID: cid}, evidence.Signalled{PIDs: []int{7}}},
	{"that sudo refused", "session-3.scope", "ops : command not allowed ; USER=root ; COMMAND=/bin/docker kill " + cid,
		evidence.Subject{ContainerID: cid}, evidence.Signalled{}},
	{"a job that looks", "cron.service", "(root) CMD (/opt/list-terminated " + cid + ")",
		evidence.Subject{ContainerID: cid}, evidence.Signalled{}},
	{"a command that ends nothing", "sudo", "ops : COMMAND=/usr/bin/ls /proc/4711", evidence.Subject{}, nil},
	{"a signal to nobody by number", "cron.service", "(root) CMD (/usr/bin/pkill web)", evidence.Subject{}, nil},
	{"an audit record", "audit", `OBJ_PID opid=4711 oauid=-1 ocomm="web"`, evidence.Subject{},
		evidence.Signalled{By: "audit", PIDs: []int{4711}}},
	{"another audit record", "audit", "SYSCALL arch=c000003e syscall=62 a0=1267 a1=f", evidence.Subject{}, nil},
	{"an audit record without a process", "audit", "OBJ_PID opid=x", evidence.Subject{}, nil},
	{"a reboot was asked for", "systemd-logind.service", "System is rebooting.",
		evidence.Subject{}, evidence.PowerChange{Change: "reboot"}},
	{"a reboot was asked for, newer", "systemd-logind", "The system will reboot now!",
		evidence.Subject{}, evidence.PowerChange{Change: "reboot"}},
	{"a reboot was asked for, with a message", "systemd-logind", "System is rebooting (Unattended-upgrade: reboot).",
		evidence.Subject{}, evidence.PowerChange{Change: "reboot"}},
	{"powered off", "systemd-logind", "System is powering down.", evidence.Subject{},
		evidence.PowerChange{Change: "shutdown"}},
	{"a session", "systemd-logind", "New session 4 of user root.", evidence.Subject{}, nil},
	{"yum", "yum", "Updated: kubelet-1.20.0-0.x86_64", evidence.Subject{},
		evidence.PackageChanged{Manager: "rpm", Action: "upgrade", Package: "kubelet", To: "1.20.0-0"}},
	{"yum and another package", "yum", "Updated: vim-8-1.x86_64", evidence.Subject{}, nil},
	{"Talos, by a console that leaves out the braces", Talos, "[talos] Sending SIGKILL to cgroup /sys/fs/cgroup" + slice,
		evidence.Subject{PodUID: uid}, evidence.UserspaceOOMKill{Killer: "Talos", Cgroup: slice}},
	{"Talos' runtime ended", Talos, "[talos] service[cri](Waiting): Error running Process([\"/bin/containerd\"]), " +
		"going to restart forever: signal: hangup", evidence.Subject{},
		evidence.UnitChanged{Unit: "containerd.service", Change: "failed"}},
	{"Talos' runtime runs", Talos, "[talos] service[cri](Running): Process Process([\"/bin/containerd\"]) started with PID 9",
		evidence.Subject{}, evidence.UnitChanged{Unit: "containerd.service", Change: "started"}},
	{"Talos stops its kubelet", Talos, "[talos] service[kubelet](Stopping): Sending SIGTERM to task kubelet",
		evidence.Subject{}, evidence.UnitChanged{Unit: "kubelet.service", Change: "stopping"}},
	{"another service of Talos", Talos, "[talos] service[etcd](Waiting): Error running Containerd(etcd)", evidence.Subject{}, nil},
	{"Talos prepares its kubelet", Talos, "[talos] service[kubelet](Preparing): Running pre state", evidence.Subject{}, nil},
	{"Talos reboots its machine", Talos, "[talos] reboot sequence: 11 phase(s)", evidence.Subject{},
		evidence.PowerChange{Change: "reboot"}},
	{"Talos upgrades its machine", Talos, "[talos] upgrade sequence: 12 phase(s)", evidence.Subject{},
		evidence.PowerChange{Change: "reboot"}},
	{"Talos shuts its machine down", Talos, "[talos] shutdown sequence: 10 phase(s)", evidence.Subject{},
		evidence.PowerChange{Change: "shutdown"}},
	{"Talos could not go on", Talos, "[talos] upgrade sequence: failed", evidence.Subject{}, nil},
	{"Talos is done", Talos, "[talos] upgrade sequence: done: 1m2s", evidence.Subject{}, nil},
	{"Talos boots", Talos, "[talos] boot sequence: 20 phase(s)", evidence.Subject{}, nil},
	{"nobody", "", "System is rebooting.", evidence.Subject{}, nil},
}

func TestLinesOfOtherDaemons(t *testing.T) {
	at := time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []evidence.Observation
			Read(evidence.Entry{Time: at, Unit: c.unit, Message: c.msg}, func(o evidence.Observation) { got = append(got, o) })
			if c.want == nil {
				if len(got) != 0 {
					t.Errorf("%+v", got)
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("%+v", got)
			}
			if d := cmp.Diff(c.want, got[0].Fact); d != "" || got[0].Subject != c.subject ||
				got[0].Text.String() != c.msg || !got[0].Time.Equal(at) {
				t.Errorf("%s %+v", d, got[0])
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add(c.unit, c.msg)
	}
	f.Fuzz(func(t *testing.T, unit, msg string) {
		Read(evidence.Entry{Unit: unit, Message: msg}, func(o evidence.Observation) {
			if o.Fact == nil || !safetext.Safe(o.Text.String()) {
				t.Fatalf("%+v", o)
			}
			if k, ok := o.Fact.(evidence.UserspaceOOMKill); ok && !safetext.Safe(k.Task+k.Cgroup) {
				t.Fatalf("%+v", k)
			}
		})
	})
}
