package analyzer_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// manyRestarts is n restarts of n/10 pods on ten nodes, one of four endings each.
func manyRestarts(n int) *evidence.Snapshot {
	b := evidence.NewBuilder(analyzertest.At(3600))
	for i := range 10 {
		node := fmt.Sprintf("n%d", i)
		b.Node(evidence.Node{Name: node, KubeletVersion: "v1.36.3"})
		for _, k := range []evidence.SourceKind{evidence.SourceKubeletLog, evidence.SourceRuntimeLog, evidence.SourceKernelLog} {
			b.Cover(evidence.Coverage{Source: k, Node: node, From: analyzertest.At(-600), Until: analyzertest.At(1e7), Verbosity: 2})
		}
	}
	object := &corev1.Pod{Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyAlways, Containers: []corev1.Container{{Name: "a", Image: "i"}}}}
	for i := range n {
		p := i / 10
		node, uid := fmt.Sprintf("n%d", p%10), fmt.Sprintf("uid-%d", p)
		if i%10 == 0 {
			b.Pod(evidence.Pod{Namespace: "ns", Name: fmt.Sprintf("p%d", p), UID: uid, Node: node, RestartPolicy: "Always", Containers: []evidence.Container{{Name: "a", Kind: evidence.KindApp, Image: "i"}}, Object: object})
		}
		code := []int32{0, 1, 139, 137}[i%4]
		start := float64(i%10) * 60
		s := evidence.Subject{Node: node, Namespace: "ns", Pod: fmt.Sprintf("p%d", p), PodUID: uid, Container: "a", ContainerID: fmt.Sprintf("c%d", i), SandboxID: "s" + uid}
		b.Observe(evidence.Observation{Time: analyzertest.At(start + 50), Subject: s, Source: evidence.Source{Kind: evidence.SourceCRI, Node: node},
			Fact: evidence.ContainerRecord{State: evidence.StateExited, Attempt: i % 10, Started: analyzertest.At(start), Finished: analyzertest.At(start + 50), ExitCode: &code, Reason: "Error"}})
	}
	return b.Build()
}

func BenchmarkAnalyze(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := manyRestarts(n)
			b.ReportAllocs()
			for b.Loop() {
				if r := analyzer.Analyze(s, analyzer.Options{}); len(r.Items) < n/2 {
					b.Fatalf("%d items", len(r.Items))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/restart")
		})
	}
}
