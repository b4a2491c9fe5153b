package screens

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// causeRow is one cause of the catalogue, and how often it was found here.
type causeRow struct {
	id, title string
	found     int
}

// causeRows lists the causes: those that were found here first, the most frequent
// at the top, then the rest of the catalogue in its order.
func causeRows(f *screen.Frame) []causeRow {
	counts := map[string]int{}
	for _, g := range f.Data.Groups(dataset.ByCause) {
		counts[g.Name] = len(g.Items)
	}
	out := make([]causeRow, 0, len(f.Causes))
	for _, c := range f.Causes {
		out = append(out, causeRow{c.ID, c.Title, counts[c.ID]})
		delete(counts, c.ID)
	}
	// A report may be older or newer than the catalogue.
	for id, n := range counts {
		out = append(out, causeRow{id, "", n})
	}
	slices.SortStableFunc(out, func(a, b causeRow) int {
		return cmp.Or(cmp.Compare(b.found, a.found), cmp.Compare(a.id, b.id))
	})
	return out
}

func drawCauses(f *screen.Frame, l *pane.Rows, rows []causeRow) []string {
	line := func(id, found, title string) string {
		return f.Line(screen.Col(id, 29), screen.Col(found, -5)) + " " + title
	}
	return f.List(l, line("CAUSE", "HERE", "WHAT IT IS"), "the list of causes is not available here",
		func(i int) (string, bool) {
			r := &rows[i]
			if r.found == 0 {
				return line(r.id, "", r.title), true
			}
			return line(r.id, strconv.Itoa(r.found), r.title), false
		})
}
