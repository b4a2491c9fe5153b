//go:build unix

package analyzer_test

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// BenchmarkAnalyze reports what one restart costs and what its part of the report
// keeps in memory beyond the evidence. Both stay the same however many there are.
func BenchmarkAnalyze(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := fleet(n)
			var r *report.Report
			b.ReportAllocs()
			runtime.GC() // what making the evidence left over is not the analysis' to clear
			begin := spent(b)
			for b.Loop() {
				r = analyzer.Analyze(s, analyzer.Options{})
			}
			items := len(r.Items)
			if items < n*9/10 {
				b.Fatalf("%d items", items)
			}
			b.ReportMetric(float64((spent(b)-begin).Nanoseconds())/1e3/float64(b.N)/float64(items), "cpu-µs/restart")
			quoted := heap()
			runtime.KeepAlive(r)
			r.Evidence = nil // the quoted lines are evidence, too
			with := heap()
			runtime.KeepAlive(r)
			r = nil
			b.ReportMetric(float64(with-heap())/float64(items), "retained-B/restart")
			b.ReportMetric(float64(quoted-with)/float64(items), "quoted-B/restart")
			runtime.KeepAlive(s)
		})
	}
}

// heap is what is reachable, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// spent is the processor time of this process on all cores, the collector of
// garbage included: what a busy machine does beside it does not count.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
