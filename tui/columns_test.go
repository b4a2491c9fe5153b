package tui

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

func TestColumnsFillTheWidthExactly(t *testing.T) {
	f := &frame{look: newLook(paletteNone, true)}
	for _, most := range []widest{{}, {cause: 12, where: 20, node: 3, nodes: true},
		{cause: 200, where: 300, node: 90, nodes: true, kinds: true}} {
		for w := minWidth; w <= 260; w++ {
			for n := range 4 {
				c := columnsFor(w, most, n&1 > 0, n&2 > 0)
				x := cells{
					cause: strings.Repeat("c", 99), where: strings.Repeat("w", 300), time: "t",
					node: "n", kind: "Restart", summary: strings.Repeat("s", 400),
				}
				if got := pane.Gutter + len([]rune(c.line(f, "* proven", x, nil, nil))); got != w {
					t.Errorf("at %d the line is %d wide (%+v)", w, got, c)
				}
				if w >= 80 && (c.summary < 22 || c.cause < min(most.cause, 22)) {
					t.Errorf("at %d the cause has %d cells and the sentence %d", w, c.cause, c.summary)
				}
			}
		}
	}
}

// A column is as wide as what stands in it, and one that says the same in every row
// is not there.
func TestColumnsFitWhatStandsInThem(t *testing.T) {
	base := widest{cause: 12, where: 20, node: 3, nodes: true, kinds: true}
	for name, tt := range map[string]struct {
		change    func(*widest)
		width     int
		day, ages bool
		want      columns
	}{
		"all of them": {func(*widest) {}, 160, false, true,
			columns{confidence: 10, cause: 12, where: 20, time: 14, node: 4, kind: 7, summary: 85}},
		"names longer than the most": {func(w *widest) { w.cause, w.where, w.node = 99, 99, 99 },
			200, false, true, columns{confidence: 10, cause: 30, where: 38, time: 14, node: 16, kind: 7, summary: 77}},
		"one kind, one node": {func(w *widest) { w.kinds, w.nodes = false, false },
			160, false, true, columns{confidence: 10, cause: 12, where: 20, time: 14, summary: 98}},
		"one day": {func(*widest) {}, 160, true, true,
			columns{confidence: 10, cause: 12, where: 20, time: 8, node: 4, kind: 7, summary: 91}},
		"80 columns, live": {func(w *widest) { w.where = 60 }, 80, false,
			true, columns{confidence: 1, cause: 12, where: 25, time: 4, summary: 32, times: asAge}},
		"80 columns, a recording": {func(w *widest) { w.where = 60 }, 80, false,
			false, columns{confidence: 1, cause: 12, where: 18, time: 11, summary: 32, times: toMinutes}},
		"80 columns, one day": {func(w *widest) { w.where = 60 }, 80, true, true,
			columns{confidence: 1, cause: 12, where: 24, time: 5, summary: 32, times: toMinutes}},
		"60 columns": {func(*widest) {}, 60, false, true,
			columns{confidence: 10, cause: 12, where: 29, time: 4, times: asAge}},
	} {
		w := base
		tt.change(&w)
		if got := columnsFor(tt.width, w, tt.day, tt.ages); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, tt.want)
		}
	}
}

func TestADatasetKnowsItsWidestEntries(t *testing.T) {
	r := repeated()
	want := widest{cause: len("hash-kubelet-upgrade"), where: len("x crash/app x3"), node: 2}
	if got := newDataset(r, nil).widest; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	r.Items[0].Namespace, r.Items[0].Kind, r.Items[1].Node = "another", report.Death, "node-2"
	want = widest{cause: want.cause, where: len("another/crash/app"), node: 6, kinds: true, nodes: true}
	if got := newDataset(r, nil).widest; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
