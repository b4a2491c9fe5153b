package timelineview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// entry is a mark or a span under the cursor.
type entry struct {
	span     bool
	i        int // its place in the lane
	decisive bool
	at       int64
	rank     int // what is read first: decisive, then what happened, then what lasted
}

// readable is how many entries of one column can be scrolled through. Who wants the
// rest zooms in.
const readable = 500

// found returns what the lane has between two moments, what the verdict rests on
// first, what only lasted meanwhile last.
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

// when is a moment as it is said beside others: with its day only where that is
// another one.
func when(at, beside int64) string {
	if time.Unix(0, at).UTC().Truncate(day).Equal(time.Unix(0, beside).UTC().Truncate(day)) {
		return clockText(at)
	}
	return dateText(at)
}

// entryLines lays out an entry: glyph, time, text, the ids of its evidence.
func (m *Model) entryLines(r *row, e entry, width int) []pane.Line {
	k, g := &m.look, &m.look.Glyphs
	var l pane.Line
	var text string
	style := (*lipgloss.Style)(nil)
	if e.span {
		s := &r.lane.Spans[e.i]
		glyph, glyphStyle := g.Span, &k.Good
		if s.Bad {
			glyph, glyphStyle, style = g.BadEnd, &k.Bad, &k.Bad
		}
		from, to := g.Ellipsis, g.Ellipsis
		text = s.Text
		if s.From != nil {
			from = when(r.from[e.i], m.at)
		}
		if s.To != nil {
			to = when(r.to[e.i], m.at)
		}
		l.Add(glyphStyle, glyph)
		l.Add(&k.Muted, " "+from+" "+g.Dash+" "+to+"  ")
		if s.From != nil && s.To != nil {
			text += " (" + lengthText(time.Duration(r.to[e.i]-r.from[e.i])) + ")"
		}
	} else {
		glyph, glyphStyle := g.Mark, &k.Strong
		if e.decisive {
			glyph, glyphStyle, style = g.Decisive, &k.Lit, &k.Lit
		}
		text = r.lane.Marks[e.i].Text
		l.Add(glyphStyle, glyph)
		l.Add(&k.Muted, " "+when(e.at, m.at)+"  ")
	}
	out := pane.Para(l, style, text, width)
	if ids := r.evidence(e); len(ids) > 0 {
		out = pane.Append(out, &k.Muted, " ", "["+strings.Join(ids, " ")+"]", l.Width, width)
	}
	return out
}

func (m *Model) heading(r *row, n int) pane.Line {
	var l pane.Line
	l.Add(&m.look.Title, r.name())
	l.Add(&m.look.Muted, m.look.Glyphs.Separator+stamp(m.at)+" UTC")
	if n > 1 {
		l.Add(&m.look.Muted, fmt.Sprintf("%s%d here", m.look.Glyphs.Separator, n))
	}
	return l
}

func (m *Model) detailLines(room int) []string {
	if room <= 0 {
		return nil
	}
	r := &m.rows[m.row]
	from, to := m.under()
	entries := r.found(from, to)
	h := m.heading(r, len(entries))
	out := []string{h.Render(&m.look, m.width)}
	if len(entries) == 0 {
		return append(out, m.nearby(r, from, to)...)
	}
	for n, e := range entries {
		lines := m.entryLines(r, e, m.width)
		if len(out)+len(lines) > room && n > 0 || len(out)+len(lines) == room && n+1 < len(entries) {
			var l pane.Line
			l.Add(&m.look.Muted, fmt.Sprintf("%s %d more", m.look.Glyphs.Ellipsis, len(entries)-n))
			return append(out, l.Render(&m.look, m.width))
		}
		for i := range lines {
			out = append(out, lines[i].Render(&m.look, m.width))
		}
	}
	return out
}

func (m *Model) nearby(r *row, from, to int64) []string {
	var out []string
	say := func(word string, at int64) {
		found := r.found(at, at+1)
		if len(found) == 0 {
			return
		}
		var l pane.Line
		l.Add(&m.look.Muted, word+" "+when(at, m.at)+"  ")
		e := found[0]
		if e.span {
			l.Add(nil, r.lane.Spans[e.i].Text)
		} else {
			l.Add(nil, r.lane.Marks[e.i].Text)
		}
		out = append(out, l.Render(&m.look, m.width))
	}
	if i, _ := slices.BinarySearch(r.stops, from); i > 0 {
		say("before", r.stops[i-1])
	}
	if i, _ := slices.BinarySearch(r.stops, to); i < len(r.stops) {
		say("next  ", r.stops[i])
	}
	if len(out) == 0 {
		var l pane.Line
		l.Add(&m.look.Muted, "no details")
		out = append(out, l.Render(&m.look, m.width))
	}
	return out
}

// stamp is a moment with its day, to the millisecond where a source knows it.
func stamp(at int64) string {
	return time.Unix(0, at).UTC().Format("2006-01-02") + " " + clockText(at)
}
