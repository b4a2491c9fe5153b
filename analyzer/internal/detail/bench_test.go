package detail_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// busy is a snapshot of about n observations: ten nodes, one of them with a pod that crashes over and over, and pods
// that restart now and then everywhere.
func busy(n int) *evidence.Snapshot {
	b := evidence.NewBuilder(analyzertest.At(1e6))
	count := 0
	see := func(kind evidence.SourceKind, node string, at float64, s evidence.Subject, f evidence.Fact) {
		s.Node = node
		count++
		b.Observe(evidence.Observation{Time: analyzertest.At(at), Subject: s,
			Fact: f, Text: safetext.Clean(fmt.Sprintf("line %d", count)),
			Source: evidence.Source{Kind: kind, Node: node, Where: "nodes/" + node + "/" + string(kind)}})
	}
	life := func(node, pod string, attempt int, start, length float64) {
		s := evidence.Subject{Namespace: "ns", Pod: pod, PodUID: "uid-" + pod,
			Container: "a", ContainerID: fmt.Sprintf("%s-%d", pod, attempt), SandboxID: "box-" + pod}
		bare := evidence.Subject{ContainerID: s.ContainerID}
		code := int32(1 + attempt%3)
		see(evidence.SourceRuntimeLog, node, start,
			evidence.Subject{Container: "a", ContainerID: s.ContainerID, SandboxID: s.SandboxID},
			evidence.RuntimeCreated{Attempt: attempt})
		see(evidence.SourceRuntimeLog, node, start+0.1, bare, evidence.TaskStarted{})
		see(evidence.SourceKubeletLog, node, start+0.2, evidence.Subject{PodUID: s.PodUID, ContainerID: s.ContainerID},
			evidence.ContainerStarted{})
		see(evidence.SourceKubeletLog, node, start+length/2, s,
			evidence.ProbeFailed{Probe: evidence.ProbeReadiness, Count: 1, Output: safetext.Clean("connection refused")})
		see(evidence.SourceRuntimeLog, node, start+length, bare, evidence.TaskExited{ExitCode: &code})
		see(evidence.SourceKubeletLog, node, start+length+0.3, evidence.Subject{PodUID: s.PodUID, ContainerID: s.ContainerID},
			evidence.ContainerFinished{ExitCode: code})
		see(evidence.SourceKubeletLog, node, start+length+0.4, s, evidence.BackedOff{Delay: 10 * time.Second})
		see(evidence.SourceCRI, node, start+length, s,
			evidence.ContainerRecord{State: evidence.StateExited, Attempt: attempt,
				Created: analyzertest.At(start), Started: analyzertest.At(start + 0.1),
				Finished: analyzertest.At(start + length), ExitCode: &code, RestartCount: attempt})
	}
	for i := range 10 {
		node := fmt.Sprintf("n%d", i)
		b.Node(evidence.Node{Name: node, KubeletVersion: "v1.36.3"})
		for j := range n / 500 {
			see(evidence.SourceKubeletLog, node, float64(j)*30, evidence.Subject{},
				evidence.RuntimeTrouble{State: evidence.RuntimeNoAnswer})
		}
	}
	for i := 0; count < n/4; i++ {
		life("n0", "crashes", i, float64(i)*20, 5)
	}
	for i := 0; count < n; i++ {
		pod, node := fmt.Sprintf("p%d", i), fmt.Sprintf("n%d", i%10)
		b.Pod(evidence.Pod{Namespace: "ns", Name: pod, UID: "uid-" + pod, Node: node,
			RestartPolicy: "Always", Containers: []evidence.Container{{Name: "a", Kind: evidence.KindApp, Image: "i"}}})
		for a := range 4 {
			life(node, pod, a, float64(i)*3+float64(a)*600, 500)
		}
	}
	return b.Build()
}

// providerOf returns a provider and the ids of its report's items.
func providerOf(s *evidence.Snapshot) (report.DetailProvider, []string) {
	told := analyzer.AnalyzeWithDetails(s, analyzer.Options{})
	var ids []string
	for _, it := range told.Report.Items {
		ids = append(ids, it.ID)
	}
	return told.Details, ids
}

// BenchmarkStory gets a different item each time: nothing comes from the cache.
func BenchmarkStory(b *testing.B) {
	provider, ids := providerOf(busy(100_000))
	if _, err := provider.ItemDetail(ids[0]); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := provider.ItemDetail(ids[(i*7919)%len(ids)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstStory measures the index, which is built once.
func BenchmarkFirstStory(b *testing.B) {
	s := busy(100_000)
	for b.Loop() {
		b.StopTimer()
		provider, ids := providerOf(s)
		b.StartTimer()
		if _, err := provider.ItemDetail(ids[0]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNodeStory gets the busiest node.
func BenchmarkNodeStory(b *testing.B) {
	s := busy(100_000)
	provider, _ := providerOf(s)
	for i := 0; b.Loop(); i++ {
		if _, err := provider.NodeDetail(fmt.Sprintf("n%d", i%10)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAround looks around one line among many of other places.
func BenchmarkAround(b *testing.B) {
	s := busy(100_000)
	provider, _ := providerOf(s)
	for i := 0; b.Loop(); i++ {
		if _, err := provider.Neighbors(s.Observations[(i*7919)%len(s.Observations)].ID, 10); err != nil {
			b.Fatal(err)
		}
	}
}
