package statement

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// reaches reports whether any coverage of a kind spans the seconds from…until.
func reaches(s *evidence.Snapshot, kind evidence.SourceKind, from, until int) bool {
	for _, c := range s.Coverage {
		if c.Source == kind && c.Covers(t0.Add(time.Duration(from)*time.Second), t0.Add(time.Duration(until)*time.Second)) {
			return true
		}
	}
	return false
}

const (
	record   = "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=/k,task_memcg=/k/c,task=tail,pid=12,uid=0"
	victim   = "Memory cgroup out of memory: Killed process 12 (tail) total-vm:8kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:48kB oom_score_adj:0"
	nameless = "Memory cgroup out of memory: Killed process 13 (worker) total-vm:8kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:48kB oom_score_adj:0"
	old      = "Memory cgroup out of memory: Kill process 14 (worker) score 1970 or sacrifice child"
)

// Entries come at seconds 0, 1, 2, 3, 4; the third one is the one in question.
func TestSilenceProvesNothingAcrossAHole(t *testing.T) {
	kernelLine := func(s string) evidence.Entry { return evidence.Entry{Kernel: true, Unit: "kernel", Message: s} }
	kubelet := evidence.Entry{Unit: "kubelet.service", Message: kubeletLine}
	runtime := evidence.Entry{Unit: "containerd.service", Message: runtimeLine}
	plain := kernelLine("IPv6: ADDRCONF(NETDEV_CHANGE): eth0: link becomes ready")
	journald := func(s string) evidence.Entry { return evidence.Entry{Unit: "systemd-journald.service", Message: s} }
	for _, c := range []struct {
		name    string
		source  evidence.SourceKind
		around  evidence.Entry
		entry   evidence.Entry
		hole    bool
		gapSays string
	}{
		{"a kill whose record the kernel left out", evidence.SourceKernelLog,
			plain, kernelLine(nameless), true, "1 kills in a cgroup without saying which one"},
		{"the same of a kernel before 5.0", evidence.SourceKernelLog, plain,
			kernelLine(old), true, "without saying which one"},
		{"a kill with its record", evidence.SourceKernelLog, plain, kernelLine(record), false, ""},
		{"a kill of the whole machine needs no record", evidence.SourceKernelLog,
			plain, kernelLine("Out of memory: Killed process 15 (x) total-vm:8kB"), false, ""},
		{"the journal drops the kubelet's messages", evidence.SourceKubeletLog,
			kubelet, journald("Suppressed 4711 messages from kubelet.service"),
			true, "dropped 4711 messages of kubelet.service"},
		{"an old journal names the cgroup", evidence.SourceKubeletLog, kubelet,
			journald("Suppressed 12 messages from /system.slice/kubelet.service"), true, "dropped 12 messages"},
		{"the journal drops the runtime's messages", evidence.SourceRuntimeLog,
			runtime, journald("Suppressed 3 messages from containerd.service"), true, "dropped 3"},
		{"the journal misses messages of the kernel", evidence.SourceKernelLog,
			plain, journald("Missed 17 kernel messages"), true, "missed 17 messages of the kernel"},
		{"the journal drops a stranger's messages", evidence.SourceKubeletLog,
			kubelet, journald("Suppressed 3 messages from nginx.service"), false, ""},
		{"another unit's messages are dropped", evidence.SourceKubeletLog, kubelet,
			journald("Suppressed 3 messages from containerd.service"), false, "dropped 3"},
		{"a stranger says what the journal says", evidence.SourceKubeletLog,
			kubelet, evidence.Entry{Unit: "nginx.service", Message: "Suppressed 3 messages from kubelet.service"}, false, ""},
		{"the journal says something else", evidence.SourceKubeletLog, kubelet, journald("System Journal is 8.0M"),
			false, ""},
		{"the journal is restarted", evidence.SourceKubeletLog, kubelet, journald("Journal started"), true, ""},
		{"systemd restarts the journal", evidence.SourceRuntimeLog, runtime, evidence.Entry{Unit: "init.scope",
			Message: "systemd-journald.service: Watchdog timeout (limit 3min)!"}, true, ""},
		{"rsyslog ends", evidence.SourceKubeletLog, kubelet, evidence.Entry{Unit: "rsyslogd",
			Message: `[origin software="rsyslogd"] exiting on signal 15.`}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := func(i int) evidence.Entry { // with the header of its time
				e := c.around
				e.Message = strings.Replace(e.Message, "07:00:00", fmt.Sprintf("07:00:%02d", i), 1)
				return e
			}
			s := route(Options{Node: "n1", Until: t0.Add(time.Minute)}, at(0), at(1), c.entry, at(3), at(4))
			if !reaches(s, c.source, 0, 1) || !reaches(s, c.source, 3, 60) {
				t.Errorf("the log does not reach up to the entry, or not on from it: %+v", s.Coverage)
			}
			if got := reaches(s, c.source, 1, 3); got == c.hole {
				t.Errorf("reaches across: %t; coverage %+v", got, s.Coverage)
			}
			why := ""
			for _, g := range s.Gaps {
				why += g.Why
			}
			if (c.gapSays == "") != (why == "") || !strings.Contains(why, c.gapSays) {
				t.Errorf("gaps %q, want one that says %q", why, c.gapSays)
			}
		})
	}
}

