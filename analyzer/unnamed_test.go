package analyzer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Where a node lost all its containers and nothing names one, the report says so instead of being empty.
func TestNodesWhoseContainersEndedUnnamed(t *testing.T) {
	booted := func(s *analyzertest.Story) { s.Kernel(400, "", evidence.KernelBooted{}) }
	stopped := func(s *analyzertest.Story) {
		s.Add(evidence.SourceSystemd, 100, evidence.Subject{},
			evidence.UnitChanged{Unit: "docker.service", Change: "stopping"})
		s.Add(evidence.SourceRuntimeLog, 100.2, evidence.Subject{}, evidence.RuntimeStopping{Signal: "terminated"})
	}
	for name, c := range map[string]struct {
		story   func(*analyzertest.Story)
		options analyzer.Options
		want    string // of the only note
	}{
		"dockerd is stopped":        {stopped, analyzer.Options{}, "dockerd was stopped "},
		"dockerd is stopped, nodes": {stopped, analyzer.Options{Nodes: []string{analyzertest.Node}}, "dockerd was stopped "},
		"containerd is stopped": {func(s *analyzertest.Story) { s.Runtime(100, "", evidence.RuntimeStopping{}) },
			analyzer.Options{}, ""},
		"another node is asked for": {stopped, analyzer.Options{Nodes: []string{"n9"}}, ""},
		"one pod is asked for":      {stopped, analyzer.Options{Keep: func(_, _, _ string) bool { return true }}, ""},
		"a restart is known besides": {func(s *analyzertest.Story) { s.Status(10, 42.5, 1, "Error", 43); stopped(s) },
			analyzer.Options{}, ""},
		"it ran out of memory": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceAPI, 100, evidence.Subject{}, evidence.SystemOOM{})
		}, analyzer.Options{}, "ran out of memory "},
		"it boots": {booted, analyzer.Options{}, "rebooted "},
		"it boots for the first time": {func(s *analyzertest.Story) {
			s.NodeInfo.CreatedAt = analyzertest.At(390)
			booted(s)
		}, analyzer.Options{}, ""},
	} {
		s := analyzertest.New()
		s.NodeInfo.CreatedAt = analyzertest.At(0).Add(-24 * time.Hour)
		c.story(s)
		got := ""
		for _, n := range analyzer.Analyze(s.Snapshot(), c.options).NodeNotes {
			if n.ContainersEnded {
				got += n.Text
			}
		}
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
