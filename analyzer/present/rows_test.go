package present

import (
	"fmt"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

// loop is a report of one container that restarted three times for the same cause, newest first, with another container
// in between.
func loop() *report.Report {
	r := reporttest.Report()
	r.Incidents, r.Gaps = nil, nil
	r.Items = []report.Item{reporttest.Restart("r1", "web", 0), reporttest.Restart("r2", "cart", -10),
		reporttest.Restart("r3", "web", -20), reporttest.Restart("r4", "web", -30)}
	return r
}

func lineup(r *report.Report) string {
	var b strings.Builder
	for _, w := range Rows(r, true) {
		fmt.Fprintf(&b, "%s×%d ", r.Items[w.Item].ID, w.Times)
	}
	return strings.TrimSpace(b.String())
}

func TestALoopIsOneLineAtItsNewest(t *testing.T) {
	for name, c := range map[string]struct {
		mutate func(r *report.Report)
		want   string
	}{
		"the same container and cause": {func(*report.Report) {}, "r1×3 r2×1"},
		"another cause stands by itself": {func(r *report.Report) { r.Items[2].Verdict.Cause = "oom-node" },
			"r1×2 r2×1 r3×1"},
		"a less sure one stands by itself": {func(r *report.Report) { r.Items[3].Verdict.Confidence = report.Likely },
			"r1×2 r2×1 r4×1"},
		"its last end, not started again":    {func(r *report.Report) { r.Items[0].Kind = report.Death }, "r1×3 r2×1"},
		"another pod of the same name":       {func(r *report.Report) { r.Items[3].PodUID = "another" }, "r1×2 r2×1 r4×1"},
		"another container of the same pod":  {func(r *report.Report) { r.Items[2].Container = "b" }, "r1×2 r2×1 r3×1"},
		"the same name in another namespace": {func(r *report.Report) { r.Items[3].Namespace = "b" }, "r1×2 r2×1 r4×1"},
		"nothing":                            {func(r *report.Report) { r.Items = nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := loop()
			c.mutate(r)
			if got := lineup(r); got != c.want {
				t.Errorf("lines %q, want %q", got, c.want)
			}
		})
	}
}
