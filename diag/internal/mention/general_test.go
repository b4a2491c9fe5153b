package mention

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

func TestLinesOfNoFormTellOfAnEnd(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"a controller that evicts", `2024-03-05T10:00:09Z INFO reaper: evicting the idle pod cart-7d9b5b8c6f-x2v7k in shop`, "cart-7d9b5b8c6f-x2v7k Evicted"},
		{"a node that is emptied", `2024-03-05T10:00:09Z	{"message":"disrupting node(s)","pod-count":9,"reason":"underutilized"}`, "? Evicted"},
		{"a node that is emptied, as older releases say it", `{"level":"INFO","time":"2024-03-05T10:00:09Z","logger":"controller.disruption",` +
			`"message":"disrupting via consolidation delete, terminating 1 candidates n1/spot with pods"}`, "? Evicted"},
		{"an operator that deletes", `{"ts":"2024-03-05T10:00:09Z","msg":"deleting unhealthy pod","podName":"cart-0"}`, "cart-0 Killing"},
		{"an agent that kills", `[2024-03-05 10:00:09] warn: container app of pod cart-0 was killed by watchdog`, "cart-0 ended"},
		{"klog", `I0305 10:00:09.000000       1 reaper.go:12] restarting pod cart-0 as it is stuck`, "cart-0 ended"},
		{"klog without its time", `gc_controller.go:62] PodGC is force deleting Pod: kube-system:proxy-0`, "proxy-0 Killing"},
		{"a controller by its name, with seconds for the time", "1.6588242162336988e+09\tINFO\tdc.controller\tDeleting stuck pod: cart-0. " +
			"Reason: it got stuck\t{\"kind\": \"Dc\"}", "cart-0 Killing"},
		{"the same as an object", `{"level":"info","ts":1658824216.233,"logger":"dc-controller","msg":"Deleting stuck pod","pod":"cart-0"}`,
			"cart-0 Killing"},
		{"one that says that it does not", `{"ts":1658824216.233,"logger":"dc","msg":"not deleting pod","pod":"cart-0"}`, ""},
		{"a kubelet's own copy", `I0305 10:00:09.000000  1 kubelet.go:1602] Deleting mirror pod "etcd-n1_kube-system(u1)" because it is outdated`, ""},
		{"one that failed to", `I0305 10:00:09.000000       1 reaper.go:12] failed to evict pod cart-0`, ""},
		{"one that would", `I0305 10:00:09.000000       1 reaper.go:12] dry run: would have evicted pod cart-0`, ""},
		{"no line of a log", `evicting the pod cart-0 is what we do on Mondays in this team`, ""},
		{"what is no pod's", `I0305 10:00:09.000000       1 reaper.go:12] deleting volume of pod cart-0`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, e := range Of(c.line+"\n", "x.log", printed).general(naming.Names{}) {
				said := "ended"
				if len(e.events) > 0 {
					said = e.events[0].reason
				}
				got += e.Pod + " " + said
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
