package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

// loop is a report of one container that restarted three times for the same cause,
// newest first, and of another one in between.
func loop() *report.Report {
	r := reporttest.Report()
	r.Incidents, r.Gaps = nil, nil
	r.Items = []report.Item{reporttest.Restart("r1", "web", 0), reporttest.Restart("r2", "cart", -10),
		reporttest.Restart("r3", "web", -20), reporttest.Restart("r4", "web", -30)}
	return r
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
			if got := strings.Count(text, "   proven   "); got != c.rows {
				t.Errorf("%d rows, want %d:\n%s", got, c.rows, text)
			}
			for _, word := range []string{"   TIMES   ", "TIMES counts the restarts of one container for one cause"} {
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
