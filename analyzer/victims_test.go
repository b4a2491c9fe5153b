package analyzer

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A kill of which the kernel has the pod's UID alone is of the only pod whose end nothing explains.
func TestAKillIsOfTheOnlyRowThatCountsRestarts(t *testing.T) {
	const uid = "951f6bc5-c5a5-11ea-8707-80e455f266a2"
	at := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)
	killed := func() *timeline.Restart {
		return &timeline.Restart{PodUID: uid, PodName: uid, Container: "app",
			From: &timeline.Instance{Finished: at, OnlyKilled: true}}
	}
	row := func(name string, change func(*timeline.Restart)) *timeline.Restart {
		r := &timeline.Restart{PodUID: evidence.Row + "shop/" + name, Namespace: "shop", PodName: name,
			Container: evidence.Unnamed, Restarts: 3, Kind: timeline.KindRestart, From: &timeline.Instance{}}
		change(r)
		return r
	}
	same := func(*timeline.Restart) {}
	zero := int32(0)
	for name, c := range map[string]struct {
		rows []*timeline.Restart
		want string // the pod of the kill
	}{
		"one row":            {[]*timeline.Restart{row("web-0", same)}, "web-0"},
		"two rows":           {[]*timeline.Restart{row("web-0", same), row("web-1", same)}, uid},
		"a row with a code":  {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.From.ExitCode = &zero })}, uid},
		"a row with a cause": {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.From.Reason = "Error" })}, uid},
		"no restarts":        {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.Restarts = 0 })}, uid},
		"another node":       {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.Node = "n2" })}, uid},
		"a pod with a UID":   {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.PodUID = "u" })}, uid},
	} {
		kill := killed()
		kill.Node = "n1"
		nameVictims(&timeline.History{Restarts: append(c.rows, kill)})
		if kill.PodName != c.want {
			t.Errorf("%s: it is of %s, want %s", name, kill.PodName, c.want)
		}
	}
}

// A daemon's message that names the container tells of its end, also where no name of the node is known.
func TestADaemonsKillOnANodeWithoutAName(t *testing.T) {
	const uid = "951f6bc5-c5a5-11ea-8707-80e455f266a2"
	for _, node := range []string{"", "n1"} {
		at := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)
		b := evidence.NewBuilder(at.Add(time.Hour))
		b.Observe(evidence.Observation{Time: at, Subject: evidence.Subject{Node: node, PodUID: uid},
			Fact:   evidence.UserspaceOOMKill{Killer: "Talos", Cgroup: "/kubepods/burstable/pod" + uid},
			Source: evidence.Source{Kind: evidence.SourceKernelLog, Node: node}})
		got := ""
		for _, it := range Analyze(b.Build(), Options{}).Items {
			got += it.Verdict.Cause + " " + string(it.Verdict.Confidence)
		}
		if got != "oom-node likely" {
			t.Errorf("node %q: %q", node, got)
		}
	}
}

// Who speaks of "the qemu pod" where the kernel kills qemu-system-x86 says what runs in the pod, and not its name.
func TestAPodThatIsCalledByItsProgram(t *testing.T) {
	const uid = "951f6bc5-c5a5-11ea-8707-80e455f266a2"
	at := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)
	for name, want := range map[string]string{"qemu": uid, "web-0": "web-0"} {
		in := (&timeline.Instance{Finished: at, OnlyKilled: true}).Marked([]timeline.Occurrence{{At: at,
			Obs: &evidence.Observation{Time: at, Fact: evidence.OOMKill{Task: "qemu-system-x86"}}}})
		kill := &timeline.Restart{PodUID: uid, PodName: uid, Container: "4b7f0c91d2e8", From: in}
		told := &timeline.Restart{PodUID: evidence.Described + "default/" + name, PodName: name,
			Container: evidence.Unnamed, From: &timeline.Instance{Reason: "OOMKilled"}}
		h := &timeline.History{Restarts: []*timeline.Restart{told, kill}}
		if nameVictims(h); len(h.Restarts) != 1 || kill.PodName != want {
			t.Errorf("%s: %d ends, of %s, want %s", name, len(h.Restarts), kill.PodName, want)
		}
	}
}

// A full cgroup of a pod is its only container's limit where something tells that there is no other: a kernel tells of
// none that it spares.
func TestTheLimitOfAPodOfWhichOnlyTheKernelTells(t *testing.T) {
	const uid = "951f6bc5-c5a5-11ea-8707-80e455f266a2"
	const id = "14eb3f600bb8a6e22a3fd3715e759190fb97d3390792806ff5ee202376a10bd6"
	for name, c := range map[string]struct {
		kubelet bool // the kubelet tells of the container, and of no other
		want    string
	}{
		"the kernel alone":           {false, "oom-pod-limit likely"},
		"the kernel and the kubelet": {true, "oom-container-limit likely"},
	} {
		at := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)
		b := evidence.NewBuilder(at.Add(time.Hour))
		in := evidence.Subject{PodUID: uid, ContainerID: id}
		b.Observe(evidence.Observation{Time: at, Subject: in, Fact: evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG",
			OOMMemcg: "/kubepods/burstable/pod" + uid, TaskMemcg: "/kubepods/burstable/pod" + uid + "/" + id, Task: "java",
			PID: 4711}, Source: evidence.Source{Kind: evidence.SourceKernelLog, Node: "n1"}})
		if c.kubelet {
			b.Observe(evidence.Observation{Time: at, Subject: in, Fact: evidence.ContainerDied{},
				Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"}})
		}
		got := ""
		for _, it := range Analyze(b.Build(), Options{}).Items {
			got += it.Verdict.Cause + " " + string(it.Verdict.Confidence)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
