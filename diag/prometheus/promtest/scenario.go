package promtest

import (
	"fmt"
	"time"
)

// T0 is when scenarios begin: a whole multiple of every usual interval.
var T0 = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// After is a time in a scenario, in seconds after T0.
func After(s int) time.Time { return T0.Add(time.Duration(s) * time.Second) }

// Scenario is six hours of a cluster of two nodes with one case of each kind: a container in a crash loop with its own
// exit code, one killed by its liveness probe, one that runs out of memory, a name that two pods had, a
// kube-state-metrics that was replaced, an eviction, an upgrade of a kubelet and a boot.
func Scenario() *World {
	w := &World{From: T0.Add(-time.Hour), Until: After(6 * 3600), Interval: 30 * time.Second}
	before := w.From
	loop := Container{Namespace: "shop", Pod: "loop-0", UID: uid(1), Node: "n1", Name: "app", Created: before}
	for i := range 5 {
		at := 3607 + i*613
		loop.Restarts = append(loop.Restarts, Restart{Ended: After(at), Started: After(at + 11), Code: 3, Reason: "Error"})
	}
	w.Container(loop)
	w.Container(Container{
		Namespace: "shop", Pod: "web-0", UID: uid(2), Node: "n1", Name: "app", Created: before,
		Failed:   []time.Time{After(7201), After(7211), After(7221)},
		Restarts: []Restart{{Ended: After(7251), Started: After(7253), Code: 137, Reason: "Error"}},
	})
	w.Container(Container{
		Namespace: "shop", Pod: "big-0", UID: uid(3), Node: "n2", Name: "app", Created: before,
		OOM: []time.Time{After(9000)}, Near: [][2]time.Time{{After(8700), After(9001)}},
		Restarts: []Restart{{Ended: After(9001), Started: After(9003), Code: 137, Reason: "OOMKilled"}},
	})
	// Two pods with the same name, one after the other, with their UIDs.
	first := Container{
		Namespace: "shop",
		Pod:       "db-0",
		UID:       uid(4),
		Node:      "n2",
		Name:      "db",
		Created:   before,
		Restarts:  []Restart{{Ended: After(1200), Started: After(1203), Code: 1, Reason: "Error"}},
	}
	w.Container(first)
	w.endAt(After(5000), uid(4))
	w.Container(Container{Namespace: "shop", Pod: "db-0", UID: uid(5), Node: "n1", Name: "db", Created: After(5400)})
	// The same count from one kube-state-metrics and then another: nothing restarted.
	for _, from := range []time.Time{before, After(10000)} {
		w.Container(Container{
			Namespace: "shop",
			Pod:       "calm-0",
			UID:       uid(6),
			Node:      "n1",
			Name:      "app",
			Created:   from,
			Target:    fmt.Sprintf("10.0.0.%d:8080", from.Hour()+1),
		})
	}
	// A new kubelet restarts everything that runs on its node.
	for i := range 3 {
		w.Container(Container{
			Namespace: "shop", Pod: fmt.Sprintf("api-%d", i), UID: uid(8 + i), Node: "n1", Name: "app", Created: before,
			Restarts: []Restart{{Ended: After(15036), Started: After(15037), Code: 137, Reason: "Error"}},
		})
	}
	// A boot restarts everything on its node.
	w.Container(Container{
		Namespace: "shop", Pod: "far-0", UID: uid(11), Node: "n2", Name: "app", Created: before,
		Restarts: []Restart{{Ended: After(18030), Started: After(18035), Code: 255, Reason: "Unknown"}},
	})
	w.Evicted("shop", "greedy-0", uid(7), "n2", After(12000))
	w.Node("n1", []Kubelet{{T0.Add(-50 * time.Hour), "v1.30.14"}, {After(15000), "v1.31.0"}})
	w.Node("n2", []Kubelet{{T0.Add(-50 * time.Hour), "v1.30.14"}, {After(18020), "v1.30.14"}}, After(18000))
	w.Kills("n1")
	w.Kills("n2", After(9000))
	return w
}

// endAt ends all series of a pod.
func (w *World) endAt(at time.Time, uid string) {
	for _, s := range w.Series {
		if s.Labels["uid"] == uid || s.Labels["pod_uid"] == uid {
			s.Steps = append(s.Steps, Step{At: at, Gone: true})
		}
	}
}

func uid(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
