package kernel

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The reports of an old and of new kernels, as they came out of them; only the
// table's columns differ from 6.8 on.
var (
	guaranteed = "/kubepods.slice/kubepods-pod392bf93e_1fcf_11ea_9b5b_3cfdfe576498.slice"
	old        = `runhttp invoked oom-killer: gfp_mask=0x14000c0(GFP_KERNEL), nodemask=(null), order=0, oom_score_adj=-998
runhttp cpuset=27edbc0dd4ec2a3e9a4d8ef8b014eda12e76ff36da95b0a91e842f5dac4fc02f mems_allowed=0-1
CPU: 9 PID: 4305 Comm: runhttp Tainted: P           OE    4.15.0-43.generic.x86_64 #1
Task in ` + guaranteed + `/27edbc0dd4ec2a3e9a4d8ef8b014eda12e76ff36da95b0a91e842f5dac4fc02f killed as a result of limit of ` + guaranteed + `
memory: usage 204800kB, limit 204800kB, failcnt 3616
memory+swap: usage 0kB, limit 9007199254740988kB, failcnt 0
kmem: usage 4992kB, limit 9007199254740988kB, failcnt 0`
	table50 = `tail invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999
memory: usage 102400kB, limit 102400kB, failcnt 15
Memory cgroup stats for ` + memc + `:
Tasks state (memory values in pages):
[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
[  32100]     0 32100      256      100    45056        0           999 sh
[  32147]     0 32147     6512     5984    90112        0           999 my tail
[  32001]     0 32001      250        1    40960        0          -998 pause
` + summary
)

func records1(t *testing.T, text string) []evidence.OOMKill {
	t.Helper()
	var kills []evidence.OOMKill
	for _, s := range feed(strings.Split(text, "\n")...) {
		if k, ok := s.Fact.(evidence.OOMKill); ok {
			kills = append(kills, k)
		}
	}
	return kills
}

func TestAReportNamesTheLimitAndTheLargestTasks(t *testing.T) {
	want := []evidence.OOMKill{{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod,
		TaskMemcg: memc, Task: "tail", PID: 32147, Limit: 102400 << 10, Tasks: 3, First: 32001, Last: 32147,
		Processes: []evidence.OOMProcess{{PID: 32147, RSS: 5984 * 4096},
			{PID: 32100, RSS: 100 * 4096}, {PID: 32001, RSS: 4096}}}}
	if diff := cmp.Diff(want, records1(t, table50)); diff != "" {
		t.Error(diff)
	}
	later := strings.NewReplacer("      rss pgtables", "      rss rss_anon rss_file rss_shmem pgtables",
		"5984    90112", "5984 5000 984 0    90112",
		"     100    45056", "     100 50 50 0    45056", "       1    40960", "       1 0 1 0    40960").Replace(table50)
	if diff := cmp.Diff(want, records1(t, later)); diff != "" {
		t.Errorf("since 6.8: %s", diff)
	}
	older := strings.ReplaceAll(strings.ReplaceAll(table50, "pgtables_bytes", "nr_ptes nr_pmds"),
		"        0          ", " 3        0          ")
	if diff := cmp.Diff(want, records1(t, older)); diff != "" {
		t.Errorf("before 4.15: %s", diff)
	}
}

