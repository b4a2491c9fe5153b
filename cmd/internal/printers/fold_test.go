package printers

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// loop is a report of one container that restarted three times for the same cause,
// newest first, and of another one in between.
func loop() *report.Report {
	r := fixture()
	r.Incidents, r.Gaps = nil, nil
	r.Items = []report.Item{upgrade("r1", "web", 0), upgrade("r2", "cart", -10), upgrade("r3", "web", -20), upgrade("r4", "web", -30)}
	return r
}

func lineup(r *report.Report) string {
	var b strings.Builder
	for _, l := range folded(r) {
		fmt.Fprintf(&b, "%s×%d ", l.item.ID, l.times)
	}
	return strings.TrimSpace(b.String())
}

func TestALoopIsOneLineAtItsNewest(t *testing.T) {
	for name, c := range map[string]struct {
		mutate func(r *report.Report)
		want   string
	}{
		"the same container and cause":       {func(*report.Report) {}, "r1×3 r2×1"},
		"another cause stands by itself":     {func(r *report.Report) { r.Items[2].Verdict.Cause = "oom-node" }, "r1×2 r2×1 r3×1"},
		"a less sure one stands by itself":   {func(r *report.Report) { r.Items[3].Verdict.Confidence = report.Likely }, "r1×2 r2×1 r4×1"},
		"a death is not a restart":           {func(r *report.Report) { r.Items[0].Kind = report.Death }, "r1×1 r2×1 r3×2"},
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

func TestWhoAsksForATableGetsEveryRow(t *testing.T) {
	for name, c := range map[string]struct {
		o     Options
		rows  int
		times bool
	}{
		"for people":       {Options{}, 2, true},
		"asked for":        {Options{Format: "table"}, 4, false},
		"wide":             {Options{Format: "wide"}, 4, false},
		"without headers":  {Options{NoHeaders: true}, 4, false},
		"newest in detail": {Options{Detail: true}, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			print, err := New(c.o)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := print(&b, loop()); err != nil {
				t.Fatal(err)
			}
			text, _, _ := strings.Cut(b.String(), "the newest in full")
			if got := strings.Count(text, "   Restart   "); got != c.rows {
				t.Errorf("%d rows, want %d:\n%s", got, c.rows, text)
			}
			for _, word := range []string{"TIMES", "2 earlier ones of the same container and cause"} {
				if strings.Contains(text, word) != c.times {
					t.Errorf("%q there: %v, want %v:\n%s", word, !c.times, c.times, text)
				}
			}
		})
	}
}

// Where nothing repeats there is nothing to count.
func TestNoColumnOfOnes(t *testing.T) {
	r := loop()
	r.Items = r.Items[:2]
	var b bytes.Buffer
	print, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := print(&b, r); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "TIMES") {
		t.Errorf("a column of ones:\n%s", b.String())
	}
}
