package kernel

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Lines of another kill, minutes before, say nothing about this one, whose own first lines are missing.
func TestWhatWasPrintedLongBeforeIsOfAnotherKill(t *testing.T) {
	const killed = "Memory cgroup out of memory: Killed process 32100 (sh) total-vm:1kB"
	group := "Tasks in " + memc + " are going to be killed due to memory.oom.group set"
	for name, before := range map[string][]string{
		"a record":                  {summary, group},
		"a record of an old kernel": {"Task in " + memc + " killed as a result of limit of " + pod},
		"figures":                   {"Memory cgroup stats for " + memc + ": cache:0KB rss:1KB"},
		"the same number":           {"Killed process 32100 (sh) total-vm:1kB"},
	} {
		t.Run(name, func(t *testing.T) {
			var p Parser
			var out []evidence.OOMKill
			emit := func(o evidence.Observation) { out = append(out, o.Fact.(evidence.OOMKill)) }
			at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
			for _, l := range before {
				p.Add(evidence.Entry{Time: at, Message: l, Kernel: true}, emit)
			}
			p.Add(evidence.Entry{Time: at.Add(5 * time.Minute), Message: killed, Kernel: true}, emit)
			p.Close(emit)
			want := evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", Task: "sh", PID: 32100}
			if len(out) == 0 || !cmp.Equal(out[len(out)-1], want) {
				t.Errorf("%+v, want %+v at the end", out, want)
			}
		})
	}
}

// A line that the kernel writes only around a kill is a kill, whatever else of its report is lost.
func TestALineOfAReportIsAKill(t *testing.T) {
	for _, line := range []string{
		"Tasks state (memory values in pages):",
		"[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name",
		" mem_cgroup_out_of_memory+0x134/0x150", " ? out_of_memory+0x1fd/0x4c0", " oom_kill_process.cold+0xb/0x10",
	} {
		if got := feed(line); !cmp.Equal(got, one(evidence.Subject{}, evidence.OOMKill{})) {
			t.Errorf("%q: %+v", line, got)
		}
	}
}

// The kernel writes at most ten records of kills in five seconds; of the others
// there is only the line of the victim.
func TestAKillWithoutItsRecordEndsTheReach(t *testing.T) {
	text := "# kmsg boottime=2026-11-21T06:00:00Z bootid=b1\n6,1,1000000,-;a\n6,2,2000000,-;b\n" +
		"3,3,3000000,-;Memory cgroup out of memory: Killed process 13 (worker) total-vm:8kB\n6,4,4000000,-;c\n6,5,5000000,-;d\n"
	boot := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	b := evidence.NewBuilder(boot)
	NewPiece("n1", evidence.Bytes("nodes/n1/kmsg.txt", []byte(text)), boot.Add(time.Minute)).Observe(b)
	s := b.Build()
	want := []evidence.Coverage{
		{Source: evidence.SourceKernelLog, Node: "n1", From: boot.Add(time.Second),
			Until: boot.Add(2 * time.Second), Counted: true},
		{Source: evidence.SourceKernelLog, Node: "n1", From: boot.Add(4 * time.Second),
			Until: boot.Add(time.Minute), Counted: true},
	}
	if diff := cmp.Diff(want, s.Coverage, cmpopts.IgnoreFields(evidence.Coverage{}, "Origin")); diff != "" {
		t.Error(diff)
	}
	if len(s.Observations) != 1 || len(s.Gaps) != 1 ||
		!strings.Contains(s.Gaps[0].Why, "1 kills in a cgroup without saying which one") {
		t.Errorf("observations %+v, gaps %+v", s.Observations, s.Gaps)
	}
}
