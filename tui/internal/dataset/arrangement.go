package dataset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Row is one line of a table: a group (Item is None), or a single item (group is None). Both are indexes, so that 100
// 000 rows take less than a megabyte.
type Row struct{ group, Item int32 }

// Arrangement is the order of a dataset's items in a table: a pure result of the user's choices, which may be computed
// in the background.
type Arrangement struct {
	Data    *Dataset
	Base    []int32 // the items to arrange; nil for all
	By      Grouping
	filter  terms
	Listed  []Row
	members [][]int32 // group → its items that pass, in order
	Found   int       // items that pass
}

// Arrange computes an arrangement. Until the index exists, typed is ignored.
func (ds *Dataset) Arrange(base []int32, by Grouping, typed string) Arrangement {
	a := Arrangement{Data: ds, Base: base, By: by, filter: parseTerms(typed)}
	if ds.index == nil {
		a.filter = terms{}
	}
	items := a.sequence()
	if a.Filtered() {
		items = slices.DeleteFunc(slices.Clone(items), func(i int32) bool {
			return !a.filter.pass(ds.index.items[i], ds.index.incidents[ds.Report.Items[i].Incident])
		})
	}
	a.Found = len(items)
	a.lay(items)
	return a
}

// partition returns the groups in use, nil where each item is a separate row. Without an index, which exists a moment
// after the start, only the overview's groups are available.
func (a *Arrangement) partition() *partition {
	switch {
	case a.By == ByRoot:
		return a.Data.overview
	case a.By == ByItem || a.Data.index == nil:
		return nil
	}
	return a.Data.index.parts[a.By]
}

// sequence lists the items to arrange, newest first.
func (a *Arrangement) sequence() []int32 {
	if a.Base == nil {
		return a.Data.all
	}
	return a.Base
}

// lay turns items into rows. In the overview incidents come first, and a group of one is shown as its item.
func (a *Arrangement) lay(items []int32) {
	p := a.partition()
	a.Listed, a.members = make([]Row, 0, len(items)), nil
	if p == nil {
		for _, i := range items {
			a.Listed = append(a.Listed, Row{None, i})
		}
		return
	}
	a.members = p.collect(items)
	add := func(g int32) {
		switch m := a.members[g]; {
		case len(m) == 0:
		case len(m) == 1 && a.By == ByRoot:
			a.Listed = append(a.Listed, Row{None, m[0]})
		default:
			a.Listed = append(a.Listed, Row{g, None})
		}
	}
	seen := make([]bool, len(p.groups))
	for g := range p.groups {
		if p.groups[g].incident == None {
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

// Filtered reports whether a filter is set.
func (a *Arrangement) Filtered() bool { return !a.filter.empty() }

// Total is the number of items without a filter.
func (a *Arrangement) Total() int {
	if a.Base == nil {
		return len(a.Data.all)
	}
	return len(a.Base)
}

// Items returns the items of a row: one, or those of a group that pass.
func (a *Arrangement) Items(r Row) []int32 {
	if r.Item != None {
		return []int32{r.Item}
	}
	return a.members[r.group]
}

// Incident returns the incident of a group, nil for other groups.
func (a *Arrangement) Incident(r Row) *report.Incident {
	if g := a.partition().groups[r.group]; g.incident != None {
		return &a.Data.Report.Incidents[g.incident]
	}
	return nil
}

// Name is what all items of a group have in common; "" in the overview.
func (a *Arrangement) Name(r Row) string {
	if names := a.partition().names; names != nil {
		return names[r.group]
	}
	return ""
}

// Anchor identifies a row in any dataset.
func (a *Arrangement) Anchor(r Row) string {
	first := &a.Data.Report.Items[a.Items(r)[0]]
	if r.Item != None {
		return first.ID
	}
	if in := a.Incident(r); in != nil {
		return "incident " + in.ID
	}
	if name := a.Name(r); name != "" {
		return name
	}
	return first.Namespace + "/" + first.Pod + "/" + first.PodUID + "/" + first.Container + "/" + first.Verdict.Cause
}

// Widest returns the maximum widths of the table's columns.
func (a *Arrangement) Widest() Widest {
	w, p := a.Data.widest, a.partition()
	w.Kinds = w.Kinds && p == nil // a group may have several
	if p == nil || p.names == nil {
		return w
	}
	switch a.By {
	case ByCause:
		w.Where = a.Data.index.parts[ByWorkload].widest
	case ByNode:
		w.Where, w.Nodes = p.widest, false // the row is the node
	default:
		w.Where = p.widest
	}
	w.Where += 4 + len(strconv.Itoa(len(a.Data.all)))
	return w
}

// terms are the words of a filter: it keeps the items that contain every word, ignoring case; a word after `!` must not
// occur. A lone `!` is ignored.
type terms struct{ with, without []string }

// parseTerms parses what was typed.
func parseTerms(s string) terms {
	var f terms
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if rest, negated := strings.CutPrefix(w, "!"); !negated {
			f.with = append(f.with, w)
		} else if rest != "" {
			f.without = append(f.without, rest)
		}
	}
	return f
}

func (f terms) empty() bool { return len(f.with)+len(f.without) == 0 }

// pass reports whether each word is in one of the texts, and no unwanted word is in any.
func (f terms) pass(texts ...string) bool {
	found := func(word string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) })
	}
	lacking := func(word string) bool { return !found(word) }
	return !slices.ContainsFunc(f.with, lacking) && !slices.ContainsFunc(f.without, found)
}
