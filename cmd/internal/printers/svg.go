package printers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// The drawing's measures, in units of its view box. It scales with the page.
const (
	svgWidth   = 1000.0
	svgLabels  = 150.0 // the column of lane names
	svgRight   = 20.0
	laneHeight = 30.0
	axisHeight = 26.0
	labelEvery = 16.0 // the least distance between two numbers
)

// draw writes the timeline. number gives the number under which the page lists
// the evidence of a mark; 0 for none. Colour repeats what shape says: what the
// verdict rests on is a filled diamond, the rest a ring.
func (t *timeline) draw(m *markup, label string, number func(ids []string) int) {
	height := axisHeight + laneHeight*float64(len(t.lanes)) + 4
	m.open("svg", "viewBox", "0 0 "+px(svgWidth)+" "+px(height), "role", "img", "aria-label", label, "class", "timeline")
	for _, tick := range ticks(t.start, t.end) {
		x := px(t.x(tick.at))
		m.open("line", "x1", x, "x2", x, "y1", px(axisHeight-6), "y2", px(height), "class", "grid")
		m.close("line")
		m.el("text", tick.text, "x", x, "y", "12", "text-anchor", "middle", "class", "tick")
	}
	for n := range t.lanes {
		t.lane(m, &t.lanes[n], axisHeight+laneHeight*float64(n), number)
	}
	m.end("svg")
}

func (t *timeline) lane(m *markup, l *report.Lane, top float64, number func([]string) int) {
	middle := top + laneHeight/2 + 4
	m.el("text", short(l.Name, 22), "x", px(svgLabels-10), "y", px(middle+4), "text-anchor", "end", "class", "lane")
	m.open("line", "x1", px(svgLabels), "x2", px(svgWidth-svgRight), "y1", px(middle), "y2", px(middle), "class", "rail")
	m.close("line")
	for _, s := range l.Spans {
		from, to := svgLabels, svgWidth-svgRight
		if s.From != nil {
			from = t.x(*s.From)
		}
		if s.To != nil {
			to = t.x(*s.To)
		}
		class := "span"
		if s.Bad {
			class = "span bad"
		}
		m.open("rect", "x", px(from), "y", px(middle-6), "width", px(max(to-from, 2)), "height", "12", "rx", "2", "class", class)
		m.el("title", s.Text)
		m.close("rect")
	}
	// What the verdict rests on is drawn last, since nothing may lie on it, and
	// numbered first, since others may lie too near.
	var placed []float64
	for _, decisive := range []bool{false, true} {
		for _, k := range l.Marks {
			if k.Decisive == decisive && t.shows(k) {
				t.mark(m, k, middle)
			}
		}
	}
	for _, decisive := range []bool{true, false} {
		for _, k := range l.Marks {
			n, x := number(k.Evidence), t.x(k.At)
			near := func(p float64) bool { return math.Abs(p-x) < labelEvery }
			if n == 0 || k.Decisive != decisive || !t.shows(k) || slices.ContainsFunc(placed, near) {
				continue
			}
			placed = append(placed, x)
			m.el("text", strconv.Itoa(n), "x", px(x), "y", px(middle-9), "text-anchor", "middle", "class", "number")
		}
	}
}

// shows tells whether a mark lies within the drawing.
func (t *timeline) shows(k report.Mark) bool { return !k.At.Before(t.start) && !k.At.After(t.end) }

func (t *timeline) mark(m *markup, k report.Mark, y float64) {
	x, shape := t.x(k.At), "circle"
	if k.Decisive {
		shape = "path"
		m.open(shape, "d", fmt.Sprintf("M%s %sl6 6l-6 6l-6 -6z", px(x), px(y-6)), "class", "mark decisive")
	} else {
		m.open(shape, "cx", px(x), "cy", px(y), "r", "4", "class", "mark")
	}
	m.el("title", timeOfDay(k.At)+" "+k.Text)
	m.close(shape)
}

// x is the place of a moment; what lies outside is at the edge.
func (t *timeline) x(at time.Time) float64 {
	share := float64(at.Sub(t.start)) / float64(t.end.Sub(t.start))
	return svgLabels + min(max(share, 0), 1)*(svgWidth-svgRight-svgLabels)
}

// tick is one line of the axis.
type tick struct {
	at   time.Time
	text string
}

// steps are the distances between ticks that people can read.
var steps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// mostTicks is how many labels fit side by side.
const mostTicks = 9

// ticks divides a stretch of time.
func ticks(start, end time.Time) (all []tick) {
	step := steps[len(steps)-1]
	for _, s := range steps {
		if end.Sub(start)/s < mostTicks {
			step = s
			break
		}
	}
	at := start.UTC().Truncate(step)
	if at.Before(start) {
		at = at.Add(step)
	}
	for ; !at.After(end) && len(all) <= mostTicks; at = at.Add(step) {
		text := at.Format("15:04:05")
		if step >= 24*time.Hour {
			text = at.Format("2006-01-02")
		} else if step >= time.Minute {
			text = at.Format("Jan 2 15:04")
		}
		all = append(all, tick{at, text})
	}
	return all
}

// timeOfDay prints the time of a day, to the millisecond where that is known.
func timeOfDay(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond() != 0 {
		return t.Format("15:04:05.000")
	}
	return t.Format("15:04:05")
}

// short cuts a text that has to fit.
func short(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
