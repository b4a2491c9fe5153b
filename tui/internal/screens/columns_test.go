package screens

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

func TestColumnsFillTheWidthExactly(t *testing.T) {
	f := &screen.Frame{Look: style.New(style.NoColour, true)}
	for _, most := range []dataset.Widest{{}, {Cause: 12, Where: 20, Node: 3, Nodes: true},
		{Cause: 200, Where: 300, Node: 90, Nodes: true, Kinds: true}} {
		for w := screen.MinWidth; w <= 260; w++ {
			for n := range 4 {
				c := columnsFor(w, most, n&1 > 0, n&2 > 0)
				x := cells{
					cause: strings.Repeat("c", 99), where: strings.Repeat("w", 300), time: "t",
					node: "n", kind: "Restart", summary: strings.Repeat("s", 400),
				}
				if got := pane.Gutter + len([]rune(c.line(f, "* proven", x, nil, nil))); got != w {
					t.Errorf("at %d the line is %d wide (%+v)", w, got, c)
				}
				if w >= 80 && (c.summary < 22 || c.cause < min(most.Cause, 22)) {
					t.Errorf("at %d the cause has %d cells and the sentence %d", w, c.cause, c.summary)
				}
			}
		}
	}
}

// A column is as wide as what stands in it, and one that says the same in every row
// is not there.
func TestColumnsFitWhatStandsInThem(t *testing.T) {
	base := dataset.Widest{Cause: 12, Where: 20, Node: 3, Nodes: true, Kinds: true}
	for name, tt := range map[string]struct {
		change    func(*dataset.Widest)
		width     int
		day, ages bool
		want      columns
	}{
		"all of them": {func(*dataset.Widest) {}, 160, false, true,
			columns{confidence: 10, cause: 12, where: 20, time: 14, node: 4, kind: 7, summary: 85}},
		"names longer than the most": {func(w *dataset.Widest) { w.Cause, w.Where, w.Node = 99, 99, 99 },
			200, false, true, columns{confidence: 10, cause: 30, where: 38, time: 14, node: 16, kind: 7, summary: 77}},
		"one kind, one node": {func(w *dataset.Widest) { w.Kinds, w.Nodes = false, false },
			160, false, true, columns{confidence: 10, cause: 12, where: 20, time: 14, summary: 98}},
		"one day": {func(*dataset.Widest) {}, 160, true, true,
			columns{confidence: 10, cause: 12, where: 20, time: 8, node: 4, kind: 7, summary: 91}},
		"80 columns, live": {func(w *dataset.Widest) { w.Where = 60 }, 80, false,
			true, columns{confidence: 1, cause: 12, where: 25, time: 4, summary: 32, times: asAge}},
		"80 columns, a recording": {func(w *dataset.Widest) { w.Where = 60 }, 80, false,
			false, columns{confidence: 1, cause: 12, where: 18, time: 11, summary: 32, times: toMinutes}},
		"80 columns, one day": {func(w *dataset.Widest) { w.Where = 60 }, 80, true, true,
			columns{confidence: 1, cause: 12, where: 24, time: 5, summary: 32, times: toMinutes}},
		"60 columns": {func(*dataset.Widest) {}, 60, false, true,
			columns{confidence: 10, cause: 12, where: 29, time: 4, times: asAge}},
	} {
		w := base
		tt.change(&w)
		if got := columnsFor(tt.width, w, tt.day, tt.ages); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, tt.want)
		}
	}
}

func TestEveryConfidenceHasItsOwnGlyph(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		l, seen := style.New(style.NoColour, ascii), map[string]report.Confidence{}
		for _, c := range []report.Confidence{report.Proven, report.Likely, report.Possible, report.Unknown} {
			_, g := confidence(&l, c)
			if other, ok := seen[g]; ok || ansi.StringWidth(g) != 1 {
				t.Errorf("%q stands for %s and %s", g, other, c)
			}
			seen[g] = c
		}
	}
}
