package crowd

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
)

// analyse reads a crowd as the program does.
func analyse(t testing.TB, path string) *report.Report {
	t.Helper()
	b, _, err := foreign.Open(path, "", bundle.Options{Now: end.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	snap := diag.Observe(diag.Load(b, apiobject.Hasher{Present: forensics.Present}), end.Add(time.Hour))
	return analyzer.Analyze(snap, analyzer.Options{GeneratedAt: snap.CollectedAt})
}

func write(t testing.TB, s Shape, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pods.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(f, s, n); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Twice as many containers need twice the memory, not four times: the number of allocated bytes shows that on any
// machine. What only takes time is measured against the program's budget (test/bench/budget).
func TestWhatCrowdsCostGrowsWithThem(t *testing.T) {
	for _, s := range Shapes() {
		t.Run(string(s), func(t *testing.T) {
			few, many := write(t, s, 1500), write(t, s, 3000)
			small, large := allocated(t, few, 1500), allocated(t, many, 3000)
			if ratio := float64(large) / float64(small); ratio > 2.5 {
				t.Errorf("%d bytes for 1500 containers, %d for 3000: %.1f times as many", small, large, ratio)
			}
		})
	}
}

func allocated(t *testing.T, path string, n int) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := analyse(t, path)
	runtime.ReadMemStats(&after)
	if len(r.Items) != n {
		t.Fatalf("%d items of %d containers", len(r.Items), n)
	}
	return after.TotalAlloc - before.TotalAlloc
}

func BenchmarkCrowd(b *testing.B) {
	for _, s := range Shapes() {
		for _, n := range []int{500, 2000, 16000, 100000} {
			b.Run(fmt.Sprintf("%s/%d", s, n), func(b *testing.B) {
				path := write(b, s, n)
				b.ReportAllocs()
				for b.Loop() {
					analyse(b, path)
				}
			})
		}
	}
}
