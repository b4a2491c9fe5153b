package finding_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The kubelet's message names a process and no container: if another container of the node was killed for memory at
// that moment, the process is more likely that one's.
func TestWhoseShortageItWas(t *testing.T) {
	code := int32(137)
	other := evidence.Subject{Node: analyzertest.Node, Namespace: "ops", Pod: "w",
		PodUID: "uid-w", Container: "w", ContainerID: strings.Repeat("3", 64)}
	for name, c := range map[string]struct {
		node     string
		reason   string
		end      float64
		restarts int
		want     bool
	}{
		"another one, killed for memory":              {analyzertest.Node, "OOMKilled", 42, 1, true},
		"another one, killed for another":             {analyzertest.Node, "Error", 42, 1, false},
		"another one, long before":                    {analyzertest.Node, "OOMKilled", 20, 1, false},
		"another one, later":                          {analyzertest.Node, "OOMKilled", 70, 1, false},
		"another one, later, and not the first time":  {analyzertest.Node, "OOMKilled", 70, 3, true},
		"another one, before, and not the first time": {analyzertest.Node, "OOMKilled", 20, 3, false},
		"another one of another node":                 {"n2", "OOMKilled", 42, 1, false},
		"nobody else ended, says the record":          {analyzertest.Node, "", 0, 0, false},
	} {
		s := analyzertest.New().Status(10, 42.5, 137, "Error", 0).Add(evidence.SourceKubeletLog,
			42.6, evidence.Subject{Node: analyzertest.Node}, evidence.SystemOOM{})
		if c.end > 0 {
			who := other
			who.Node = c.node
			s.Add(evidence.SourceAPI, c.end, who, evidence.ContainerRecord{State: evidence.StateExited,
				Started: analyzertest.At(5), Finished: analyzertest.At(c.end), ExitCode: &code, Reason: c.reason,
				RestartCount: c.restarts})
			for i := range s.Observations {
				if o := &s.Observations[i]; o.Subject.PodUID == who.PodUID {
					o.Source.Node = c.node
				}
			}
		}
		tl := history.Build(s.Snapshot())
		i := slices.IndexFunc(tl.Restarts, func(r *timeline.Restart) bool { return r.PodUID == analyzertest.PodUID })
		if i < 0 {
			t.Fatalf("%s: the story has no restart", name)
		}
		got := finding.Derive(tl, tl.Restarts[i]).OOM
		if got.Shortage.Answer != finding.Yes || got.Elsewhere != c.want {
			t.Errorf("%s: %+v, want elsewhere %t", name, got, c.want)
		}
	}
}
