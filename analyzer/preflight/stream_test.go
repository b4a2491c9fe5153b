package preflight

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// town is three nodes with pods of two namespaces, one node that was not read, an API server, and an unscheduled pod.
func town(t *testing.T) *evidence.Snapshot {
	t.Helper()
	s := packed(t, []string{"3500m 1Gi", "750m 1Gi", "", "1 1Gi"}, func(pods []*evidence.Pod) {
		pods[0].Namespace = "bank"
		pods[3].Object.Whole().Status.Phase = corev1.PodSucceeded
	})
	for i := 2; i <= 4; i++ {
		more := packed(t, []string{"1 1Gi", "1 1Gi", ""}, func(pods []*evidence.Pod) {
			for j, p := range pods {
				p.Node, p.UID = fmt.Sprintf("n%d", i), fmt.Sprintf("u%d-%d", i, j)
			}
			pods[2].Containers[0].Readiness = &evidence.Probe{Handler: "exec"}
		})
		if n := more.Nodes[0]; i < 4 { // the fourth was not read
			n.Name, n.KubeletVersion = fmt.Sprintf("n%d", i), "v1.30.14"
			s.Nodes = append(s.Nodes, n)
		}
		s.Pods = append(s.Pods, more.Pods...)
	}
	s.Pods = append(s.Pods, evidence.Pod{Namespace: "shop", Name: "pending", UID: "nowhere"},
		evidence.Pod{Namespace: "kube-system", Name: "kube-apiserver-n1", UID: "api",
			Node: "n1", Containers: []evidence.Container{{Name: "kube-apiserver", Image: "kube-apiserver:v1.30.2"}}})
	s.Gaps = []evidence.Gap{{Source: evidence.SourceAPI, Why: "something is missing"}}
	return s
}

// However a cluster is cut into pages, the report is the same.
func TestPagesMakeNoDifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, to := range []string{Same, "v1.31.0", "v1.35.0"} {
		want, err := Run(town(t), Options{To: version(t, to), GeneratedAt: noon})
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Items) != 14 || len(want.Nodes) != 4 || want.Summary.May == 0 {
			t.Fatalf("%s: the town is too tame: %d items, %d nodes, %+v", to, len(want.Items), len(want.Nodes), want.Summary)
		}
		for range 20 {
			s := town(t)
			nodes := *s
			nodes.Pods = nil
			stream, err := NewStream(&nodes, Options{To: version(t, to), GeneratedAt: noon})
			if err != nil {
				t.Fatal(err)
			}
			rng.Shuffle(len(s.Pods), func(i, j int) { s.Pods[i], s.Pods[j] = s.Pods[j], s.Pods[i] })
			for rest := s.Pods; len(rest) > 0; {
				n := 1 + rng.IntN(len(rest))
				stream.Add(&evidence.Snapshot{CollectedAt: noon, Pods: rest[:n]})
				rest = rest[n:]
			}
			if diff := cmp.Diff(want, stream.Report()); diff != "" {
				t.Fatalf("%s: %s", to, diff)
			}
		}
	}
}

func TestAStreamKeepsToItsScope(t *testing.T) {
	s := town(t)
	count := func(o Options) (nodes, items int) {
		o.GeneratedAt = noon
		r, err := Run(s, o)
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Nodes), len(r.Items)
	}
	bank := func(namespace, _, _ string) bool { return namespace == "bank" }
	for name, test := range map[string]struct {
		o            Options
		nodes, items int
	}{
		"everything":             {Options{}, 4, 14},
		"one node":               {Options{Nodes: []string{"n2"}}, 1, 3},
		"a node that is no more": {Options{Nodes: []string{"n9"}}, 0, 0},
		"a namespace":            {Options{Keep: bank}, 1, 1},
		"a namespace of a node":  {Options{Keep: bank, Nodes: []string{"n2"}}, 1, 0},
	} {
		if nodes, items := count(test.o); nodes != test.nodes || items != test.items {
			t.Errorf("%s: %d nodes and %d items, want %d and %d", name, nodes, items, test.nodes, test.items)
		}
	}
}

func TestGapsOfTheEndAreReported(t *testing.T) {
	stream, err := NewStream(town(t), Options{GeneratedAt: noon})
	if err != nil {
		t.Fatal(err)
	}
	stream.Gaps([]evidence.Gap{{Source: evidence.SourceAPI, Node: "n1", Why: "only 500 pods were read",
		Hint: "ask for less"}})
	want := []report.Gap{{Source: "api", Why: "something is missing"},
		{Source: "api", Node: "n1", Why: "only 500 pods were read", Hint: "ask for less"}}
	if diff := cmp.Diff(want, stream.Report().Gaps); diff != "" {
		t.Error(diff)
	}
	if _, err := NewStream(town(t), Options{To: version(t, "v1.4.0")}); err == nil {
		t.Error("v1.4 is modelled")
	}
}
