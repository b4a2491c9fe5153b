package analyzer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// manyRestarts is n restarts of n/10 pods on ten nodes, one of four endings each.
func manyRestarts(n int) *evidence.Snapshot {
	b := evidence.NewBuilder(analyzertest.At(3600))
	for i := range 10 {
		node := fmt.Sprintf("n%d", i)
		b.Node(evidence.Node{Name: node, KubeletVersion: "v1.36.3"})
		for _, k := range []evidence.SourceKind{evidence.SourceKubeletLog, evidence.SourceRuntimeLog,
			evidence.SourceKernelLog} {
			b.Cover(evidence.Coverage{Source: k, Node: node, From: analyzertest.At(-600),
				Until: analyzertest.At(1e7), Verbosity: 2})
		}
	}
	object := &corev1.Pod{Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyAlways,
		Containers: []corev1.Container{{Name: "a", Image: "i"}}}}
	for i := range n {
		p := i / 10
		node, uid := fmt.Sprintf("n%d", p%10), fmt.Sprintf("uid-%d", p)
		if i%10 == 0 {
			b.Pod(evidence.Pod{Namespace: "ns", Name: fmt.Sprintf("p%d", p), UID: uid,
				Node: node, RestartPolicy: "Always",
				Containers: []evidence.Container{{Name: "a", Kind: evidence.KindApp, Image: "i"}},
				Object:     podobject.Of(object)})
		}
		code := []int32{0, 1, 139, 137}[i%4]
		start := float64(i%10) * 60
		s := evidence.Subject{Node: node, Namespace: "ns", Pod: fmt.Sprintf("p%d", p),
			PodUID: uid, Container: "a", ContainerID: fmt.Sprintf("c%d", i), SandboxID: "s" + uid}
		b.Observe(evidence.Observation{Time: analyzertest.At(start + 50), Subject: s,
			Source: evidence.Source{Kind: evidence.SourceCRI, Node: node},
			Fact: evidence.ContainerRecord{State: evidence.StateExited, Attempt: i % 10,
				Started: analyzertest.At(start), Finished: analyzertest.At(start + 50), ExitCode: &code, Reason: "Error"}})
	}
	return b.Build()
}

func TestTellMakesTheReportThatAnalyzeMakes(t *testing.T) {
	snap := manyRestarts(500)
	for name, o := range map[string]analyzer.Options{
		"everything": {GeneratedAt: analyzertest.At(3600), ToolVersion: "v0"},
		"one node":   {Nodes: []string{"n3"}},
		"one cause":  {Cause: "app-exit-error"},
		"one pod":    {Keep: func(_, pod, _ string) bool { return pod == "p7" }},
		"nothing":    {Container: "none"},
	} {
		t.Run(name, func(t *testing.T) {
			told := analyzer.AnalyzeWithDetails(snap, o)
			if diff := cmp.Diff(analyzer.Analyze(snap, o), told.Report); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A filter leaves items out; the provider must use those that are left.
func TestTheProviderSpeaksOfTheItemThatItIsAskedAbout(t *testing.T) {
	told := analyzer.AnalyzeWithDetails(manyRestarts(500), analyzer.Options{Cause: "app-exit-error"})
	if len(told.Report.Items) < 50 {
		t.Fatalf("only %d items", len(told.Report.Items))
	}
	for _, it := range told.Report.Items {
		s, err := told.Details.ItemDetail(it.ID)
		if err != nil {
			t.Fatal(err)
		}
		ended := func(x report.Span) bool { return x.To != nil && it.Time != nil && x.To.Equal(*it.Time) && x.Bad }
		if s.Lanes[0].Kind != report.LaneInstance || !slices.ContainsFunc(s.Lanes[0].Spans, ended) {
			t.Errorf("item %s ended at %v; its story's instances are %+v", it.ID, it.Time, s.Lanes[0].Spans)
		}
		if s.Start.After(*it.Time) || s.End.Before(*it.Time) {
			t.Errorf("item %s ended at %v, outside of its story", it.ID, it.Time)
		}
	}
}
