package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestWhatWouldDecide(t *testing.T) {
	base := func() report.Verdict {
		return report.Verdict{
			Cause: "app-exit-error", Confidence: report.Possible,
			Alternatives: []report.Alternative{
				{Cause: "node-reboot", Decides: "the node's boot time: `journalctl --list-boots` on it"},
				{Cause: "node-shutdown", Decides: "the node's boot time: `journalctl --list-boots` on it"},
				{Cause: "pod-deleted"},
			},
		}
	}
	for name, c := range map[string]struct {
		mutate func(v *report.Verdict)
		want   []report.Decide
	}{
		"causes that the same evidence tells apart stand together": {func(*report.Verdict) {}, []report.Decide{
			{Cause: []string{"app-exit-error"}, What: "its last log lines: `kubectl logs POD -n NAMESPACE -c CONTAINER --previous`",
				Command: "kubectl logs POD -n NAMESPACE -c CONTAINER --previous"},
			{Cause: []string{"node-reboot", "node-shutdown"}, What: "the node's boot time: `journalctl --list-boots` on it",
				Command: "journalctl --list-boots"},
		}},
		"what is proven needs no decision": {func(v *report.Verdict) { v.Confidence = report.Proven }, nil},
		"what stands alone neither":        {func(v *report.Verdict) { v.Alternatives = nil }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			v := base()
			c.mutate(&v)
			if d := cmp.Diff(c.want, decide(&v)); d != "" {
				t.Error(d)
			}
		})
	}
}