// A pod that is Guaranteed has its limit on the pod's cgroup, where the pause
// process counts too. The kernel's report may be cut before it names a victim.
func TestAReportOf415TellsWhoseLimitItWas(t *testing.T) {
	got := feed(strings.Split(old, "\n")...)
	want := one(evidence.Subject{PodUID: "392bf93e-1fcf-11ea-9b5b-3cfdfe576498",
		ContainerID: "27edbc0dd4ec2a3e9a4d8ef8b014eda12e76ff36da95b0a91e842f5dac4fc02f"},
		evidence.OOMKill{OOMMemcg: guaranteed, TaskMemcg: guaranteed +
			"/27edbc0dd4ec2a3e9a4d8ef8b014eda12e76ff36da95b0a91e842f5dac4fc02f",
			Limit: 200 << 20})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A report serves the kill that it belongs to, and no other.
func TestAReportIsNotTakenForAnothers(t *testing.T) {
	twice := old + "\n" + strings.Replace(old, "runhttp invoked", "other invoked", 1) +
		"\nKilled process 7 (x) total-vm:1kB"
	got := records1(t, twice)
	if len(got) != 2 || got[0].Task != "" || got[1].Task != "x" {
		t.Errorf("two reports, the first cut: %+v", got)
	}
	got = records1(t, table50+"\n"+strings.Replace(summary, "pid=32147", "pid=32148", 1))
	if len(got) != 2 || got[1].Limit != 0 || got[1].Processes != nil {
		t.Errorf("a kill whose report is missing: %+v", got)
	}
	group := table50 + "\nTasks in " + memc +
		" are going to be killed due to memory.oom.group set\nMemory cgroup out of memory: Killed process 32100 (sh) total-vm:1kB"
	got = records1(t, group)
	if len(got) != 2 || !got[1].Group || got[1].Limit != 102400<<10 {
		t.Errorf("the rest of a group: %+v", got)
	}
}

func TestTheMachineItselfRanOut(t *testing.T) {
	got := records1(t,
		"java invoked oom-killer: gfp_mask=0x201da, order=0, oom_score_adj=0\n[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name\n"+
			"[ 1234]  1000  1234  1000000   500000    1000        0             0 java\nOut of memory: Kill process 1234 (java) score 900 or sacrifice child\nKilled process 1234 (java) total-vm:1kB, anon-rss:1kB")
	want := []evidence.OOMKill{{Task: "java", PID: 1234, Global: true, Tasks: 1, First: 1234, Last: 1234,
		Processes: []evidence.OOMProcess{{PID: 1234, RSS: 500000 * 4096}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTablesOfAnySizeAreBounded(t *testing.T) {
	var p Parser
	p.Add(evidence.Entry{Message: "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name"},
		nil)
	for range 3 * maxRows {
		p.Add(evidence.Entry{Message: "[  32100]     0 32100      256      100    45056        0           999 sh"}, nil)
	}
	p.Add(evidence.Entry{Message: "[  x]     0 32100 sh"}, nil)
	if len(p.report.rows) != maxRows {
		t.Errorf("%d rows are kept", len(p.report.rows))
	}
}

func TestFaultsAndHangsOfEveryArchitecture(t *testing.T) {
	fault := func(task string, pid int, kind string) []said {
		return one(evidence.Subject{}, evidence.Segfault{Task: task, PID: pid, Kind: kind})
	}
	for _, c := range []struct {
		name, line string
		want       []said
	}{
		{"an instruction that is none", "traps: app[77] trap invalid opcode ip:55d sp:7ff error:0 in app[55d+1000]",
			fault("app", 77, "invalid opcode")},
		{"division by zero", "traps: app[77] trap divide error ip:55d sp:7ff error:0", fault("app", 77, "divide error")},
		{"general protection of old kernels", "traps: app[77] general protection ip:55d sp:7ff error:0",
			fault("app", 77, "general protection")},
		{"arm64", "app[77]: unhandled level 2 translation fault (11) at 0x00000000, esr 0x92000006",
			fault("app", 77, "unhandled level 2 translation fault")},
		{"arm64, 4.19 and later", "app[77]: unhandled exception: DABT (lower EL), ESR 0x92000004, level 0 translation fault in app[400000+1000]",
			fault("app", 77, "unhandled exception")},
		{"riscv", "app[77]: unhandled signal 11 code 0x1 at 0x0000000000000000 in app[10000+1000]",
			fault("app", 77, "unhandled signal 11")},
		{"powerpc", "app[77]: segfault (11) at 0 nip 100a1b2c lr 100a1b00 code 1 in app[10000000+10000]",
			fault("app", 77, "segfault")},
		{"arm", "app[77]: undefined instruction: pc=00000000c0a5f2bb", fault("app", 77, "undefined instruction")},
		{"memory that broke", "Memory failure: 0x1234: Sending SIGBUS to my:java:123 due to hardware memory corruption",
			fault("my:java", 123, "hardware memory corruption")},
		{"memory that broke, older", "MCE 0x1234: Killing java:123 due to hardware memory corruption",
			fault("java", 123, "hardware memory corruption")},
		{"memory that broke, and a page that stays", "Memory failure: 0x1234: forcibly killing java:123 because of failure " +
			"to unmap corrupted page", fault("java", 123, "hardware memory corruption")},
		{"memory that broke, told early", "MCE 0x1234: Killing java:123 early due to hardware memory corruption",
			fault("java", 123, "hardware memory corruption")},
		{"memory that broke, at a fault", "MCE: Killing java:123 due to hardware memory corruption fault at 4631e000",
			fault("java", 123, "hardware memory corruption")},
		{"a task that waits for its disk", "INFO: task jbd2/sda1-8:123 blocked for more than 120 seconds.",
			one(evidence.Subject{}, evidence.HungTask{Kind: "blocked", Task: "jbd2/sda1-8", PID: 123, Seconds: 120})},
		{"a processor that is stuck", "watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [java:123]",
			one(evidence.Subject{}, evidence.HungTask{Kind: "soft-lockup", Task: "java", PID: 123, Seconds: 22})},
		{"the same, older", "NMI watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [java:123]",
			one(evidence.Subject{}, evidence.HungTask{Kind: "soft-lockup", Task: "java", PID: 123, Seconds: 22})},
		{"a task that is called like a fault", "traps: web[11] trap x[77] trap invalid opcode ip:1 sp:2 error:0",
			fault("web[11] trap x", 77, "invalid opcode")},
		{"no process id", "traps: app[x] trap invalid opcode ip:1", nil},
		{"no time", "INFO: task a:b blocked for more than x seconds.", nil},
		{"cut", "watchdog: BUG: soft lockup - CPU#1 stuck for", nil},
		{"nobody", "Memory failure: 0x1: recovery action for dirty LRU page: Recovered", nil},
		{"no victim", "x due to hardware memory corruption", nil},
	} {
		if diff := cmp.Diff(c.want, feed(c.line)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestTimesToTheMinuteAreNotTakenForTimes(t *testing.T) {
	b := evidence.NewBuilder(time.Time{})
	NewPiece("n1", evidence.Bytes("nodes/n1/dmesg.txt",
		[]byte("[Dec15 23:40] "+strings.ReplaceAll(table50, "\n", "\n[  +0.000004] ")+"\n")), time.Time{}).Observe(b)
	s := b.Build()
	if len(s.Observations) != 1 || !s.Observations[0].Time.IsZero() || len(s.Coverage) != 0 {
		t.Errorf("%+v, coverage %+v", s.Observations, s.Coverage)
	}
	if len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, "only exact to a minute") {
		t.Errorf("gaps %+v", s.Gaps)
	}
}

// The whole report of a kernel 6.18: a shell's child in a container that was
// limited to 20 MiB.
func TestARecordedReport(t *testing.T) {
	data, err := os.ReadFile("testdata/oom-6.18.txt")
	if err != nil {
		t.Fatal(err)
	}
	b := evidence.NewBuilder(time.Time{})
	NewPiece("n1", evidence.Bytes("nodes/n1/kmsg.txt", data), time.Time{}).Observe(b)
	s := b.Build()
	if len(s.Observations) != 1 || len(s.Gaps) != 0 {
		t.Fatalf("%+v, gaps %+v", s.Observations, s.Gaps)
	}
	k, ok := s.Observations[0].Fact.(evidence.OOMKill)
	if !ok || k.Limit != 20<<20 || len(k.Processes) != 3 || k.Processes[0].PID != k.PID || k.Processes[0].RSS < 20<<20 {
		t.Errorf("%+v", k)
	}
	if o := s.Observations[0]; o.Subject.PodUID != "16a32d29-24eb-4a75-84ed-4c4c71e507a7" ||
		!strings.HasPrefix(o.Subject.ContainerID, "27ce6c5bbe74") {
		t.Errorf("%+v", o.Subject)
	}
}

// A row of the table behind a syslog's header looks like the time of a line.
func TestARowIsNotTakenForATime(t *testing.T) {
	for s, want := range map[string]bool{"[   4711]     0  4711    67500    65536   614400        0   999 web": false,
		"[   71.260211] eth0: link up": true, "[71.26][   T42] eth0: link up": true} {
		if _, _, ok := Uptime(s); ok != want {
			t.Errorf("%q: a time: %v", s, ok)
		}
	}
}
