package preflight

import (
	"fmt"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// crowd is a cluster of pods of two containers each, 20 to a node.
func crowd(containers int) *evidence.Snapshot {
	one := newStory("v1.30.14", sidecar).s
	s := &evidence.Snapshot{CollectedAt: noon}
	pod := one.Pods[0]
	for i := range containers / 2 {
		node := fmt.Sprintf("n%04d", i/20)
		if i%20 == 0 {
			s.Nodes = append(s.Nodes, evidence.Node{Name: node, KubeletVersion: "v1.30.14",
				Runtime: "containerd://1.7.2", OS: "linux"})
		}
		p := pod
		p.Name, p.UID, p.Node = fmt.Sprintf("web-%d", i), fmt.Sprintf("u%d", i), node
		s.Pods = append(s.Pods, p)
	}
	return s
}

// BenchmarkRun predicts for 100 000 containers of 2 500 nodes with one target, where all or none restart.
func BenchmarkRun(b *testing.B) {
	s := crowd(100_000)
	for _, to := range []string{"v1.31.0", "v1.29.0"} {
		b.Run(to, func(b *testing.B) {
			o := Options{To: version(b, to)}
			b.ReportAllocs()
			for b.Loop() {
				r, err := Run(s, o)
				if err != nil || len(r.Items) != 100_000 {
					b.Fatal(err, len(r.Items))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/run")
		})
	}
}
