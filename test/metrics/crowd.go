package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus/promtest"
)

// The budget: 10 000 pods over 14 days, including the stand-in's own time and memory.
const (
	crowdPods    = 10_000
	crowdDays    = 14
	mostTime     = 30 * time.Second
	mostMiB      = 500
	mostQueries  = 50
	everyNth     = 20 // of the pods restarts, each crowdTimes
	crowdTimes   = 40
	podsOfNode   = 50
	longestBytes = 24 << 20
)

// crowd reads and judges the past of a large cluster, and checks it against the budget.
func crowd(ctx context.Context) (string, error) {
	until := promtest.T0.Add(crowdDays * 24 * time.Hour)
	w := &promtest.World{From: promtest.T0.Add(-time.Hour), Until: until, Interval: 30 * time.Second}
	for i := range crowdPods {
		c := promtest.Container{
			Namespace: fmt.Sprintf(
				"team-%d",
				i%40,
			),
			Pod:     fmt.Sprintf("app-%d", i),
			UID:     fmt.Sprintf("00000000-0000-4000-8000-%012d", i),
			Node:    fmt.Sprintf("n%d", i/podsOfNode),
			Name:    "app",
			Created: w.From,
		}
		if i%everyNth == 0 {
			for k := range crowdTimes {
				at := promtest.T0.Add(time.Duration(k+1)*8*time.Hour + time.Duration(i)*time.Second)
				c.Restarts = append(
					c.Restarts,
					promtest.Restart{Ended: at, Started: at.Add(11 * time.Second), Code: 1 + k%3, Reason: "Error"},
				)
				c.Failed = append(c.Failed, at.Add(-9*time.Second))
			}
		}
		w.Container(c)
	}
	for n := range crowdPods / podsOfNode {
		w.Node(fmt.Sprintf("n%d", n), []promtest.Kubelet{{At: promtest.T0.Add(-50 * time.Hour), Version: "v1.31.0"}})
	}
	standIn := &promtest.Server{World: w}
	server := httptest.NewServer(standIn)
	defer server.Close()
	api, err := prometheus.Direct(server.URL, prometheus.Access{})
	if err != nil {
		return "", err
	}
	runtime.GC()
	stop, peak := watched()
	elapsed := clock.Stopwatch()
	y := diag.Collect(
		ctx,
		[]diag.Source{
			prometheus.NewSource(api, prometheus.Scope{Since: crowdDays * 24 * time.Hour}, func() time.Time { return until }),
		},
		diag.Options{Timeout: time.Minute},
	)
	r := analyzer.Analyze(diag.Observe(y, until), analyzer.Options{GeneratedAt: until})
	took := elapsed()
	stop()
	spent := fmt.Sprintf(
		"%d pods over %d days: %d restarts in %.1f s, %d MiB, %d queries, the longest answer %d KiB",
		crowdPods,
		crowdDays,
		len(r.Items),
		took.Seconds(),
		peak.Load()>>20,
		standIn.Queries.Load(),
		standIn.Longest.Load()>>10,
	)
	if want := crowdPods / everyNth * crowdTimes; len(r.Items) != want || took > mostTime || peak.Load()>>20 > mostMiB ||
		standIn.Queries.Load() > mostQueries ||
		standIn.Longest.Load() > longestBytes {
		for _, g := range r.Gaps {
			spent += "; " + g.Why
		}
		return "", fmt.Errorf("over the budget, or not all of %d: %s", want, spent)
	}
	return spent, nil
}

// watched samples the memory in use until stop is called.
func watched() (stop func(), peak *atomic.Uint64) {
	peak = &atomic.Uint64{}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapAlloc+m.StackInuse))
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() { close(done); <-ended }, peak
}
