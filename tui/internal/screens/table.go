package screens

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// table lists items of a dataset, grouped and filtered.
type table struct {
	dataset.Arrangement
	pane.Rows
	typed prompt.Input // the filter
	// oneCause says that the text above names the cause of all rows.
	oneCause bool
	asked    int // numbers the requests: an answer to an earlier one is outdated
}

func newTable(ds *dataset.Dataset, by dataset.Grouping, base []int32) *table {
	t := &table{}
	t.stand(ds.Arrange(base, by, ""))
	return t
}

// stand shows an arrangement. Pending requests become outdated.
func (t *table) stand(a dataset.Arrangement) {
	t.asked++
	t.Arrangement, t.N = a, len(a.Listed)
	t.To(t.Cursor)
}

// atOnce is up to how many items a table is arranged between a key and its frame.
const atOnce = 5000

// rearranged is an arrangement that was computed in the background.
type rearranged struct {
	t     *table
	asked int
	dataset.Arrangement
}

func (r rearranged) Into() {
	if r.t.asked == r.asked {
		r.t.stand(r.Arrangement)
		r.t.To(0)
	}
}

func (t *table) ask(by dataset.Grouping) tea.Cmd {
	t.asked++
	ds, base, typed, asked := t.Data, t.Base, t.typed.Text(), t.asked
	if len(ds.Report.Items) <= atOnce {
		t.stand(ds.Arrange(base, by, typed))
		t.To(0)
		return nil
	}
	return func() tea.Msg { return rearranged{t, asked, ds.Arrange(base, by, typed)} }
}

// selected returns the row under the cursor, false if there is none.
func (t *table) selected() (dataset.Row, bool) {
	if t.Cursor >= len(t.Listed) {
		return dataset.Row{}, false
	}
	return t.Listed[t.Cursor], true
}

// Rebase switches to a newer dataset. The cursor stays on its row, and on its line of the screen, whatever was added
// above it.
func (t *table) Rebase(ds *dataset.Dataset, base []int32) {
	line, key := t.Cursor-t.Top, ""
	var was *report.Item
	if r, ok := t.selected(); ok {
		key = t.Anchor(r)
		was = &t.Data.Report.Items[t.Items(r)[0]]
	}
	t.stand(ds.Arrange(base, t.By, t.typed.Text()))
	if was == nil {
		return
	}
	for i, r := range t.Listed {
		if t.Anchor(r) == key {
			t.Put(i, line)
			return
		}
	}
	// The row became part of a group, or its verdict changed.
	again := ds.Again(was)
	if again == dataset.None {
		return
	}
	for i, r := range t.Listed {
		if slices.Contains(t.Items(r), again) {
			t.Put(i, line)
			return
		}
	}
}

// step moves to the next item of the list in a direction, skipping the heads of groups, and returns it; None at the
// end.
func (t *table) step(step int) int32 {
	for i := t.Cursor + step; i >= 0 && i < len(t.Listed); i += step {
		if t.Listed[i].Item != dataset.None {
			t.To(i)
			return t.Listed[i].Item
		}
	}
	return dataset.None
}