func TestAVictimThatIsToldTwiceLosesNothing(t *testing.T) {
	k := func(s string) evidence.Entry { return evidence.Entry{Kernel: true, Message: s} }
	s := route(Options{Node: "n1"}, k("x"), k(record), k(victim), k("Killed process 12 (tail) total-vm:8kB"), k("x"))
	if !reaches(s, evidence.SourceKernelLog, 0, 4) || len(s.Gaps) > 0 || len(s.Observations) != 1 {
		t.Errorf("coverage %+v, gaps %+v, said %q", s.Coverage, s.Gaps, said(s))
	}
}

func TestAHoleAtTheEndIsTheEnd(t *testing.T) {
	k := func(s string) evidence.Entry { return evidence.Entry{Kernel: true, Message: s} }
	s := route(Options{Node: "n1", Until: t0.Add(time.Minute)}, k("x"), k("x"), k(nameless))
	if !reaches(s, evidence.SourceKernelLog, 0, 1) || reaches(s, evidence.SourceKernelLog, 2, 3) ||
		reaches(s, evidence.SourceKernelLog, 30, 40) {
		t.Errorf("coverage %+v", s.Coverage)
	}
}

func TestAVagueLogClaimsNothingBesideItsHoles(t *testing.T) {
	k := func(s string) evidence.Entry { return evidence.Entry{Kernel: true, Message: s} }
	if s := route(Options{Node: "n1", Vague: true}, k("x"), k(nameless), k("x")); len(s.Coverage) > 0 {
		t.Errorf("coverage %+v", s.Coverage)
	}
}

func TestALogReachesNotOverAPartThatIsMissing(t *testing.T) {
	line := func(pid int, text string) evidence.Entry {
		return evidence.Entry{Unit: "kubelet.service",
			Message: fmt.Sprintf("I1121 07:00:00.000000 %7d kubelet.go:1] %s", pid, text)}
	}
	s := route(Options{Node: "n1"}, line(80, "a"), line(80, "b"), line(81, "c"), line(81, "d"))
	if !reaches(s, evidence.SourceKubeletLog, 0, 1) || !reaches(s, evidence.SourceKubeletLog, 2, 3) ||
		reaches(s, evidence.SourceKubeletLog, 1, 2) {
		t.Errorf("coverage %+v", s.Coverage)
	}
	if len(s.Gaps) != 1 || !strings.Contains(s.Gaps[0].Why, "lines are missing") {
		t.Errorf("gaps %+v", s.Gaps)
	}
}

// Files in the wrong order, and machines that come up with a wrong clock, look as if the
// node had booted at a time when it did not.
func TestABootOfAWrongTimeIsNotTold(t *testing.T) {
	entry := func(seconds int, boot string) evidence.Entry {
		return evidence.Entry{Time: t0.Add(time.Duration(seconds) * time.Second),
			BootID: strings.Repeat(boot, 32), Unit: "kubelet.service", Message: kubeletLine}
	}
	kernel := func(seconds int, boot string) evidence.Entry {
		return evidence.Entry{Time: t0.Add(time.Duration(seconds) * time.Second),
			BootID: strings.Repeat(boot, 32), Kernel: true, Message: "Linux version 6.1.0"}
	}
	boots := func(entries ...evidence.Entry) (n int) {
		b := evidence.NewBuilder(t0)
		r := NewRouter(b, Options{Node: "n1"})
		for _, e := range entries {
			r.Add(e)
		}
		r.Close()
		for _, o := range b.Build().Observations {
			if _, ok := o.Fact.(evidence.KernelBooted); ok {
				n++
			}
		}
		return n
	}
	if n := boots(entry(0, "a"), entry(10, "a"), entry(60, "b")); n != 1 {
		t.Errorf("a boot in order: %d", n)
	}
	if n := boots(entry(0, "a"), kernel(60, "b"), entry(61, "b")); n != 1 {
		t.Errorf("a boot in order, told by the kernel: %d", n)
	}
	if n := boots(entry(7200, "b"), entry(7300, "b"), entry(0, "a")); n != 0 {
		t.Errorf("an older boot behind a newer one: %d", n)
	}
	if n := boots(entry(7200, "a"), kernel(3600, "b"), kernel(3601, "b")); n != 1 {
		// the second line is not the first one's
		t.Errorf("a clock that was an hour behind: %d", n)
	}
}
