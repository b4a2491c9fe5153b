package kernel

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	uid  = "16a32d29-24eb-4a75-84ed-4c4c71e507a7"
	cid  = "cf42f657e760afb07f48065661d92833d97006f3d1b547bf955064fc4bcb305e"
	pod  = "/kubepods/burstable/pod" + uid
	memc = pod + "/" + cid
	slic = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod16a32d29_24eb_4a75_84ed_4c4c71e507a7.slice"
)

type said struct {
	Subject evidence.Subject
	Fact    evidence.Fact
}

func feed(lines ...string) []said {
	var p Parser
	var out []said
	emit := func(o evidence.Observation) { out = append(out, said{o.Subject, o.Fact}) }
	for _, l := range lines {
		p.Add(evidence.Entry{Message: l, Kernel: true}, emit)
	}
	p.Close(emit)
	return out
}

func one(s evidence.Subject, f evidence.Fact) []said { return []said{{s, f}} }

var victimOf = evidence.Subject{PodUID: uid, ContainerID: cid}

const summary = "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=" +
	cid + ",mems_allowed=0,oom_memcg=" + pod + ",task_memcg=" + memc + ",task=tail,pid=32147,uid=0"

var cases = []struct {
	name  string
	lines []string
	want  []said
}{
	{"a cgroup is called as the whole machine's shortage", []string{strings.Replace(summary, cid+",task=",
		cid+"/x,global_oom,y,task=", 1)}, one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
		TaskMemcg: memc + "/x", Task: "tail", PID: 32147})},
	{"5.0+: the record tells all, the next line repeats it", []string{
		"tail invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999", summary,
		"Memory cgroup out of memory: Killed process 32147 (tail) total-vm:26048kB, anon-rss:23936kB, file-rss:1264kB, shmem-rss:0kB, UID:0 pgtables:88kB oom_score_adj:999",
		"oom_reaper: reaped process 32147 (tail), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB"},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
			TaskMemcg: memc, Task: "tail", PID: 32147})},
	{"systemd's names, containerd",
		[]string{strings.ReplaceAll(strings.ReplaceAll(summary, memc, slic+"/cri-containerd-"+cid+".scope"),
			"oom_memcg="+pod, "oom_memcg="+slic)},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: slic,
			TaskMemcg: slic + "/cri-containerd-" + cid + ".scope", Task: "tail", PID: 32147})},
	{"systemd's names, CRI-O", []string{strings.ReplaceAll(summary, memc, slic+"/crio-"+cid+".scope")},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
			TaskMemcg: slic + "/crio-" + cid + ".scope", Task: "tail", PID: 32147})},
	{"below a lab's cgroup root", []string{strings.ReplaceAll(summary, "/kubepods", "/lab-n2/kubepods")},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: "/lab-n2" + pod,
			TaskMemcg: "/lab-n2" + memc, Task: "tail", PID: 32147})},
	{"the whole machine", []string{
		"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=" +
			memc + ",task=java,pid=99,uid=1000",
		"Out of memory: Killed process 99 (java) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:1kB oom_score_adj:1000"},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_NONE", TaskMemcg: memc, Task: "java", PID: 99, Global: true})},
	{"asked for by SysRq", []string{"sysrq: Manual OOM execution",
		"kworker/2:0 invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0", summary},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
			TaskMemcg: memc, Task: "tail", PID: 32147, Asked: true})},
	{"asked for by SysRq, whose own line is lost", []string{
		"kworker/2:0 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=-1, oom_score_adj=0", summary},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
			TaskMemcg: memc, Task: "tail", PID: 32147, Asked: true})},
	{"SysRq to all processes", []string{"sysrq: Terminate All Tasks"},
		one(evidence.Subject{}, evidence.Signalled{By: "SysRq", Signal: "SIGTERM"})},
	{"SysRq to all processes, before 4.20", []string{"sysrq: SysRq : Kill All Tasks"},
		one(evidence.Subject{}, evidence.Signalled{By: "SysRq", Signal: "SIGKILL"})},
	{"SysRq for something else", []string{"sysrq: Emergency Sync"}, nil},
	{"an audit record that nobody takes", []string{`audit: type=1318 audit(1772359242.400:812): opid=4711 ocomm="web"`},
		one(evidence.Subject{}, evidence.Signalled{By: "audit", PIDs: []int{4711}})},
	{"another audit record", []string{"audit: type=1300 audit(1772359242.400:812): syscall=62 a0=1267 a1=f"}, nil},
	{"a group: every task of the container", []string{summary,
		"Memory cgroup out of memory: Killed process 32147 (tail) total-vm:1kB",
		"Tasks in " + memc + " are going to be killed due to memory.oom.group set",
		"Memory cgroup out of memory: Killed process 32147 (tail) total-vm:1kB",
		"Memory cgroup out of memory: Killed process 32100 (sh) total-vm:1kB"},
		[]said{{victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
			TaskMemcg: memc, Task: "tail", PID: 32147}},
			{victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
				TaskMemcg: memc, Task: "sh", PID: 32100, Group: true}}}},
	{"a group whose own record is lost, after a kill of the whole machine in the same cgroup", []string{
		"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=" +
			memc + ",task=java,pid=99,uid=1000",
		"Out of memory: Killed process 99 (java) total-vm:1kB",
		"Tasks in " + memc + " are going to be killed due to memory.oom.group set",
		"Memory cgroup out of memory: Killed process 32100 (sh) total-vm:1kB"},
		[]said{{victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_NONE", TaskMemcg: memc, Task: "java", PID: 99,
			Global: true}},
			{victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", TaskMemcg: memc, Task: "sh", PID: 32100, Group: true}}}},
	{"a group whose own record is lost, after a kill in another container", []string{
		strings.ReplaceAll(summary, "task_memcg="+memc, "task_memcg="+pod+"/other"),
		"Tasks in " + memc + " are going to be killed due to memory.oom.group set",
		"Memory cgroup out of memory: Killed process 32100 (sh) total-vm:1kB"},
		[]said{{evidence.Subject{PodUID: uid}, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
			TaskMemcg: pod + "/other", Task: "tail", PID: 32147}},
			{victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", TaskMemcg: memc, Task: "sh", PID: 32100, Group: true}}}},
	{"<5.0: two lines make one record", []string{
		"Task in " + memc + " killed as a result of limit of " + pod,
		"memory: usage 122880kB, limit 122880kB, failcnt 83",
		"Memory cgroup out of memory: Kill process 123 (a (b)) score 1997 or sacrifice child",
		"Killed process 123 (a (b)) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB"},
		one(victimOf, evidence.OOMKill{OOMMemcg: pod, TaskMemcg: memc, Task: "a (b)",
			PID: 123, Limit: 122880 << 10})},
	{"<5.0: a child dies for whom the kernel chose", []string{
		"Task in " + memc + " killed as a result of limit of " + pod,
		"Memory cgroup out of memory: Kill process 123 (java) score 1997 or sacrifice child",
		"Killed process 124 (worker) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB"},
		one(victimOf, evidence.OOMKill{OOMMemcg: pod, TaskMemcg: memc, Task: "worker", PID: 124})},
	{"<5.0: a child dies for whom the kernel chose on the whole machine", []string{
		"Out of memory: Kill process 5 (java) score 900 or sacrifice child",
		"Killed process 6 (worker) total-vm:1kB, anon-rss:1kB"},
		one(evidence.Subject{}, evidence.OOMKill{Task: "worker", PID: 6, Global: true})},
	{"a program of the node, by its score", []string{
		"Out of memory: Killed process 6 (job) oom_score_adj:9) total-vm:1kB, anon-rss:1kB, " +
			"UID:0 pgtables:76kB oom_score_adj:0"},
		one(evidence.Subject{}, evidence.OOMKill{Task: "job) oom_score_adj:9", PID: 6, Global: true, Unscored: true})},
	{"a program of a pod, by its score", []string{
		"Out of memory: Killed process 6 (oom_score_adj:0) total-vm:1kB, anon-rss:1kB, " +
			"UID:0 pgtables:76kB oom_score_adj:1000"},
		one(evidence.Subject{}, evidence.OOMKill{Task: "oom_score_adj:0", PID: 6, Global: true})},
	{"<5.0: only whom it chose", []string{"Out of memory: Kill process 5 (java) score 900 or sacrifice child"},
		one(evidence.Subject{}, evidence.OOMKill{Task: "java", Global: true})},
	{"<5.0: the second line is lost", []string{"Task in " + memc + " killed as a result of limit of " + pod},
		one(victimOf, evidence.OOMKill{OOMMemcg: pod, TaskMemcg: memc})},
	{"<5.0: a limit whose path a terminal cut", []string{
		"Task in " + memc + " killed as a result of limit of " + pod[:len(pod)-3]}, nil},
	{"<5.0: two kills", []string{
		"Task in " + memc + " killed as a result of limit of " + pod, "Task in " +
			memc + " killed as a result of limit of " + memc,
		"Killed process 124 (b) total-vm:1kB"},
		[]said{{victimOf, evidence.OOMKill{OOMMemcg: pod, TaskMemcg: memc}},
			{victimOf, evidence.OOMKill{OOMMemcg: memc, TaskMemcg: memc, Task: "b", PID: 124}}}},
	{"<5.0: the whole machine tells no cgroup", []string{
		"Out of memory: Kill process 5 (java) score 900 or sacrifice child",
		"Killed process 5 (java) total-vm:1kB, anon-rss:1kB"},
		one(evidence.Subject{}, evidence.OOMKill{Task: "java", PID: 5, Global: true})},
	{"a task whose name forges fields", []string{strings.Replace(summary, "task=tail,", "task=x,pid=1,uid=0,", 1)},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
			TaskMemcg: memc, Task: "x,pid=1,uid=0", PID: 32147})},
	{"a process outside of pods", []string{strings.ReplaceAll(summary, memc, "/system.slice/cron.service")},
		one(evidence.Subject{}, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG",
			OOMMemcg: pod, TaskMemcg: "/system.slice/cron.service", Task: "tail", PID: 32147})},
	{"docker, without a parent", []string{strings.ReplaceAll(summary, memc, "/docker/"+cid)},
		one(evidence.Subject{ContainerID: cid}, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG",
			OOMMemcg: pod, TaskMemcg: "/docker/" + cid, Task: "tail", PID: 32147})},
	{"docker, systemd's names", []string{"Task in /system.slice/docker-" +
		cid + ".scope killed as a result of limit of /"},
		one(evidence.Subject{ContainerID: cid}, evidence.OOMKill{OOMMemcg: "/",
			TaskMemcg: "/system.slice/docker-" + cid + ".scope"})},
	{"a cut record that tells the cgroups", []string{summary[:strings.Index(summary, ",task=")+4]},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod, TaskMemcg: memc})},
	{"a cut record of a container's own limit", []string{
		strings.Replace(summary[:strings.Index(summary, ",task_memcg=")+30], pod+",", memc+",", 1)},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: memc, TaskMemcg: memc})},
	{"a cut record that names no container", []string{summary[:strings.Index(summary, ",task_memcg=")+30]}, nil},
	{"the figures of the cgroup and the line of the kill", []string{"Memory cgroup stats for " + memc + ": cache:0KB rss:1KB",
		"Memory cgroup out of memory: Kill process 123 (java) score 1984 or sacrifice child",
		"Killed process 123 (java) total-vm:1kB"},
		one(victimOf, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: memc, TaskMemcg: memc, Task: "java",
			PID: 123})},
	{"only the line of the kill", []string{"Memory cgroup out of memory: Killed process 123 (java) total-vm:1kB"},
		one(evidence.Subject{}, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", Task: "java", PID: 123})},
	{"only the line of the kill, before 5.0", []string{"Killed process 123 (java) total-vm:1kB, anon-rss:1kB"},
		one(evidence.Subject{}, evidence.OOMKill{Task: "java", PID: 123})},
	{"a report without its kill", []string{"tail invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=9"},
		one(evidence.Subject{}, evidence.OOMKill{})},
	{"two reports without their kills", []string{"a invoked oom-killer: gfp_mask=0xcc0", "memory: usage 1kB, limit 1kB, " +
		"failcnt 9", "b invoked oom-killer: gfp_mask=0xcc0"},
		append(one(evidence.Subject{}, evidence.OOMKill{}), one(evidence.Subject{}, evidence.OOMKill{})...)},
	{"only what the reaper says", []string{"oom_reaper: reaped process 9 (tail), now anon-rss:0kB"},
		one(evidence.Subject{}, evidence.OOMKill{})},
	{"only the group that dies", []string{"Tasks in " + memc + " are going to be killed due to memory.oom.group set"},
		one(evidence.Subject{}, evidence.OOMKill{})},
	{"only whose figures they are", []string{"Memory cgroup stats for " + memc + ": cache:0KB rss:1KB"},
		one(evidence.Subject{}, evidence.OOMKill{})},
	{"segfault", []string{"tail[123]: segfault at 0 ip 00007f9 sp 00007ff error 4 in busybox[400000+e0000]"},
		one(evidence.Subject{}, evidence.Segfault{Task: "tail", PID: 123, Kind: "segfault"})},
	{"segfault of a name with brackets", []string{"a[1] b[123]: segfault at 0 ip 0"},
		one(evidence.Subject{}, evidence.Segfault{Task: "a[1] b", PID: 123, Kind: "segfault"})},
	{"general protection", []string{"traps: tail[123] general protection fault ip:1 sp:2 error:0 in x[1+2]"},
		one(evidence.Subject{}, evidence.Segfault{Task: "tail", PID: 123, Kind: "general protection fault"})},
	{"a name with a line break, cut in two", []string{"Linux version ,pid=4711,uid=0"}, nil},
	{"boot", []string{"Linux version 6.1.0-18-cloud-amd64 (debian-kernel@lists.debian.org)"},
		one(evidence.Subject{}, evidence.KernelBooted{})},
	{"a boot of which the log has all first lines", []string{"Booting Linux on physical CPU 0x0", "Linux version 6.1.0",
		"Command line: BOOT_IMAGE=/vmlinuz root=UUID=1"}, one(evidence.Subject{}, evidence.KernelBooted{})},
	{"a boot of which it has only the command line", []string{"Command line: BOOT_IMAGE=/vmlinuz root=UUID=1"},
		one(evidence.Subject{}, evidence.KernelBooted{})},
	{"a program's command line", []string{"Command line: java -jar app.jar"}, nil},
	{"other lines", []string{"eth0: link up", "Killed", "Task in ", "traps: ", "oom-kill:"}, nil},
}

func TestKernelLinesBecomeStatements(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, feed(c.lines...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func entries(t *testing.T, s string) ([]evidence.Entry, Assumed) {
	t.Helper()
	var out []evidence.Entry
	a, err := Read(strings.NewReader(s), nil, func(e evidence.Entry) { out = append(out, e) })
	if err != nil {
		t.Fatal(err)
	}
	return out, a
}

func TestEveryFormOfTheLogIsRead(t *testing.T) {
	at := time.Date(2019, 12, 15, 23, 40, 19, 500_000_000, time.UTC)
	for _, c := range []struct {
		name, in string
		want     time.Time
		assumed  Assumed
	}{
		{"kmsg with its header",
			"# kmsg boottime=2019-12-15T23:40:00Z bootid=b1\n6,2199,19500000,-;Linux version 6\n SUBSYSTEM=cpu\n",
			at, Assumed{}},
		{"kmsg without", "6,2199,19500000,-;Linux version 6\n", time.Time{}, Assumed{NoTime: true}},
		{"dmesg with the header of ours", "# kmsg boottime=2019-12-15T23:40:00Z bootid=b1\n[   19.500000] Linux version 6\n",
			at, Assumed{}},
		{"dmesg", "[   19.500000] Linux version 6\n", time.Time{}, Assumed{NoTime: true}},
		{"dmesg --raw", "<5>[   19.500000] Linux version 6\n", time.Time{}, Assumed{NoTime: true}},
		{"kmsg with the caller",
			"# kmsg boottime=2019-12-15T23:40:00Z bootid=b1\n6,2199,19500000,-,caller=T1;Linux version 6\n", at, Assumed{}},
		{"dmesg with the caller", "[   19.500000][    T1] Linux version 6\n", time.Time{}, Assumed{NoTime: true}},
		{"dmesg --raw with a processor as the caller", "<5>[   19.500000][   C12] Linux version 6\n",
			time.Time{}, Assumed{NoTime: true}},
		{"dmesg -T", "[Sun Dec 15 23:40:19 2019] Linux version 6\n", at.Truncate(time.Second), Assumed{Zone: true}},
		{"dmesg -T in Chinese", "[日 12月 15 23:40:19 2019] Linux version 6\n", at.Truncate(time.Second), Assumed{Zone: true}},
		{"dmesg -T in German", "[So Dez 15 23:40:19 2019] Linux version 6\n", at.Truncate(time.Second), Assumed{Zone: true}},
		{"dmesg -T in Japanese, a day of one digit", "[日 12月  1 23:40:19 2019] Linux version 6\n",
			at.AddDate(0, 0, -14).Truncate(time.Second), Assumed{Zone: true}},
		{"dmesg -x", "kern  :notice: [   19.500000] Linux version 6\n", time.Time{}, Assumed{NoTime: true}},
		{"dmesg -xT", "kern  :info  : [Sun Dec 15 23:40:19 2019] Linux version 6\n",
			at.Truncate(time.Second), Assumed{Zone: true}},
		{"dmesg -rT", "<4>[Sun Dec 15 23:40:19 2019] Linux version 6\n", at.Truncate(time.Second), Assumed{Zone: true}},
		{"dmesg -L", "\x1b[32m[   19.500000] \x1b[0mLinux version 6\n", time.Time{}, Assumed{NoTime: true}},
		{"dmesg -e, a new minute", "[Dec15 23:40] Linux version 6\n", time.Time{}, Assumed{Coarse: true}},
		{"dmesg -e, a day of one digit", "[Dec 5 23:40] Linux version 6\n", time.Time{}, Assumed{Coarse: true}},
		{"dmesg -e, within the minute", "[  +0.000004] Linux version 6\n", time.Time{}, Assumed{Coarse: true}},
		{"dmesg --json",
			"# kmsg boottime=2019-12-15T23:40:00Z bootid=b1\n{\"pri\":6,\"time\":    19.500000,\"msg\":\"Linux version 6\"},\n",
			at, Assumed{}},
		{"dmesg --time-format iso", "2019-12-15T23:40:19,500000+00:00 Linux version 6\n", at, Assumed{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, a := entries(t, c.in)
			if len(got) != 1 || !got[0].Time.Equal(c.want) || got[0].Message != "Linux version 6" ||
				!got[0].Kernel || a != c.assumed {
				t.Errorf("%+v, assumed %+v", got, a)
			}
		})
	}
	for _, theirs := range []string{"12,2199,19500000,-;Linux version 6\n",
		"<12>[   19.500000] Linux version 6\n", "user  :warn  : [   19.500000] Linux version 6\n",
		"{\"pri\":12,\"time\":19.5,\"msg\":\"Linux version 6\"}\n"} {
		if got, _ := entries(t, "# kmsg boottime=2019-12-15T23:40:00Z bootid=b1\n"+theirs); len(got) != 1 ||
			got[0].Message != "" || got[0].Time.IsZero() {
			t.Errorf("a program's line is believed: %q: %+v", theirs, got)
		}
	}
	var cut []evidence.Entry
	if _, err := Read(strings.NewReader("6,1,1,-;x\n6,2,2,-;oom-kill:…,pid=12"),
		nil, func(e evidence.Entry) { cut = append(cut, e) }); !errors.Is(err, errCut) || len(cut) != 1 {
		t.Errorf("a cut log: %+v, %v", cut, err)
	}
	if got, _ := entries(t, "no log at all\n\n[x] y\n1,2;z\n{\"x\":1}\n[+] x\n<6\nkern: x: y\n"+
		"[日 13月 15 23:40:19 2019] x\n[Fr Feb 30 23:40:19 2019] x\n"); len(got) != 0 {
		t.Errorf("read %+v", got)
	}
}

func TestALineThatATerminalBrokeIsRead(t *testing.T) {
	line := "[ 7063.247407] Task in " + memc + " killed as a result of limit of " + pod
	for _, at := range []int{len(line) - 1, len(line) - 40} {
		var got []string
		_, err := Read(strings.NewReader(line[:at]+"\n"+line[at:]+"\n$ exit\n"), nil, func(e evidence.Entry) {
			got = append(got, e.Message)
		})
		if want := line[len("[ 7063.247407] "):]; err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%v, %q, want %q", err, got, want)
		}
	}
}

func TestAPieceTellsFactsReachAndGaps(t *testing.T) {
	until := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	log := "# kmsg boottime=2026-11-21T07:00:00Z bootid=e9c7ac50-23c0-4cb9-871e-d59d73bc3c56\n6,1,0,-;Linux version 6.18\n6,2,60000000,-;" + summary + "\n"
	observe := func(data string) *evidence.Snapshot {
		b := evidence.NewBuilder(until)
		NewPiece("n2", evidence.Bytes(Path("n2"), []byte(data)), until).Observe(b)
		return b.Build()
	}
	s := observe(log)
	if len(s.Observations) != 2 || len(s.Gaps) != 0 {
		t.Fatalf("%+v %+v", s.Observations, s.Gaps)
	}
	if k := s.Observations[0].Fact.(evidence.KernelBooted); k.BootID != "e9c7ac50-23c0-4cb9-871e-d59d73bc3c56" {
		t.Errorf("boot %+v", k)
	}
	o := s.Observations[1]
	if o.Subject.ContainerID != cid || o.Subject.Node != "n2" || !o.Time.Equal(until.Add(-59*time.Minute)) ||
		o.Source.Where != "nodes/n2/kmsg.txt" {
		t.Errorf("%+v", o)
	}
	want := []evidence.Coverage{{Source: evidence.SourceKernelLog, Node: "n2",
		From: until.Add(-time.Hour), Until: until, Counted: true}}
	if diff := cmp.Diff(want, s.Coverage, cmpopts.IgnoreFields(evidence.Coverage{}, "Origin")); diff != "" {
		t.Error(diff)
	}
	for name, data := range map[string]string{"empty": "", "no log": "hello\n", "no boot time": "[  1.0] x\n"} {
		if s := observe(data); len(s.Gaps) != 1 || len(s.Coverage) != 0 {
			t.Errorf("%s: gaps %+v, coverage %+v", name, s.Gaps, s.Coverage)
		}
	}
}

func FuzzKernelLog(f *testing.F) {
	for _, c := range cases {
		f.Add("# kmsg boottime=2019-12-15T23:40:00Z bootid=b\n6,1,5,-;" + strings.Join(c.lines, "\n6,2,6,-;"))
		f.Add("[Sun Dec 15 23:40:19 2019] " + strings.Join(c.lines, "\n[   1.5] "))
	}
	f.Fuzz(func(t *testing.T, s string) {
		var p Parser
		emit := func(o evidence.Observation) {
			if o.Fact == nil || !safetext.Safe(o.Text.String()) {
				t.Fatalf("%+v", o)
			}
			if k, ok := o.Fact.(evidence.OOMKill); ok && !safetext.Safe(k.Task+k.OOMMemcg+k.TaskMemcg) {
				t.Fatalf("unsafe names: %+v", k)
			}
		}
		if _, err := Read(strings.NewReader(s), nil, func(e evidence.Entry) { p.Add(e, emit) }); err != nil &&
			!errors.Is(err, errCut) {
			t.Fatal(err)
		}
		p.Close(emit)
	})
}
