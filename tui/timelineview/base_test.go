package timelineview

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// at reads a time of the stories' day.
func at(clock string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05.999", "2026-11-21 "+clock)
	if err != nil {
		panic(err)
	}
	return t
}

func point(clock string) *time.Time {
	if clock == "" {
		return nil
	}
	return new(at(clock))
}

func mark(clock, text string, ids ...string) report.Mark {
	return report.Mark{At: at(clock), Text: text, Evidence: ids}
}

func decisive(m report.Mark) report.Mark { m.Decisive = true; return m }

func span(from, to, text string, bad bool, ids ...string) report.Span {
	return report.Span{From: point(from), To: point(to), Text: text, Bad: bad, Evidence: ids}
}

// upgrade is a kubelet upgrade in place that took a container with it, after the
// probe had complained a little.
func upgrade() *report.ItemDetail {
	return &report.ItemDetail{
		Item: "r1", Activity: report.Activity{Start: point("08:32:50"), End: point("08:34:20"), Lanes: []report.Lane{
			{Kind: report.LaneInstance, Name: "web", Spans: []report.Span{
				span("08:32:58.211", "08:33:59.480", "attempt 0 ran, exit 137 Error", true, "e7", "e8"),
				span("08:34:00.120", "", "attempt 1 runs", false, "e9"),
			}},
			{Kind: report.LaneSandbox, Name: "sandbox", Spans: []report.Span{span("", "", "3f2a91c0 ready", false, "e10")}},
			{Kind: report.LaneProbe, Name: "probes", Marks: []report.Mark{
				mark("08:33:20.004", "readiness probe failed: HTTP 503", "e11"),
				mark("08:33:30.004", "readiness probe failed: HTTP 503", "e12"),
				mark("08:33:30.711", "readiness probe succeeded", "e13"),
			}},
			{Kind: report.LaneKubelet, Name: "kubelet", Marks: []report.Mark{
				decisive(mark("08:33:56.003", "kubelet v1.31.0 started; before it ran v1.30.14", "e1", "e2")),
				mark("08:33:56.310", "admitted pod shop/steady again", "e14"),
				decisive(mark("08:33:57.120",
					"container web definition changed, will be restarted: the stored hash c87f01d2 is not the 5d6b2a10 that this kubelet computes for the same spec", "e4")),
				mark("08:33:57.125", "killing container web with a grace period of 2 s", "e15"),
				mark("08:34:00.121", "started container web", "e16"),
			}},
			{Kind: report.LaneRuntime, Name: "containerd", Marks: []report.Mark{
				mark("08:33:57.130", "StopContainer 6d0c with timeout 2 s", "e17"),
				mark("08:33:59.131", "Kill container 6d0c with SIGKILL", "e18"),
				mark("08:34:00.011", "CreateContainer web attempt 1", "e19"),
			}},
			{Kind: report.LaneKernel, Name: "kernel"},
			{Kind: report.LaneSystemd, Name: "systemd", Marks: []report.Mark{
				mark("08:33:54.870", "stopped kubelet.service", "e20"),
				decisive(mark("08:33:55.902", "started kubelet.service", "e2")),
			}},
			{Kind: report.LaneAPI, Marks: []report.Mark{mark("08:34:01", "event Started: started container web", "e21")}},
		}},
	}
}

// crashLoop is a container that ends n times, each run a little shorter than the
// back-off before it, beside a kubelet that says so.
func crashLoop(n int) *report.NodeDetail {
	s := &report.NodeDetail{Node: "n3"}
	instances := report.Lane{Kind: report.LaneInstance, Name: "worker"}
	kubelet := report.Lane{Kind: report.LaneKubelet, Name: "kubelet"}
	start, wait := at("02:00:00"), 10*time.Second
	for i := range n {
		end := start.Add(time.Duration(7+i%5) * time.Second)
		from, to := start, end
		instances.Spans = append(instances.Spans, report.Span{From: &from, To: &to,
			Text: fmt.Sprintf("attempt %d, exit %d", i, i%4), Bad: i%4 > 0, Evidence: []string{fmt.Sprintf("w%d", i)}})
		kubelet.Marks = append(kubelet.Marks, report.Mark{At: end.Add(time.Second),
			Text: fmt.Sprintf("back-off %s restarting failed container", wait), Evidence: []string{fmt.Sprintf("k%d", i)}})
		start = end.Add(wait)
		wait = min(wait*2, 5*time.Minute)
		if i%9 == 8 {
			wait = 10 * time.Second
		}
	}
	s.Lanes = []report.Lane{instances, kubelet}
	return s
}
