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

// BenchmarkAnalyze reports the cost of one restart and the memory that its part of the report keeps apart from the
// evidence. Both are constant.
func BenchmarkAnalyze(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := fleet(n)
			var r *report.Report
			b.ReportAllocs()
			runtime.GC() // garbage of the evidence is not part of the analysis
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

// heap returns the reachable memory, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// spent returns the processor time of this process on all cores, including garbage collection: other load on the
// machine does not count.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
