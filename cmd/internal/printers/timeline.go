package printers

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// timeline is one drawing: lanes over a stretch of time.
type timeline struct {
	start, end time.Time
	lanes      []report.Lane
	// before and after count the marks that lie too far away to be drawn.
	before, after int
	// hiddenLanes and hiddenMarks count the nodes and marks that are too many to be drawn.
	hiddenLanes, hiddenMarks int
}

const (
	// around is how far from an item its drawing reaches: a kubelet that started
	// yesterday would press everything else into one line.
	around = 30 * time.Minute
	// leastSpan keeps a drawing of a single moment readable.
	leastSpan = 10 * time.Second
	// mostLanes bounds the drawing of a report: one lane is a node.
	mostLanes = 24
)

// itemTimeline draws an item from its story where one is told, and otherwise
// from its own times and the evidence that it cites. It is nil where no time is
// known.
func itemTimeline(i *report.Item, x index, s *report.Story) *timeline {
	var t timeline
	if s != nil && len(s.Lanes) > 0 {
		t.lanes = slices.Clone(s.Lanes)
		for n := range t.lanes {
			t.lanes[n].Marks = t.thin(t.lanes[n].Marks, storyMarks)
		}
		if s.Start != nil && s.End != nil && s.End.After(*s.Start) {
			t.start, t.end = *s.Start, *s.End
			return &t
		}
	} else {
		t.lanes = ownLanes(i, x)
	}
	t.frame(i.Time)
	if t.start.IsZero() {
		return nil
	}
	return &t
}

// ownLanes makes lanes of what the report itself knows about an item.
func ownLanes(i *report.Item, x index) []report.Lane {
	instances := report.Lane{Kind: report.LaneInstance, Name: cmp.Or(i.Container, "container")}
	if f := i.From; f != nil && (f.StartedAt != nil || f.FinishedAt != nil) {
		instances.Spans = append(instances.Spans, report.Span{From: f.StartedAt, To: cmp.Or(f.FinishedAt, i.Time), Text: describe(f), Bad: f.ExitCode == nil || *f.ExitCode != 0})
	}
	if t := i.To; t != nil && t.StartedAt != nil {
		instances.Spans = append(instances.Spans, report.Span{From: t.StartedAt, To: t.FinishedAt, Text: describe(t)})
	}
	decisive := map[string]bool{}
	for _, l := range i.Verdict.Chain {
		for _, id := range l.Evidence {
			decisive[id] = true
		}
	}
	lanes := []report.Lane{instances}
	for _, e := range x.known(cited(i)) {
		if e.Time == nil {
			continue
		}
		at := slices.IndexFunc(lanes, func(l report.Lane) bool { return l.Kind != report.LaneInstance && l.Name == e.Source.Kind })
		if at < 0 {
			at = len(lanes)
			lanes = append(lanes, report.Lane{Kind: report.LaneKind(e.Source.Kind), Name: e.Source.Kind})
		}
		lanes[at].Marks = append(lanes[at].Marks, report.Mark{At: *e.Time, Text: e.Text, Decisive: decisive[e.ID], Evidence: []string{e.ID}})
	}
	for n := range lanes {
		slices.SortStableFunc(lanes[n].Marks, func(a, b report.Mark) int { return a.At.Compare(b.At) })
	}
	return lanes
}

// frame chooses the stretch of time: all marks near the item, and the ends of
// spans. Marks farther away are counted and left out.
func (t *timeline) frame(when *time.Time) {
	var points []time.Time
	for _, l := range t.lanes {
		for _, s := range l.Spans {
			for _, p := range []*time.Time{s.From, s.To} {
				if p != nil {
					points = append(points, *p)
				}
			}
		}
	}
	ends := len(points)
	for _, l := range t.lanes {
		for _, m := range l.Marks {
			points = append(points, m.At)
		}
	}
	for n, p := range points {
		if when != nil && p.Sub(*when).Abs() > around {
			if n >= ends && p.Before(*when) {
				t.before++
			} else if n >= ends {
				t.after++
			}
			continue
		}
		if t.start.IsZero() || p.Before(t.start) {
			t.start = p
		}
		if p.After(t.end) {
			t.end = p
		}
	}
	if t.start.IsZero() {
		return
	}
	room := max((leastSpan-t.end.Sub(t.start))/2, t.end.Sub(t.start)/20)
	t.start, t.end = t.start.Add(-room), t.end.Add(room)
}

// reportTimeline draws all items: a lane for each node, a mark for each item, a
// span for each incident of several. It is nil where a drawing would say nothing.
func reportTimeline(r *report.Report) *timeline {
	var t timeline
	lane := map[string]int{}
	of := func(node string) *report.Lane {
		n, ok := lane[node]
		if !ok {
			n = len(t.lanes)
			lane[node] = n
			t.lanes = append(t.lanes, report.Lane{Kind: "node", Name: cmp.Or(node, "no node")})
		}
		return &t.lanes[n]
	}
	marks := 0
	for n := len(r.Items) - 1; n >= 0; n-- { // oldest first
		i := &r.Items[n]
		if i.Time == nil || i.Kind == report.None {
			continue
		}
		pod, container := title(i)
		l := of(i.Node)
		l.Marks = append(l.Marks, report.Mark{At: *i.Time, Text: fmt.Sprintf("%s %s: %s (%s)", pod, container, i.Verdict.Cause, i.Verdict.Confidence), Decisive: i.Verdict.Confidence == report.Proven})
		marks++
	}
	for _, c := range r.Incidents {
		if c.Start != nil && c.End != nil && len(c.Items) > 1 {
			l := of(c.Node)
			l.Spans = append(l.Spans, report.Span{From: c.Start, To: c.End, Text: c.Summary, Bad: true})
		}
	}
	if marks < 2 {
		return nil
	}
	slices.SortStableFunc(t.lanes, func(a, b report.Lane) int { return len(b.Marks) - len(a.Marks) })
	t.hiddenLanes = max(len(t.lanes)-mostLanes, 0)
	t.lanes = t.lanes[:len(t.lanes)-t.hiddenLanes]
	for n := range t.lanes {
		t.lanes[n].Marks = t.thin(t.lanes[n].Marks, mostMarks)
	}
	t.frame(nil)
	return &t
}

// mostMarks is how many marks of a node are drawn, storyMarks how many of a lane
// of a story: more lie on each other on any screen.
const (
	mostMarks  = 1000
	storyMarks = 200
)

// thin leaves every nth mark where there are too many, and counts the others.
// Of a story, what the verdict rests on stays.
func (t *timeline) thin(marks []report.Mark, most int) []report.Mark {
	if len(marks) <= most {
		return marks
	}
	step := (len(marks) + most - 1) / most
	var out []report.Mark
	for n := range marks {
		if n%step == 0 || most == storyMarks && marks[n].Decisive {
			out = append(out, marks[n])
		}
	}
	t.hiddenMarks += len(marks) - len(out)
	return out
}
