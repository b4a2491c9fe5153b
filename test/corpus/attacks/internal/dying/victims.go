package dying

import (
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// victimStories are exits by a SIGKILL from the node, behind a kill for memory of whom the kernel did not choose.
func victimStories() []breaks.Written {
	return breaks.Variants("a kernel before 5.1 that chooses the main process and kills its child, %v s before a SIGKILL",
		func(before float64) *story.Story {
			s, t := story.Ended(42.5, 137, "OOMKilled").Limit().Is("killed-externally"), 42.5-before
			for _, text := range []string{"web invoked oom-killer: gfp_mask=0x14000c0(GFP_KERNEL), nodemask=(null),  order=0, " +
				"oom_score_adj=999", "Task in " + story.Cgroup + " killed as a result of limit of " + story.Cgroup,
				"[ pid ]   uid  tgid total_vm      rss nr_ptes nr_pmds swapents oom_score_adj name",
				"[ 4711]     0  4711    67500    65536     150       5        0           999 web",
				"[ 4712]     0  4712     6750     6553     150       5        0           999 worker",
				"Memory cgroup out of memory: Kill process 4711 (web) score 1972 or sacrifice child",
				"Killed process 4712 (worker) total-vm:27000kB, anon-rss:26214kB, file-rss:0kB, shmem-rss:0kB"} {
				s.Kernel(t, text)
			}
			return s.TaskOOM(t + 0.03)
		}, 0.1, 0.3, 1.5)
}
