package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// row is one line of a table: a group (item is none), or an item alone (group is
// none). Both are indexes, so that 100 000 rows cost less than a megabyte.
type row struct{ group, item int32 }

// arrangement is how the items of a table stand: a pure result of its dataset and
// of what the reader asked for, which may be worked out beside the drawing.
type arrangement struct {
	by      grouping
	order   order
	filter  filter
	rows    []row
	members [][]int32 // group → its items that pass, in order
	found   int       // items that pass
	fuzzy   bool      // they only resemble what was typed
}

// table lists items of a dataset, grouped, sorted and filtered.
type table struct {
	ds   *dataset
	base []int32 // the items that it is about; nil for all
	arrangement
	pane.Rows
	filterInput
	asked int // counts what the reader asked for: an answer to less is late
}

func newTable(ds *dataset, by grouping, base []int32) *table {
	t := &table{ds: ds, base: base}
	t.by = by
	t.arrange()
	return t
}

// partition returns the groups in use, nil where each item is a row of its own.
// Without an index, which is there a moment after the start, only the overview is.
func (a *arrangement) partition(ds *dataset) *partition {
	switch {
	case a.by == byRoot:
		return ds.overview
	case a.by == byItem || ds.index == nil:
		return nil
	}
	return ds.index.parts[a.by]
}

func (t *table) partition() *partition { return t.arrangement.partition(t.ds) }

// arrange makes the rows again, at once.
func (t *table) arrange() {
	t.asked++
	t.stand(arranged(t.ds, t.base, t.by, t.order, t.typed.Text()))
}

func (t *table) stand(a arrangement) {
	t.arrangement, t.N = a, len(a.rows)
	t.To(t.Cursor)
}

// arranged works an arrangement out. What was typed waits for the index, as does an
// order.
func arranged(ds *dataset, base []int32, by grouping, o order, typed string) arrangement {
	a := arrangement{by: by, order: o, filter: parseFilter(typed)}
	var keep []bool
	if ds.index == nil {
		a.filter = filter{}
	} else if !a.filter.empty() {
		keep, a.fuzzy = ds.index.search(ds.report, a.filter)
	}
	items := sequence(ds, base, o)
	if keep != nil {
		items = slices.DeleteFunc(slices.Clone(items), func(i int32) bool { return !keep[i] })
	}
	a.found = len(items)
	a.lay(ds, items)
	return a
}

// atOnce is up to how many items a table is arranged between a key and its frame.
const atOnce = 5000

// rearranged brings an arrangement that was worked out beside the drawing.
type rearranged struct {
	t     *table
	asked int
	arrangement
}

func (r rearranged) into() {
	if r.t.asked == r.asked {
		r.t.stand(r.arrangement)
		r.t.To(0)
	}
}

func (t *table) ask(by grouping, o order) tea.Cmd {
	t.asked++
	ds, base, typed, asked := t.ds, t.base, t.typed.Text(), t.asked
	if len(ds.all) <= atOnce {
		t.stand(arranged(ds, base, by, o, typed))
		t.To(0)
		return nil
	}
	return func() tea.Msg { return rearranged{t, asked, arranged(ds, base, by, o, typed)} }
}

// sequence lists the items that a table is about, in an order.
func sequence(ds *dataset, base []int32, o order) []int32 {
	var all []int32
	if ds.index != nil {
		all = ds.index.orders[o]
	}
	switch {
	case all == nil && base == nil:
		return ds.all
	case all == nil:
		return base
	case base == nil:
		return all
	}
	mine := make([]bool, len(ds.report.Items))
	for _, i := range base {
		mine[i] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(i int32) bool { return !mine[i] })
}

// lay turns items into rows. In the overview incidents stand at the top, and a
// group of one is its item.
func (a *arrangement) lay(ds *dataset, items []int32) {
	p := a.partition(ds)
	a.rows, a.members = make([]row, 0, len(items)), nil
	if p == nil {
		for _, i := range items {
			a.rows = append(a.rows, row{none, i})
		}
		return
	}
	a.members = collect(p, items)
	add := func(g int32) {
		switch m := a.members[g]; {
		case len(m) == 0:
		case len(m) == 1 && a.by == byRoot:
			a.rows = append(a.rows, row{none, m[0]})
		default:
			a.rows = append(a.rows, row{g, none})
		}
	}
	seen := make([]bool, len(p.groups))
	for g := range p.groups {
		if p.groups[g].incident == none {
			break // incidents come first in a partition
		}
		if len(a.members[g]) > 1 {
			add(int32(g))
			seen[g] = true
		}
	}
	for _, i := range items {
		if g := p.of[i]; !seen[g] {
			seen[g] = true
			add(g)
		}
	}
}

func collect(p *partition, items []int32) [][]int32 {
	sizes := make([]int32, len(p.groups))
	for _, i := range items {
		sizes[p.of[i]]++
	}
	block := make([]int32, len(items))
	out := make([][]int32, len(p.groups))
	at := int32(0)
	for g, n := range sizes {
		out[g] = block[at : at : at+n]
		at += n
	}
	for _, i := range items {
		out[p.of[i]] = append(out[p.of[i]], i)
	}
	return out
}

// widest is how wide the columns of the table are at most.
func (t *table) widest() widest {
	w := t.ds.widest
	p := t.partition()
	w.kinds = w.kinds && p == nil // a group has several
	if p == nil || p.names == nil {
		return w
	}
	switch t.by {
	case byCause:
		w.where = t.ds.index.parts[byWorkload].widest
	case byNode:
		w.where, w.nodes = p.widest, false // the row is the node
	default:
		w.where = p.widest
	}
	w.where += 4 + len(strconv.Itoa(len(t.ds.all)))
	return w
}

// selected returns the row under the cursor, false if there is none.
func (t *table) selected() (row, bool) {
	if t.Cursor >= len(t.rows) {
		return row{none, none}, false
	}
	return t.rows[t.Cursor], true
}

// items returns the items of a row: one, or those of a group that pass.
func (t *table) items(r row) []int32 {
	if r.item != none {
		return []int32{r.item}
	}
	return t.members[r.group]
}

func (t *table) anchor(r row) string {
	if r.item != none {
		return t.ds.report.Items[r.item].ID
	}
	return t.keyOf(r)
}

// rebase goes over to a newer dataset. The row under the cursor stays there, and
// on its line of the screen, whatever came in above it.
func (t *table) rebase(ds *dataset, base []int32) {
	line, key := t.Cursor-t.Top, ""
	var was *report.Item
	if r, ok := t.selected(); ok {
		key = t.anchor(r)
		was = &t.ds.report.Items[t.items(r)[0]]
	}
	t.ds, t.base = ds, base
	t.arrange()
	if was == nil {
		return
	}
	for i, r := range t.rows {
		if t.anchor(r) == key {
			t.Put(i, line)
			return
		}
	}
	// The row became part of a group, or its verdict another one.
	again := ds.again(was)
	if again == none {
		return
	}
	for i, r := range t.rows {
		if slices.Contains(t.items(r), again) {
			t.Put(i, line)
			return
		}
	}
}

// incidents counts the incidents of more than one item: one alone is no mass
// restart.
func (t *table) incidents() (n int) {
	for _, g := range t.ds.overview.groups {
		if g.incident != none && g.size > 1 {
			n++
		}
	}
	return n
}

// step goes to the next item of the list in a direction, over the heads of
// groups, and returns it; none at the end.
func (t *table) step(step int) int32 {
	for i := t.Cursor + step; i >= 0 && i < len(t.rows); i += step {
		if t.rows[i].item != none {
			t.To(i)
			return t.rows[i].item
		}
	}
	return none
}
