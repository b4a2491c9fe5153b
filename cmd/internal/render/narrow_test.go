package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

// A terminal of any width gets every item once, and no control bytes.
func TestTablesOfAnyWidthNameEveryItem(t *testing.T) {
	for _, format := range []string{"", "wide"} {
		for _, width := range []int{0, 1, 10, 20, 40, 79, 80, 132, 400} {
			got := render(t, Options{Format: format, Width: width, NoHeaders: true}, reporttest.Report())
			for _, pod := range []string{"web-0", "web-1", "db-0", "cart-0"} {
				if n := strings.Count(got, pod); n == 0 {
					t.Errorf("-o %q at width %d: %s is missing:\n%s", format, width, pod, got)
				}
			}
			if strings.ContainsRune(got, 0x1b) || ansi.Strip(got) != got {
				t.Errorf("-o %q at width %d: escape sequences without colour", format, width)
			}
		}
	}
}

func TestAnEmptyReportIsPrintedInEveryFormat(t *testing.T) {
	for _, format := range []string{"", "wide", "json", "yaml", "name", "markdown", "html", "prometheus"} {
		r := &report.Report{}
		r.Normalise()
		got := render(t, Options{Format: format}, r)
		if strings.Contains(got, "null") {
			t.Errorf("-o %q prints null:\n%s", format, got)
		}
	}
}

// An item may know next to nothing; what is not known is not printed as zero.
func TestAnItemThatKnowsNothingIsPrinted(t *testing.T) {
	r := &report.Report{GeneratedAt: reporttest.T0,
		Items: []report.Item{{ID: "r1", Kind: report.Death,
			Verdict: report.Verdict{Cause: "unknown", Mechanism: "unknown", Confidence: report.Unknown}}}}
	r.Normalise()
	for _, o := range []Options{{}, {Format: "wide"}, {Detail: true}, {Detail: true, Width: 20},
		{Format: "json"}, {Format: "yaml"}, {Format: "name"}, {Format: "markdown"},
		{Format: "html"}, {Format: "prometheus"}} {
		got := render(t, o, r)
		if strings.Contains(got, "0001-01-01") || strings.Contains(got, "nil") {
			t.Errorf("%+v prints a zero value:\n%s", o, got)
		}
	}
}
