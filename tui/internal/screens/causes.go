package screens

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// causeRow is one cause of the catalogue, and how often it occurs in the report.
type causeRow struct {
	id, title string
	found     int
}

// causeRows lists the causes: first those in the report, most frequent at the top, then the rest of the catalogue in
// its order.
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
	// The report may be older or newer than the catalogue.
	for id, n := range counts {
		out = append(out, causeRow{id, "", n})
	}
	slices.SortStableFunc(out, func(a, b causeRow) int {
		return cmp.Or(cmp.Compare(b.found, a.found), cmp.Compare(a.id, b.id))
	})
	return out
}

// causesPage is their table. A row that does not occur in the report is faint.
func causesPage(rows []causeRow) []document.Block {
	t := document.Table{Heads: []string{"CAUSE", "HERE", "WHAT IT IS"}}
	for i := range rows {
		r := &rows[i]
		style, found := document.Plain, strconv.Itoa(r.found)
		if r.found == 0 {
			style, found = document.Faint, " " // a dash would mean unknown
		}
		t.Rows = append(t.Rows, document.Row{
			Cells:  []document.Text{document.In(style, r.id), document.In(style, found), document.In(style, r.title)},
			Anchor: document.Anchor{Cause: r.id, Copy: r.id},
		})
	}
	if len(rows) == 0 {
		return []document.Block{document.Note("the list of causes is not available here")}
	}
	return []document.Block{t}
}
