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
	// around is how far from an item its drawing reaches: a kubelet that started
	// yesterday would press everything else into one line.
	around = 30 * time.Minute
	// leastSpan keeps a drawing of a single moment readable.
	leastSpan = 10 * time.Second
	// mostLanes bounds the drawing of a report: one lane is a node.
	mostLanes = 24
	// mostMarks is how many marks of a node are drawn, itemMarks how many of a lane of
	// an item: more lie on each other on any screen.
	mostMarks = 1000
	itemMarks = 24
)

// timeline draws the item from its story where there is one, and otherwise from its
// own times and the evidence that was cited so far.
func (p *itemPage) timeline() {
	t := document.Timeline{Label: "what happened around this restart, over time"}
	var hidden, before, after int
	if s := p.o.Story; s != nil && len(s.Lanes) > 0 {
		for i := range s.Lanes {
			lane := p.lane(&s.Lanes[i])
			hidden += thin(&lane, itemMarks)
			t.Lanes = append(t.Lanes, lane)
		}
		if s.Start != nil && s.End != nil && s.End.After(*s.Start) {
			t.Start, t.End = *s.Start, *s.End
		}
	} else {
		t.Lanes = p.ownLanes()
	}
	if t.Start.IsZero() {
		before, after = frame(&t, p.it.Time)
	}
	if t.Start.IsZero() {
		return
	}
	t.Caption = "◆ what the verdict rests on, ○ what else is known; a number is that of the evidence below; " +
		Stamp(&t.Start) + " – " + Stamp(&t.End)
	for _, left := range []struct {
		n     int
		where string
	}{{before, "earlier"}, {after, "later"}, {hidden, "between others"}} {
		if left.n > 0 {
			t.Caption += fmt.Sprintf("; %d %s not drawn", left.n, left.where)
		}
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

// numberOf is the number of the first piece that the page has numbered already.
func (p *itemPage) numberOf(ids []string) int {
	for _, id := range ids {
		if n := p.number[id]; n > 0 {
			return n
		}
	}
	return 0
}

func (p *itemPage) ownLanes() []document.Lane {
	it := p.it
	instances := document.Lane{Name: cmp.Or(it.Container, "container")}
	if f := it.From; f != nil && (f.StartedAt != nil || f.FinishedAt != nil) {
		bad := f.ExitCode == nil || *f.ExitCode != 0
		instances.Spans = append(instances.Spans, document.Span{From: f.StartedAt,
			To: cmp.Or(f.FinishedAt, it.Time), Text: Instance(f, it), Bad: bad})
	}
	if t := it.To; t != nil && t.StartedAt != nil {
		instances.Spans = append(instances.Spans, document.Span{From: t.StartedAt, To: t.FinishedAt, Text: Instance(t, it)})
	}
	decisive := map[string]bool{}
	for _, l := range it.Verdict.Chain {
		for _, id := range l.Evidence {
			decisive[id] = true
		}
	}
	lanes := []document.Lane{instances}
	for _, id := range p.ids {
		e := p.find(id)
		if e.Time == nil {
			continue
		}
		at := slices.IndexFunc(lanes[1:], func(l document.Lane) bool { return l.Name == e.Source.Kind }) + 1
		if at == 0 {
			at = len(lanes)
			lanes = append(lanes, document.Lane{Name: e.Source.Kind})
		}
		lanes[at].Marks = append(lanes[at].Marks, document.Mark{At: *e.Time,
			Text: e.Text, Decisive: decisive[id], Number: p.number[id]})
	}
	for n := range lanes {
		slices.SortStableFunc(lanes[n].Marks, func(a, b document.Mark) int { return a.At.Compare(b.At) })
	}
	return lanes
}

// frame chooses the stretch of time: all marks near a moment, and the ends of spans.
// Marks farther away are counted. The start stays zero where nothing has a time.
func frame(t *document.Timeline, when *time.Time) (before, after int) {
	add := func(p time.Time) bool {
		if when != nil && p.Sub(*when).Abs() > around {
			return false
		}
		if t.Start.IsZero() || p.Before(t.Start) {
			t.Start = p
		}
		if p.After(t.End) {
			t.End = p
		}
		return true
	}
	for _, l := range t.Lanes {
		for _, s := range l.Spans {
			for _, p := range []*time.Time{s.From, s.To} {
				if p != nil {
					add(*p)
				}
			}
		}
		for _, m := range l.Marks {
			if !add(m.At) && m.At.Before(*when) {
				before++
			} else if m.At.Sub(cmp.Or(when, &m.At).UTC()) > around {
				after++
			}
		}
	}
	if t.Start.IsZero() {
		return before, after
	}
	room := max((leastSpan-t.End.Sub(t.Start))/2, t.End.Sub(t.Start)/20)
	t.Start, t.End = t.Start.Add(-room), t.End.Add(room)
	return before, after
}

// thin leaves every nth mark where there are too many, and what is decisive, and
// returns how many it left out.
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

// overview draws all items: a lane for each node, a mark for each item, a span for
// each incident. It is nil where a drawing would say nothing.
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
	frame(&t, nil)
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
