package screens

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// causesPage is a table of the causes: first those in the report, most frequent at the top, then the rest of the
// catalogue, faint.
func causesPage(f *screen.Frame) []document.Block {
	counts := map[string]int{}
	for i := range f.Data.Report.Items {
		counts[f.Data.Report.Items[i].Verdict.Cause]++
	}
	all := slices.Clone(f.Causes)
	for id := range counts { // the report may be older or newer than the catalogue
		if !slices.ContainsFunc(all, func(c screen.Cause) bool { return c.ID == id }) {
			all = append(all, screen.Cause{ID: id})
		}
	}
	slices.SortFunc(all, func(a, b screen.Cause) int {
		return cmp.Or(cmp.Compare(counts[b.ID], counts[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	t := document.Table{Heads: []string{"CAUSE", "HERE", "WHAT IT IS"}}
	for _, c := range all {
		style, found := document.Plain, strconv.Itoa(counts[c.ID])
		if counts[c.ID] == 0 {
			style, found = document.Faint, " " // a dash would mean unknown
		}
		t.Rows = append(t.Rows, document.Row{
			Cells:  []document.Text{document.In(style, c.ID), document.In(style, found), document.In(style, c.Title)},
			Anchor: document.Anchor{Cause: c.ID, Copy: c.ID},
		})
	}
	if len(all) == 0 {
		return []document.Block{document.Note("the list of causes is not available here")}
	}
	return []document.Block{t}
}
