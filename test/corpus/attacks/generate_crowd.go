package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func crowdAttacks() []attack {
	return []attack{
		{"crowd", "Several things happen to one container within seconds, and the first that is deadly ends it.", crowd},
		{"crowd, attacked", "So it is, and then one of the other attacks changes the story.", both},
	}
}

// deed is something that is done to the container.
type deed struct {
	name string
	// kubelet reports whether the kubelet itself stops it: it does that once.
	kubelet bool
	asks    bool // SIGTERM
	// kills is the exit code that the deed causes immediately; 0 if it does not end the container.
	kills int
	cause string
	tell  func(*story.Story, float64)
	// last lets the container not run again.
	last func(pod story.Object)
}

func gone(reason, message string) func(story.Object) {
	return func(pod story.Object) {
		status := pod["status"].(story.Object)
		status["phase"], status["reason"], status["message"] = "Failed", reason, message
	}
}

const decided = 0.2 // from the kubelet's decision until its signal

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

// done is a deed at its time.
type done struct {
	deed
	at float64
}

// crowd draws some deeds, finds out which one ends the process, and adds what each of them leaves in the evidence.
func crowd(r *rand.Rand, t *target) (*variant, bool) {
	var all []done
	spread := []float64{0.4, 2, 8}[r.IntN(3)]
	kubelets := 0
	for range 2 + r.IntN(3) {
		d := deeds[r.IntN(len(deeds))]
		if d.kubelet {
			kubelets++
		}
		if kubelets > 1 && d.kubelet || slices.ContainsFunc(all, func(o done) bool { return o.name == d.name }) {
			continue
		}
		all = append(all, done{d, 40 + spread*r.Float64()})
	}
	slices.SortFunc(all, func(a, b done) int { return cmp.Compare(a.at, b.at) })
	answer, after := []int{0, 143, 1, 3, 137}[r.IntN(5)], 0.005+0.8*r.Float64()
	end, code, by, ok := ended(all, answer, after)
	if !ok {
		return nil, false
	}
	reason := "Error"
	if code == 0 {
		reason = "Completed"
	}
	for _, d := range all {
		if (d.name == "limit" || d.name == "node's memory" || d.name == "child") && d.at <= end {
			reason = "OOMKilled"
		}
	}
	s := story.Ended(end, code, reason)
	how := []string{fmt.Sprintf("answer %d after %.3f", answer, after)}
	var last func(story.Object)
	undecided := false
	for _, d := range all {
		if d.at > end+0.3 && (d.asks || d.kills > 0) {
			continue // nobody does that to a container that is gone
		}
		if d.at > end && (d.kills > 0 || d.name == "session" || d.name == "child") {
			continue
		}
		d.tell(s, d.at)
		how = append(how, fmt.Sprintf("%s at %.3f", d.name, d.at))
		if d.last != nil {
			last = d.last
		}
		undecided = undecided || by.cause[:4] == "app-" && (d.name == "session" || d.name == "child")
	}
	s.Is(by.cause)
	if undecided {
		s.Is(story.Undecided)
	}
	if last != nil {
		s.Last(last)
	}
	if r.IntN(4) == 0 {
		s.Events, how = nil, append(how, "no events")
	}
	if r.IntN(4) == 0 {
		s.Records, how = false, append(how, "no records")
	}
	lose := []string{"", "", "", "kernel", "containerd"}[r.IntN(5)]
	if lose != "" {
		for i := range s.Logs {
			if s.Logs[i].Name == lose {
				s.Logs[i].Lines = nil
			}
		}
		how = append(how, "no log of "+lose)
	}
	if lose == "containerd" && (strings.HasSuffix(by.name, " stop") || !s.Records && by.kills > 0 && kubelets > 0) {
		return nil, false // nothing shows it, or when it exited
	}
	e := s.Entry("crowd", t.form)
	return &variant{of: "crowd", entry: e, how: fmt.Sprintf("%s (%s): ends at %.3f with %d by %s", strings.Join(how, ", "),
		t.form, end, code, by.name)}, true
}

// both applies a second attack to such a story.
func both(r *rand.Rand, t *target) (*variant, bool) {
	form := t.form
	t.form = machine.Text
	v, ok := crowd(r, t)
	if !ok || strings.Contains(v.how, "systemctl") { // a text log lacks some of what a journal has about that
		return nil, false
	}
	on := targets(v.entry)
	if len(on) != 1 {
		return nil, false
	}
	on[0].form, on[0].others = form, t.others
	others := slices.Concat(foreignAttacks(), clockAttacks(), forgedAttacks(), nodeAttacks(), insideAttacks(),
		twinAttacks(), guiseAttacks(), writtenAttacks())
	a := others[r.IntN(len(others))]
	if a.name == "filtered" {
		return nil, false // the lines that show who was first are gone
	}
	w, ok := a.apply(r, on[0])
	if !ok {
		return nil, false
	}
	w.how, w.of = v.how+"; then "+a.name+" ("+string(on[0].form)+"): "+w.how, "crowd"
	return w, true
}

// ended returns when the process exits, with which code, and by which deed.
func ended(all []done, answer int, after float64) (end float64, code int, by done, ok bool) {
	end = 1e9
	asked := false
	for _, d := range all {
		if ok && by.kills > 0 && d.at-by.at < 0.1 && (d.kills > 0 || d.asks && d.at-end < 0.03) {
			return 0, 0, by, false // nothing shows which was the quicker one: an exit is logged some moments later
		}
		if d.at >= end {
			break
		}
		switch {
		case d.kills > 0 && asked && strings.HasPrefix(d.cause, "app-"):
			return 0, 0, by, false // it may be its reaction
		case d.kills > 0:
			end, code, by, ok = d.at+0.002, d.kills, d, true
		case d.asks && !asked:
			asked = true
			end, code, by, ok = d.at+after, answer, d, true
			if answer == 137 { // it ignores the signal
				end = d.at + 30
			}
		}
	}
	return end, code, by, ok
}
