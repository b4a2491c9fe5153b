package tui

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// row is one line of a table: a group (item is none), or an item alone (group is
// none). Both are indexes, so that 100 000 rows cost less than a megabyte.
type row struct{ group, item int32 }

// table lists items of a dataset, grouped, sorted and filtered.
type table struct {
	ds    *dataset
	base  []int32 // the items that it is about; nil for all
	by    grouping
	order order
	list
	rows    []row
	members [][]int32 // group → its items that pass, in order
	found   int       // items that pass
	fuzzy   bool
	prompt  prompt
	filter  filter
}

func newTable(ds *dataset, by grouping, base []int32) *table {
	t := &table{ds: ds, by: by, base: base}
	t.arrange()
	return t
}

// partition returns the groups in use, nil where each item is a row of its own.
// Without an index, which is there a moment after the start, only the overview is.
func (t *table) partition() *partition {
	switch {
	case t.by == byRoot:
		return t.ds.overview
	case t.by == byItem || t.ds.index == nil:
		return nil
	}
	return t.ds.index.parts[t.by]
}

// arrange makes the rows anew. What was typed waits for the index, as does an
// order.
func (t *table) arrange() {
	t.filter = parseFilter(t.prompt.text)
	var keep []bool
	t.fuzzy = false
	if t.ds.index == nil {
		t.filter = filter{}
	} else if !t.filter.empty() {
		keep, t.fuzzy = t.ds.index.search(t.ds.report, t.filter)
	}
	items := t.sequence()
	if keep != nil {
		items = slices.DeleteFunc(slices.Clone(items), func(i int32) bool { return !keep[i] })
	}
	t.found = len(items)
	t.lay(items)
	t.n = len(t.rows)
	t.to(t.cursor)
}

// sequence lists the items that the table is about, in its order.
func (t *table) sequence() []int32 {
	var all []int32
	if t.ds.index != nil {
		all = t.ds.index.orders[t.order]
	}
	if all == nil {
		if t.base != nil {
			return t.base
		}
		return t.ds.all
	}
	if t.base == nil {
		return all
	}
	mine := make([]bool, len(t.ds.report.Items))
	for _, i := range t.base {
		mine[i] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(i int32) bool { return !mine[i] })
}

// lay turns items into rows. In the overview incidents stand at the top, and a
// group of one is its item.
func (t *table) lay(items []int32) {
	p := t.partition()
	t.rows, t.members = make([]row, 0, len(items)), nil
	if p == nil {
		for _, i := range items {
			t.rows = append(t.rows, row{none, i})
		}
		return
	}
	t.members = collect(p, items)
	add := func(g int32) {
		switch m := t.members[g]; {
		case len(m) == 0:
		case len(m) == 1 && t.by == byRoot:
			t.rows = append(t.rows, row{none, m[0]})
		default:
			t.rows = append(t.rows, row{g, none})
		}
	}
	seen := make([]bool, len(p.groups))
	for g := range p.groups {
		if p.groups[g].incident == none {
			break // incidents come first in a partition
		}
		if len(t.members[g]) > 1 {
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

// collect puts items into their groups, in one block of memory.
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

// selected returns the row under the cursor, false if there is none.
func (t *table) selected() (row, bool) {
	if t.cursor >= len(t.rows) {
		return row{none, none}, false
	}
	return t.rows[t.cursor], true
}

// items returns the items of a row: one, or those of a group that pass.
func (t *table) items(r row) []int32 {
	if r.item != none {
		return []int32{r.item}
	}
	return t.members[r.group]
}

// shown returns all items that pass, in the order of the rows.
func (t *table) shown() []int32 {
	var out []int32
	for _, r := range t.rows {
		out = append(out, t.items(r)...)
	}
	return out
}

// anchor names a row in any dataset that has it.
func (t *table) anchor(r row) string {
	if r.item != none {
		return t.ds.report.Items[r.item].ID
	}
	return keyOf(&t.partition().groups[r.group], &t.ds.report.Items[t.members[r.group][0]])
}

// rebase goes over to a newer dataset. The row under the cursor stays there, and
// on its line of the screen, whatever came in above it.
func (t *table) rebase(ds *dataset, base []int32) {
	line, key := t.cursor-t.top, ""
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
			t.put(i, line)
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
			t.put(i, line)
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
	for i := t.cursor + step; i >= 0 && i < len(t.rows); i += step {
		if t.rows[i].item != none {
			t.to(i)
			return t.rows[i].item
		}
	}
	return none
}
