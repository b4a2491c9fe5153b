package timelineview

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// entry is a mark or a span under the cursor.
type entry struct {
	span     bool
	i        int // its index in the lane
	decisive bool
	at       int64
	rank     int // order of reading: decisive, then events, then durations
}

// found returns what the lane has between two times, evidence for the verdict first, mere durations last.
func (r *row) found(from, to int64) []entry {
	var out []entry
	first, _ := slices.BinarySearch(r.marks, from)
	for i := first; i < len(r.marks) && r.marks[i] < to; i++ {
		e := entry{i: i, at: r.marks[i], decisive: r.lane.Marks[i].Decisive, rank: 1}
		if e.decisive {
			e.rank = 0
		}
		out = append(out, e)
	}
	for i := range r.from {
		if r.from[i] >= to || r.to[i] < from {
			continue
		}
		e := entry{span: true, i: i, at: r.from[i], rank: 2}
		if r.from[i] >= from {
			e.rank = 1
		}
		if r.to[i] < to {
			e.rank, e.at = 1, r.to[i]
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.at, b.at))
	})
	return out
}

func (r *row) evidence(e entry) []string {
	if e.span {
		return r.lane.Spans[e.i].Evidence
	}
	return r.lane.Marks[e.i].Evidence
}

// when formats a time next to others: with its day only if that differs.
func when(at, beside int64) string {
	if time.Unix(0, at).UTC().Truncate(day).Equal(time.Unix(0, beside).UTC().Truncate(day)) {
		return clockText(at)
	}
	return dateText(at)
}

// entry is a mark or a span as an entry of a list.
func (m *Model) entry(r *row, e entry) document.ListItem {
	g := &m.look.Glyphs
	if !e.span {
		mark := &r.lane.Marks[e.i]
		if !mark.Decisive {
			return item("strong", g.Mark, when(e.at, m.at), "", mark.Text)
		}
		return item("lit", g.Decisive, when(e.at, m.at), "lit", mark.Text)
	}
	s := &r.lane.Spans[e.i]
	from, to, text := g.Ellipsis, g.Ellipsis, s.Text
	if s.From != nil {
		from = when(r.from[e.i], m.at)
	}
	if s.To != nil {
		to = when(r.to[e.i], m.at)
	}
	if s.From != nil && s.To != nil {
		text += " (" + lengthText(time.Duration(r.to[e.i]-r.from[e.i])) + ")"
	}
	if s.Bad {
		return item("bad", g.BadEnd, from+" "+g.Dash+" "+to, "bad", text)
	}
	return item("good", g.Span, from+" "+g.Dash+" "+to, "", text)
}

func item(how, glyph, at, style, text string) document.ListItem {
	return document.ListItem{Label: document.Text(line{}.add(how, glyph).add("muted", " "+at)),
		Text: document.Text(line{}.add(style, text))}
}

// detailLines describe what is under the cursor, or what is nearest on the lane.
func (m *Model) detailLines(room int) []string {
	if room <= 0 {
		return nil
	}
	r := &m.rows[m.row]
	from, to := m.under()
	entries := r.found(from, to)
	sep := m.look.Glyphs.Separator
	head := line{}.add("title", r.name()).add("muted", sep+dateText(m.at)[:len(time.DateOnly)]+" "+clockText(m.at)+" UTC")
	if len(entries) > 1 {
		head = head.add("muted", fmt.Sprintf("%s%d here", sep, len(entries)))
	}
	list := document.List{Kind: document.Fields}
	for _, e := range entries[:min(len(entries), room)] {
		list.Entries = append(list.Entries, m.entry(r, e))
	}
	if len(entries) == 0 {
		list.Entries = m.nearby(r, from, to)
	}
	out := append([]string{m.paint(head)}, pager.Draw([]document.Block{list}, &m.look, m.width)...)
	if len(out) > room {
		out = append(out[:room-1], m.paint(line{}.add("muted", m.look.Glyphs.Ellipsis+" enter shows all")))
	}
	return out
}

func (m *Model) nearby(r *row, from, to int64) (out []document.ListItem) {
	say := func(word string, at int64) {
		e := r.found(at, at+1)[0] // it is not empty: at is one of the stops
		text := ""
		if e.span {
			text = r.lane.Spans[e.i].Text
		} else {
			text = r.lane.Marks[e.i].Text
		}
		out = append(out, item("muted", word, when(at, m.at), "", text))
	}
	if i, _ := slices.BinarySearch(r.stops, from); i > 0 {
		say("before", r.stops[i-1])
	}
	if i, _ := slices.BinarySearch(r.stops, to); i < len(r.stops) {
		say("next", r.stops[i])
	}
	if len(out) == 0 {
		out = []document.ListItem{{Text: document.In(document.Faint, "nothing is known of this lane")}}
	}
	return out
}
