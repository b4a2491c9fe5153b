package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
)

// What redaction costs, as a share of what it takes to store a kubelet's journal.
func BenchmarkStore(b *testing.B) {
	const line = `I1121 07:43:40.929171    8252 reconciler_common.go:218] "operationExecutor.MountVolume started for volume \"kube-api-access-8x2lq\" pod \"web-%d\" " pod="shop/web-%d"`
	var export strings.Builder
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf(line, i, i))
		export.WriteString(strings.Replace(kubeletEntry, "MESSAGE=", "MESSAGE="+lines[i], 1))
	}
	var all, filter time.Duration
	b.SetBytes(int64(export.Len()))
	for b.Loop() {
		whole := clock.Stopwatch()
		if err := copyExport(strings.NewReader(export.String()), newRecorder(b.Context(), 256<<20)); err != nil {
			b.Fatal(err)
		}
		all += whole()
		alone := clock.Stopwatch()
		var s secrets.Cleaner
		for _, l := range lines {
			s.Line("80", l)
		}
		filter += alone()
	}
	b.ReportMetric(float64(filter)/float64(all), "redaction/all")
}
