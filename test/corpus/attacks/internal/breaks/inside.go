package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// insideStories are exits caused by someone who entered a running container, or by the kernel for a reason other than
// memory.
func insideStories() []Written {
	var out []Written
	for _, command := range []string{"[kill 1]", "[sh]", "[/bin/sh -c kill -INT 1]"} {
		out = append(out, Variants("an exec of "+command+" into it, and exit code %d", func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Session(42.3, command).ExecEnds(42.55, 137)
		}, 0, 1, 2, 3, 130, 134, 139, 143)...)
	}
	out = append(out, Variants("a shell that was opened %v s before, and exit code 1", func(before float64) *story.Story {
		return story.Ended(142.5, 1, "Error").Session(142.5-before, "[bash]").ExecEnds(142.5, 137)
	}, 0.2, 5.0, 60.0, 120.0)...)
	out = append(out, Variants("hardware memory that failed under it, and exit code %d", func(code int) *story.Story {
		return story.Ended(42.5, code, "Error").Kernel(42.45,
			"mce: Uncorrected hardware memory error in user-access at 7f3c2000").Kernel(
			42.46, "Memory failure: 0x1a2b3c: Sending SIGBUS to web:4711 due to hardware memory corruption").Kernel(42.47,
			"Memory failure: 0x1a2b3c: recovery action for dirty LRU page: Recovered")
	}, 135, 1, 134)...)
	out = append(out, Variants("hardware memory that failed under it, in the words of kernels %s",
		func(words string) *story.Story {
			return story.Ended(42.5, 135, "Error").Kernel(42.46, words)
		}, "Memory failure: 0x1a2b3c: Killing web:4711 due to hardware memory corruption",
		"MCE 0x1a2b3c: Killing web:4711 due to hardware memory corruption",
		"Memory failure: 0x1a2b3c: forcibly killing web:4711 because of failure to unmap corrupted page")...)
	out = append(out, Variants("somebody asked the kernel for a kill (SysRq f), in the words %q",
		func(words string) *story.Story {
			s := story.Ended(42.5, 137, "OOMKilled").Limit()
			s.Kernel(42.39, words)
			s.OOM(42.4, "CONSTRAINT_NONE", "", "web", 4711, story.TaskRow(4711, "web"))
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = sysrq.Replace(l.Text) })
			return s.TaskOOM(42.45).Is("killed-externally")
		}, "sysrq: Manual OOM execution", "sysrq: SysRq : Manual OOM execution", "SysRq : Manual OOM execution")...)
	out = append(out, Variants("the limit of a cgroup of its own making (%s), and a SIGKILL from the node",
		func(below string) *story.Story {
			s := story.Ended(42.5, 137, "Error").Limit()
			for _, text := range []string{"worker invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
				fmt.Sprintf("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=%s,mems_allowed=0,oom_memcg=%s,"+
					"task_memcg=%s,task=worker,pid=4712,uid=0", story.OldID, story.Cgroup+below, story.Cgroup+below),
				"Memory cgroup out of memory: Killed process 4712 (worker) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB, " +
					"shmem-rss:0kB, UID:0 pgtables:600kB oom_score_adj:999"} {
				s.Kernel(42.4, text)
			}
			return s.Is("killed-externally")
		}, "/worker", "/system.slice/db.service", "/kubelet/kubepods/burstable/podaaaa6a52-0b8e-4a57-9f0a-5e2c1b9daaaa/"+
			story.SecondSandboxID)...)
	out = append(out, Variants("a child's kill in a cgroup that dies as a whole, %v s before a SIGKILL from the node",
		func(before float64) *story.Story {
			s := story.Ended(42.5, 137, "OOMKilled").Limit()
			s.OOM(42.5-before, "CONSTRAINT_MEMCG", story.Cgroup+"/worker", "worker", 4712, story.TaskRow(4712, "worker"))
			return s.Kernel(42.5-before, "Tasks in "+story.Cgroup+"/worker are going to be killed due to memory.oom.group set").Is(
				"killed-externally")
		}, 0.1, 1.0)...)
	for _, kill := range []string{"liveness", "stop"} {
		out = append(out, Variants("a "+kill+" with the image's own stop signal, and exit code %d", func(code int) *story.Story {
			s := story.Ended(40.5, code, "Error")
			if s.Container["lifecycle"] = (story.Object{"stopSignal": "SIGABRT"}); kill == "liveness" {
				return s.Liveness(40)
			}
			return s.Stop(40).Is("killed-externally")
		}, 134, 131, 138, 129, 130, 137)...)
	}
	out = append(out, Variants("a sandbox that is removed as it runs, and exit code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Runtime(40, `msg="RemovePodSandbox for \"`+story.SandboxID+`\""`).Runtime(40.01,
			`msg="Forcibly stopping sandbox \"`+story.SandboxID+`\""`).BoxEnds(42.58)
		return s.BoxAnew().Is("killed-externally")
	}, 0, 1, 3, 137, 143)...)
	out = append(out, Variants("a container that is removed as it runs, and exit code %d", func(code int) *story.Story {
		return story.Ended(42.5, code, "Error").Runtime(42.4, `msg="RemoveContainer for \"`+story.OldID+`\""`).Runtime(42.41,
			`msg="Forcibly stopping container \"`+story.OldID+`\""`).Is("killed-externally")
	}, 0, 1, 137, 143)...)
	return append(out, Variants("a code that stands for signal %d, from a shell that hands on its child's",
		func(signal int) *story.Story { return story.Ended(42.5, 128+signal, "Error") }, 1, 2, 9, 15)...)
}

// sysrq turns the kernel's report of an OOM kill into that of a requested kill.
var sysrq = strings.NewReplacer("gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
	"gfp_mask=0xcc0(GFP_KERNEL), order=-1, oom_score_adj=0", "Memory cgroup out of memory: ", "Out of memory: ")
