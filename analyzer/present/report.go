package present

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Limits say how much of a report is on one page.
type Limits struct {
	// Full is how many items are shown in full: one for each row of the table.
	Full int
	// Rows is how many rows the table has.
	Rows int
	// Listed is how many containers of an incident, and how many gaps, are listed.
	Listed int
	// Timelines adds drawings.
	Timelines bool
	Item      ItemOptions
}

// Stories returns the detail of an item; nil where there is none.
type Stories func(item string) *report.ItemDetail

// Report returns a whole report on one page: incidents, the table, single items in full, the nodes' own problems and
// what could not be read.
func Report(r *report.Report, l Limits, stories Stories) document.Doc {
	var d document.Doc
	find := Index(r)
	about := Joined(" · ", Asked(r.Scope), About(r.GeneratedAt, r.Tool), "all times are UTC")
	if len(r.Items) == 1 {
		d.Add(document.Title(1, Headline(&r.Items[0])))
		o := l.Item
		o.Level, o.Prefix, o.Story = 2, "i1", stories.Of(r.Items[0].ID)
		d.Add(Item(&r.Items[0], find, o)...)
	} else {
		d.Add(document.Title(1, Title(r)), document.Note(about))
		all := make([]*report.Item, len(r.Items))
		for i := range r.Items {
			all[i] = &r.Items[i]
		}
		if len(all) == 0 {
			d.Add(document.Para("Nothing restarted in the scope of this report."))
		} else {
			d.Add(document.Paragraph{Text: Tally(all)})
		}
		d.Add(incidentList(r, l.Listed)...)
		if t := overview(r); t != nil && l.Timelines {
			d.Add(document.Title(2, "When"), *t)
		}
		d.Add(items(r, l, find, stories)...)
	}
	d.Add(Nodes(r)...)
	d.Add(Gaps(r.Gaps, l.Listed)...)
	if len(r.Items) == 1 {
		d.Add(document.Note(about))
	}
	return d
}

// Of returns the detail of an item, nil where there is none.
func (s Stories) Of(id string) *report.ItemDetail {
	if s == nil {
		return nil
	}
	return s(id)
}

func incidentList(r *report.Report, most int) []document.Block {
	all := byID(r)
	var entries []document.ListItem
	for n := range r.Incidents {
		c := &r.Incidents[n]
		when := Stamp(c.Start)
		if c.Start != nil && c.End != nil && !c.End.Equal(*c.Start) {
			when += " – " + Stamp(c.End)
		}
		facts := document.Join(" · ", document.In(document.Code, c.Cause), Tally(pick(all, c.Items)),
			document.Say(Named("on", c.Node)), document.In(document.Faint, when))
		var names []document.Text
		shown, left := First(pick(all, c.Items), most)
		for _, i := range shown {
			names = append(names, document.In(document.Code, Words(Pod(i), Container(i))))
		}
		if left > 0 {
			names = append(names, document.Say(others(len(c.Items)-len(shown))))
		}
		entries = append(entries, document.ListItem{
			Text: document.In(document.Strong, c.Summary), Below: []document.Text{facts, document.Join(", ", names...)},
		})
	}
	entries, left := First(entries, most)
	if left > 0 {
		entries = append(entries, document.Entry(others(left)))
	}
	return Section("Incidents", 2, document.Bullets, entries)
}

func others(left int) string { return "and " + strconv.Itoa(left) + " more" }

// items returns the table, and the items that are shown in full. The first of the largest incident is unfolded: it is
// what the reader came for.
func items(r *report.Report, l Limits, find Find, stories Stories) []document.Block {
	rows := Rows(r, true)
	if len(rows) == 0 {
		return nil
	}
	full := inFull(r, rows, l.Full)
	first := unfolded(r, full)
	link := func(item int) string {
		if slices.ContainsFunc(full, func(w Row) bool { return w.Item == item }) {
			return "i" + strconv.Itoa(item+1)
		}
		return ""
	}
	out := []document.Block{
		document.Title(2, "Restarts"),
		Table(r, TableOptions{Loops: true, Rows: l.Rows, Link: link}),
		document.Title(2, "In full"),
	}
	for _, w := range full {
		i := &r.Items[w.Item]
		o := l.Item
		o.Level, o.Prefix, o.Story, o.Short = 4, link(w.Item), stories.Of(i.ID), true
		times := ""
		if w.Times > 1 {
			times = fmt.Sprintf(" (the newest of %d)", w.Times)
		}
		out = append(out, document.Fold{
			Level: 3, Open: w.Item == first, Anchor: document.Anchor{ID: link(w.Item)},
			Summary: document.Join(" ", document.In(document.Strong, Words(Pod(i), Container(i))),
				document.In(document.Code, i.Verdict.Cause),
				document.Word(string(i.Verdict.Confidence)), document.In(document.Faint, Stamp(i.Time)+times)),
			Blocks: Item(i, find, o),
		})
	}
	if left := len(rows) - len(full); left > 0 {
		out = append(out, document.Note(fmt.Sprintf("%d of %d rows are shown in full; "+
			"-o json has everything; -c, --since and --cause narrow it down.",
			len(full), len(rows))))
	}
	return out
}

// inFull returns the rows that are shown in full: the newest, and the first of each incident however old it is.
func inFull(r *report.Report, rows []Row, most int) []Row {
	full := slices.Clone(rows[:min(len(rows), most)])
	shown := map[string]bool{"": true}
	for _, w := range full {
		shown[r.Items[w.Item].Incident] = true
	}
	for _, w := range rows[len(full):] {
		if of := r.Items[w.Item].Incident; !shown[of] && len(full) < 2*most {
			shown[of] = true
			full = append(full, w)
		}
	}
	return full
}

// unfolded returns the item that is unfolded: the first of the largest incident, else the newest.
func unfolded(r *report.Report, full []Row) int {
	largest, item := 1, -1
	for n := range r.Incidents {
		c := &r.Incidents[n]
		for _, w := range full {
			if len(c.Items) > largest && r.Items[w.Item].Incident == c.ID {
				largest, item = len(c.Items), w.Item
			}
		}
	}
	if item < 0 && len(full) > 0 {
		return full[0].Item
	}
	return item
}

// Nodes lists the problems of nodes.
func Nodes(r *report.Report) []document.Block {
	var entries []document.ListItem
	for _, n := range r.NodeNotes {
		entries = append(entries, document.ListItem{Label: document.In(document.Strong, n.Node), Text: document.Say(n.Text),
			Below: below(document.Faint, n.Hint), Anchor: document.Anchor{Evidence: n.Evidence}})
	}
	return Section("Nodes", 2, document.Bullets, entries)
}

// Gaps lists what could not be read: at most that many, 0 for all, none below 0.
func Gaps(all []report.Gap, most int) []document.Block {
	if most < 0 {
		return nil
	}
	var entries []document.ListItem
	shown, left := First(all, most)
	for _, g := range shown {
		entries = append(entries, document.ListItem{Text: document.Say(GapLine(g)), Below: below(document.Faint, g.Hint),
			Anchor: document.Anchor{Copy: g.Hint}})
	}
	if left > 0 {
		entries = append(entries, document.Entry(others(left)+", which -o json lists"))
	}
	return Section("What could not be read", 2, document.Bullets, entries)
}
