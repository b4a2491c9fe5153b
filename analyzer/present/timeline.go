package present

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

const (
	// leastSpan keeps a drawing of a single moment readable.
	leastSpan = 10 * time.Second
	// mostLanes limits the drawing of a report: one lane is a node.
	mostLanes = 24
	// mostMarks is how many marks of a node are drawn, itemMarks how many of a lane of an item: more would overlap on
	// any screen.
	mostMarks = 1000
	itemMarks = 24
)

// timeline draws the item's detail, where there is one.
func (p *itemPage) timeline() {
	s, hidden := p.o.Story, 0
	if s == nil || s.Start == nil || s.End == nil {
		return
	}
	t := document.Timeline{Label: "what happened around this restart, over time", Start: *s.Start, End: *s.End}
	for i := range s.Lanes {
		lane := p.lane(&s.Lanes[i])
		hidden += thin(&lane, itemMarks)
		t.Lanes = append(t.Lanes, lane)
	}
	if !t.End.After(t.Start) {
		widen(&t)
	}
	t.Caption = "◆ what the verdict rests on, ○ what else is known; a number is that of the evidence below; " +
		Stamp(&t.Start) + " – " + Stamp(&t.End)
	if hidden > 0 {
		t.Caption += fmt.Sprintf("; %d between others not drawn", hidden)
	}
	p.Add(document.Title(p.o.Level, "When"), t)
}

func (p *itemPage) lane(l *report.Lane) document.Lane {
	out := document.Lane{Name: l.Name}
	for _, s := range l.Spans {
		out.Spans = append(out.Spans, document.Span{From: s.From, To: s.To, Text: s.Text, Bad: s.Bad})
	}
	for _, m := range l.Marks {
		out.Marks = append(out.Marks, document.Mark{At: m.At, Text: m.Text, Decisive: m.Decisive,
			Number: p.numberOf(m.Evidence)})
	}
	return out
}

// numberOf returns the number of the first id that the page has already numbered.
func (p *itemPage) numberOf(ids []string) int {
	for _, id := range ids {
		if n := p.number[id]; n > 0 {
			return n
		}
	}
	return 0
}

// widen adds some space on both sides.
func widen(t *document.Timeline) {
	room := max((leastSpan-t.End.Sub(t.Start))/2, t.End.Sub(t.Start)/20)
	t.Start, t.End = t.Start.Add(-room), t.End.Add(room)
}

// thin keeps every nth mark if there are too many, and what is decisive, and returns how many it left out.
func thin(l *document.Lane, most int) int {
	all := l.Marks
	if len(all) <= most {
		return 0
	}
	step := (len(all) + most - 1) / most
	l.Marks = nil
	for n := range all {
		if n%step == 0 || most == itemMarks && all[n].Decisive {
			l.Marks = append(l.Marks, all[n])
		}
	}
	return len(all) - len(l.Marks)
}

// overview draws all items: a lane for each node, a mark for each item, a span for each incident. It is nil where a
// drawing would show nothing.
func overview(r *report.Report) *document.Timeline {
	t := document.Timeline{Label: "the restarts of each node over time"}
	at := map[string]int{}
	lane := func(node string) *document.Lane {
		n, ok := at[node]
		if !ok {
			n = len(t.Lanes)
			at[node] = n
			t.Lanes = append(t.Lanes, document.Lane{Name: cmp.Or(node, "no node")})
		}
		return &t.Lanes[n]
	}
	marks := 0
	for n := len(r.Items) - 1; n >= 0; n-- { // oldest first
		i := &r.Items[n]
		if i.Time == nil || i.Kind == report.None {
			continue
		}
		l := lane(i.Node)
		if t.Start.IsZero() || i.Time.Before(t.Start) {
			t.Start = *i.Time
		}
		if i.Time.After(t.End) {
			t.End = *i.Time
		}
		text := Words(Pod(i), Container(i)) + ": " + i.Verdict.Cause + " (" + string(i.Verdict.Confidence) + ")"
		l.Marks = append(l.Marks, document.Mark{At: *i.Time, Text: text, Decisive: i.Verdict.Confidence == report.Proven})
		marks++
	}
	if marks < 2 {
		return nil
	}
	for _, c := range r.Incidents {
		if c.Start != nil && c.End != nil && len(c.Items) > 1 {
			l := lane(c.Node)
			l.Spans = append(l.Spans, document.Span{From: c.Start, To: c.End, Text: c.Summary, Bad: true})
		}
	}
	slices.SortStableFunc(t.Lanes, func(a, b document.Lane) int { return len(b.Marks) - len(a.Marks) })
	lanes, hidden := max(len(t.Lanes)-mostLanes, 0), 0
	t.Lanes = t.Lanes[:len(t.Lanes)-lanes]
	for n := range t.Lanes {
		hidden += thin(&t.Lanes[n], mostMarks)
	}
	widen(&t)
	t.Caption = fmt.Sprintf("◆ a proven restart, ○ another one, ▬ an incident; from %s to %s",
		Stamp(&t.Start), Stamp(&t.End))
	if lanes > 0 {
		t.Caption += fmt.Sprintf("; the %d nodes with the most restarts, %d are not drawn", len(t.Lanes), lanes)
	}
	if hidden > 0 {
		t.Caption += fmt.Sprintf("; %d restarts between others are not drawn", hidden)
	}
	return &t
}
