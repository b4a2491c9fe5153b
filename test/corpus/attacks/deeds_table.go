package main

import "github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

var deeds = []deed{
	{name: "liveness", kubelet: true, asks: true, cause: "liveness-probe-failed",
		tell: func(s *story.Story, t float64) { s.Liveness(t - decided - 0.01) }},
	{name: "eviction", kubelet: true, asks: true, cause: "evicted-memory", tell: func(s *story.Story, t float64) {
		s.Kubelet(t-0.1, `eviction_manager.go:352] "Eviction manager: must evict pod(s) to reclaim" resourceName="memory"`)
		s.Kubelet(t-0.09, `eviction_manager.go:370] "Eviction manager: pods ranked for eviction" pods=["shop/web-0"]`)
		s.Killing(t - 0.02).Stop(t)
		s.Kubelet(s.End+0.2, `eviction_manager.go:615] "Eviction manager: pod is evicted successfully" pod="shop/web-0"`)
		s.Event(t-0.09, "Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi. ",
			func(e story.Object) { delete(e["involvedObject"].(story.Object), "fieldPath") })
		s.Event(t-0.02, "Killing", "Stopping container app", nil)
	}, last: gone("Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi. ")},
	{name: "deletion", kubelet: true, asks: true, cause: "pod-deleted",
		tell: func(s *story.Story, t float64) { s.Deleted(t - 0.02) }, last: func(pod story.Object) {
			m := pod["metadata"].(story.Object)
			m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(72), 30
		}},
	{name: "shutdown", kubelet: true, asks: true, cause: "node-shutdown", tell: func(s *story.Story, t float64) {
		s.Kubelet(t-0.1, `nodeshutdown_manager_linux.go:285] "Shutdown manager detected new shutdown event, isNowShuttingDown" `+
			`event=true`)
		s.Kubelet(t-0.09, `nodeshutdown_manager_linux.go:299] "Shutdown manager processing shutdown event"`)
		s.Kubelet(t-0.05, `nodeshutdown_manager_linux.go:360] "Shutdown manager killing pod with gracePeriod" pod="shop/web-0" `+
			`gracePeriod=30`)
		s.Killing(t-0.02).Stop(t).Event(t-0.02, "Killing", "Stopping container app", nil)
	}, last: gone("Terminated", "Pod was terminated in response to imminent node shutdown.")},
	{name: "definition", kubelet: true, asks: true, cause: "spec-image-changed", tell: func(s *story.Story, t float64) {
		s.SetImage(t - 1)
		s.Decided(t-0.1, "Container app definition changed, will be restarted").Killing(t - 0.02).Stop(t)
		s.Event(t-0.1, "Killing", "Container app definition changed, will be restarted", nil)
	}},
	{name: "crictl stop", asks: true, cause: "killed-externally", tell: func(s *story.Story, t float64) { s.Stop(t) }},
	{name: "systemctl stop", asks: true, cause: "killed-externally", tell: func(s *story.Story, t float64) {
		s.StoppedUnit(t, "cri-containerd-"+story.OldID+".scope", "libcontainer container "+story.OldID)
	}},
	{name: "kill -9", kills: 137, cause: "killed-externally", tell: func(*story.Story, float64) {}},
	{name: "limit", kills: 137, cause: "oom-container-limit", tell: func(s *story.Story, t float64) {
		s.Limit().OOM(t, "CONSTRAINT_MEMCG", story.Cgroup, "web", 4711, story.TaskRow(4711, "web")).TaskOOM(t + 0.03)
	}},
	{name: "node's memory", kills: 137, cause: "oom-node", tell: func(s *story.Story, t float64) {
		s.OOM(t, "CONSTRAINT_NONE", "", "web", 4711, story.TaskRow(4711, "web")).TaskOOM(t + 0.03)
	}},
	{name: "child", tell: func(s *story.Story, t float64) {
		s.Limit().OOM(t, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4712, story.TaskRow(4711, "web"),
			story.TaskRow(4712, "worker")).TaskOOM(t + 0.03)
	}},
	{name: "exit 1", kills: 1, cause: "app-exit-error", tell: func(*story.Story, float64) {}},
	{name: "exit 3", kills: 3, cause: "app-exit-error", tell: func(*story.Story, float64) {}},
	{name: "exit 137", kills: 137, cause: "app-exit-error", tell: func(*story.Story, float64) {}},
	{name: "fault", kills: 139, cause: "app-signal", tell: func(s *story.Story, t float64) {
		s.Kernel(t, "web[4711]: segfault at 0 ip 0000000000401136 sp 00007ffc5d error 4 in web[401000+1000]")
	}},
	{name: "session", tell: func(s *story.Story, t float64) { s.Session(t, "[sh]") }},
	{name: "kubelet restart", tell: func(s *story.Story, t float64) {
		s.Kubelet(t, `flags.go:64] FLAG: --v="2"`)
		s.Kubelet(t+0.01, `server.go:491] "Kubelet version" kubeletVersion="`+s.Version+`"`)
	}},
	{name: "other's eviction", tell: func(s *story.Story, t float64) {
		s.Kubelet(t, `eviction_manager.go:370] "Eviction manager: pods ranked for eviction" pods=["ops/other","shop/web-0"]`)
		s.Kubelet(t+1.1, `eviction_manager.go:574] "Eviction manager: pod is evicted successfully" pod="ops/other"`)
	}},
	{name: "readiness", tell: func(s *story.Story, t float64) {
		s.Kubelet(t, `prober.go:107] "Probe failed" probeType="Readiness" pod="shop/web-0" podUID="`+
			story.UID+`" containerName="app" probeResult="failure" output="HTTP probe failed with statuscode: 503"`)
	}},
}
