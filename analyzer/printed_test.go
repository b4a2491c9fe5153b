package analyzer_test

import (
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What a tool of an unknown machine printed of boots and services, in an unknown zone, makes nothing proven that was
// not: neither as what happened nor as what rules something out.
func TestWhatAToolPrintedProvesNothing(t *testing.T) {
	printed := func(s *analyzertest.Story, at float64, f evidence.Fact) {
		s.Add(evidence.SourceHostLog, at, evidence.Subject{}, f)
	}
	for name, add := range map[string]func(*analyzertest.Story){
		"a boot long before": func(s *analyzertest.Story) { printed(s, -5000, evidence.KernelBooted{}) },
		"a boot at the end":  func(s *analyzertest.Story) { printed(s, 41, evidence.KernelBooted{}) },
		"a kubelet that was there before": func(s *analyzertest.Story) {
			printed(s, -500, evidence.KubeletStarted{PID: 4})
		},
		"a kubelet between end and start": func(s *analyzertest.Story) { printed(s, 42.5, evidence.KubeletStarted{PID: 4}) },
		"a runtime that was started": func(s *analyzertest.Story) {
			printed(s, 41, evidence.UnitChanged{Unit: "containerd.service", Change: "started"})
		},
		"a runtime that failed": func(s *analyzertest.Story) {
			printed(s, 41, evidence.UnitChanged{Unit: "docker.service", Change: "failed", Result: "oom-kill", Code: "killed"})
		},
	} {
		for _, told := range slices.Concat(analyzertest.Stories(), misleading()) {
			plain := judge(told.Story())
			s := told.Story()
			add(s)
			r := judge(s)
			for i := range r.Items {
				it := &r.Items[i]
				if it.Verdict.Confidence == report.Proven && !slices.ContainsFunc(plain.Items, func(p report.Item) bool {
					return p.Container == it.Container && p.Verdict.Cause == it.Verdict.Cause &&
						p.Verdict.Confidence == report.Proven
				}) {
					t.Errorf("%s, %s: %s is proven", told.Name, name, it.Verdict.Cause)
				}
			}
		}
	}
}
