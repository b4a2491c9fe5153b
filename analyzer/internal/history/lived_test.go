package history_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What was killed, where no pod objects were read, ended only if the kubelet's log does not run on without its end.
func TestAKillBehindWhichTheLogRunsOnEndedNothing(t *testing.T) {
	const id = "1111111111111111111111111111111111111111111111111111111111111111"
	web := evidence.Subject{Node: "n1", Namespace: "shop", Pod: "web-0", PodUID: "u", Container: "app", ContainerID: id}
	of := evidence.Subject{Node: "n1", PodUID: "u", ContainerID: id}
	kubelet, kernel, runtime := evidence.SourceKubeletLog, evidence.SourceKernelLog, evidence.SourceRuntimeLog
	type said struct {
		source evidence.SourceKind
		at     float64
		s      evidence.Subject
		f      evidence.Fact
	}
	started := said{kubelet, 10, web, evidence.ContainerStarted{}}
	asked := said{kubelet, 40, web, evidence.KillStarted{GraceSeconds: 30}}
	failed := said{kubelet, 80, web, evidence.KillFailed{}}
	notice := said{runtime, 40, web, evidence.TaskOOM{}}
	group := "/kubepods/podu/" + id
	victim := said{kernel, 40, of, evidence.OOMKill{Task: "app", PID: 7, TaskMemcg: group, OOMMemcg: group}}
	child := said{kernel, 40, of, evidence.OOMKill{Task: "app", PID: 9, First: 7, TaskMemcg: group, OOMMemcg: group}}
	since := said{kubelet, 1, evidence.Subject{Node: "n1"}, evidence.KubeletStarted{}}
	for name, c := range map[string]struct {
		lines     []said
		until     float64 // of the kubelet's log; 0 for none
		verbosity int
		want      int
	}{
		"a kill at the end of the log":            {[]said{started, asked}, 60, 2, 1},
		"a kill in lines that were cut":           {[]said{started, asked}, 0, 0, 1},
		"a kill, and a log that runs on":          {[]said{started, asked}, 900, 2, 0},
		"a kill, and a log that tells no ends":    {[]said{started, asked}, 900, 0, 1},
		"a kill that failed":                      {[]said{started, asked, failed}, 900, 2, 0},
		"a notice at the end of the log":          {[]said{started, notice}, 60, 2, 1},
		"a notice, and a log that runs on":        {[]said{started, notice}, 900, 2, 0},
		"a victim, by the kernel alone":           {[]said{victim}, 0, 0, 1},
		"a victim, and a log that runs on":        {[]said{victim}, 900, 2, 0},
		"a victim, right before the log's end":    {[]said{victim}, 50, 2, 1},
		"a victim, of which its kubelet knew not": {[]said{since, victim}, 50, 2, 0},
		"a victim, and the log ends with it":      {[]said{since, victim}, 41, 2, 1},
		"a child, by the kernel alone":            {[]said{child}, 0, 0, 1},
		"a child, and a log that runs on":         {[]said{child}, 900, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := evidence.NewBuilder(at(1000))
			origin := &evidence.Origin{}
			for _, l := range c.lines {
				o := evidence.Observation{Time: at(l.at), Subject: l.s, Fact: l.f,
					Source: evidence.Source{Kind: l.source, Node: "n1"}}
				if l.source == kubelet {
					o.Source.Origin = origin
				}
				b.Observe(o)
			}
			if c.until != 0 {
				b.Cover(evidence.Coverage{Source: kubelet, Node: "n1", From: at(1), Until: at(c.until),
					Verbosity: c.verbosity, Origin: origin})
			}
			if got := history.Build(b.Build()).Restarts; len(got) != c.want {
				t.Errorf("%d ends, want %d", len(got), c.want)
			}
		})
	}
}
