package analyzer_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// If containers of a node ended and nothing names one, the report has an end without a name instead of being empty;
// where pods are known, in none of which anything ended, it has a note.
func TestNodesWhoseContainersEndedUnnamed(t *testing.T) {
	booted := func(s *analyzertest.Story) { s.Kernel(400, "", evidence.KernelBooted{}) }
	short := func(s *analyzertest.Story) { s.Add(evidence.SourceAPI, 100, evidence.Subject{}, evidence.SystemOOM{}) }
	stopped := func(s *analyzertest.Story) {
		s.Add(evidence.SourceSystemd, 100, evidence.Subject{},
			evidence.UnitChanged{Unit: "docker.service", Change: "stopping"})
		s.Add(evidence.SourceRuntimeLog, 100.2, evidence.Subject{}, evidence.RuntimeStopping{Signal: "terminated"})
	}
	for name, c := range map[string]struct {
		story   func(*analyzertest.Story)
		options analyzer.Options
		cause   string // of the only item
		note    string // the only one's beginning, where there are pods
	}{
		"dockerd is stopped": {stopped, analyzer.Options{}, "runtime-restarted", "dockerd was stopped "},
		"dockerd is stopped, nodes": {stopped, analyzer.Options{Nodes: []string{analyzertest.Node}}, "runtime-restarted",
			"dockerd was stopped "},
		"containerd is stopped": {func(s *analyzertest.Story) { s.Runtime(100, "", evidence.RuntimeStopping{}) },
			analyzer.Options{}, "", ""},
		"another node is asked for": {stopped, analyzer.Options{Nodes: []string{"n9"}}, "", ""},
		"a pod is asked for": {stopped, analyzer.Options{Keep: func(_, pod, _ string) bool { return pod == "web-0" }},
			"", ""},
		"a restart is known besides": {func(s *analyzertest.Story) { s.Status(10, 42.5, 1, "Error", 43); stopped(s) },
			analyzer.Options{}, "app-exit-error", ""},
		"it ran out of memory": {short, analyzer.Options{}, "oom-node", "ran out of memory "},
		"it boots":             {booted, analyzer.Options{}, "node-reboot", "rebooted "},
		"it booted before the log begins": {func(s *analyzertest.Story) {
			s.Kernel(400, "", evidence.KernelBooted{Reckoned: true})
		}, analyzer.Options{}, "", ""},
		"it ran out of memory and boots": {func(s *analyzertest.Story) { short(s); booted(s) }, analyzer.Options{},
			"rebooted 2026-11-21 07:06:40Z: all its containers ended before that, but the evidence names none of them" +
				"ran out of memory 2026-11-21 07:01:40Z: the kernel killed processes of it, but the evidence names none of " +
				"themnode-reboot", "rebooted "},
		"it boots for the first time": {func(s *analyzertest.Story) {
			s.NodeInfo.CreatedAt = analyzertest.At(390)
			booted(s)
		}, analyzer.Options{}, "", ""},
	} {
		for _, pods := range []bool{false, true} {
			s := analyzertest.New()
			s.NodeInfo.CreatedAt = analyzertest.At(0).Add(-24 * time.Hour)
			c.story(s)
			snap, want := s.Snapshot(), c.cause
			if pods {
				want = c.note
			} else {
				snap.Pods = nil
			}
			r, got := analyzer.Analyze(snap, c.options), ""
			for _, n := range r.NodeNotes {
				if n.ContainersEnded {
					got += n.Text
				}
			}
			for _, it := range r.Items {
				got += it.Verdict.Cause
			}
			if (want == "") != (got == "") && c.cause != "app-exit-error" || !strings.HasPrefix(got, want) {
				t.Errorf("%s, pods %v: %q, want %q", name, pods, got, want)
			}
		}
	}
}

// Deletions in a node's whole log are normal; in a few lines that someone cut out they are the answer, although a
// kubelet does not know who requested them.
func TestADeletionIsToldOfWhereTheLogWasCutToIt(t *testing.T) {
	for name, c := range map[string]struct {
		others int
		want   string
	}{
		"lines of one pod":  {0, "pod-deleted possible"},
		"lines of the node": {4, ""},
	} {
		b := evidence.NewBuilder(analyzertest.At(3600))
		see := func(at float64, s evidence.Subject, f evidence.Fact) {
			b.Observe(evidence.Observation{Time: analyzertest.At(at), Subject: s, Fact: f,
				Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"}})
		}
		pod := evidence.Subject{Namespace: "shop", Pod: "web-0"}
		see(10, pod, evidence.PodConfig{Op: "DELETE", Origin: "api"})
		killed := evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u1", Container: "app", ContainerID: "c1"}
		see(10.1, killed, evidence.KillStarted{})
		see(11, evidence.Subject{Namespace: "shop", Pod: "web-0", PodUID: "u1", ContainerID: "c1"}, evidence.ContainerDied{})
		for i := range c.others {
			see(float64(i), evidence.Subject{Namespace: "shop", Pod: "other-" + strconv.Itoa(i)},
				evidence.PodConfig{Op: "ADD", Origin: "api"})
		}
		got := ""
		for _, it := range analyzer.Analyze(b.Build(), analyzer.Options{}).Items {
			got += it.Verdict.Cause + " " + string(it.Verdict.Confidence)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// That a kubelet finds no sandbox is normal for a new pod, and the line with which it got the pod may be cut off: only
// of a kubelet that has just started may it mean that what ran is gone.
func TestNoSandboxOfANewPod(t *testing.T) {
	for name, c := range map[string]struct {
		started float64 // when the kubelet started; 0: no line tells
		first   float64 // the first line of its log
		probed  float64 // when a probe of the pod failed; 0: never
		want    string
	}{
		"a kubelet that runs":         {0, 5, 0, ""},
		"the line alone":              {0, 10, 0, "node-reboot possible"},
		"a kubelet that ran for long": {-600, -600, 0, ""},
		"a kubelet that just started": {9, 9, 0, "node-reboot possible"},
		"a pod that ran before":       {0, -90, -60, "node-reboot possible"},
		"a pod that runs afterwards":  {0, 5, 30, ""},
	} {
		b := evidence.NewBuilder(analyzertest.At(3600))
		see := func(at float64, s evidence.Subject, f evidence.Fact) {
			b.Observe(evidence.Observation{Time: analyzertest.At(at), Subject: s, Fact: f,
				Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1"}})
		}
		b.Read(evidence.Span{Source: evidence.SourceKubeletLog, Node: "n1", From: analyzertest.At(c.first),
			Until: analyzertest.At(11)})
		if c.started != 0 {
			see(c.started, evidence.Subject{}, evidence.KubeletStarted{Version: "v1.31.2", PID: 80})
		}
		pod := evidence.Subject{Namespace: "shop", Pod: "web-0"}
		if c.probed != 0 {
			see(c.probed, pod, evidence.ProbeFailed{Probe: evidence.ProbeReadiness})
		}
		see(10, pod, evidence.SandboxJudged{Reason: evidence.SandboxNone})
		pod.PodUID, pod.ContainerID = "u1", "c1"
		see(11, pod, evidence.ContainerStarted{})
		got := ""
		for _, it := range analyzer.Analyze(b.Build(), analyzer.Options{}).Items {
			got += it.Verdict.Cause + " " + string(it.Verdict.Confidence)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
