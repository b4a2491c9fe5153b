package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/axis"
)

// The drawing's dimensions, in units of its view box. It scales with the page.
const (
	svgWidth   = 1000.0
	svgLabels  = 150.0 // the column of lane names
	svgRight   = 20.0
	laneHeight = 30.0
	axisHeight = 26.0
	labelEvery = 16.0 // the minimum distance between two numbers
)

// picture is a timeline to draw.
type picture struct{ document.Timeline }

// draw writes the timeline. Colour only repeats the shape: evidence for the verdict is a filled diamond, the rest a
// ring.
func (t *picture) draw(m *markup) {
	height := axisHeight + laneHeight*float64(len(t.Lanes)) + 4
	m.open("svg", "viewBox", "0 0 "+px(svgWidth)+" "+px(height), "role", "img", "aria-label", t.Label, "class", "timeline")
	for _, tick := range t.ticks() {
		x := px(t.x(time.Unix(0, tick.At)))
		m.open("line", "x1", x, "x2", x, "y1", px(axisHeight-6), "y2", px(height), "class", "grid")
		m.close("line")
		m.el("text", tick.Text, "x", x, "y", "12", "text-anchor", "middle", "class", "tick")
	}
	for n := range t.Lanes {
		t.lane(m, &t.Lanes[n], axisHeight+laneHeight*float64(n))
	}
	m.end("svg")
}

func (t *picture) lane(m *markup, l *document.Lane, top float64) {
	middle := top + laneHeight/2 + 4
	m.el("text", document.Shorten(l.Name, 22), "x", px(svgLabels-10), "y", px(middle+4), "text-anchor", "end",
		"class", "lane")
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
		m.open("rect", "x", px(from), "y", px(middle-6), "width", px(max(to-from, 2)),
			"height", "12", "rx", "2", "class", class)
		m.el("title", document.Shorten(s.Text, 120))
		m.close("rect")
	}
	// Evidence for the verdict is drawn last, so that nothing covers it, and numbered first, since other numbers may be
	// too close.
	var placed []float64
	for _, decisive := range []bool{false, true} {
		t.marks(m, l, decisive, middle)
	}
	for _, decisive := range []bool{true, false} {
		for _, k := range l.Marks {
			n, x := k.Number, t.x(k.At)
			near := func(p float64) bool { return math.Abs(p-x) < labelEvery }
			if n == 0 || k.Decisive != decisive || !t.shows(k) || slices.ContainsFunc(placed, near) {
				continue
			}
			placed = append(placed, x)
			m.el("text", strconv.Itoa(n), "x", px(x), "y", px(middle-9), "text-anchor", "middle", "class", "number")
		}
	}
}

func (t *picture) shows(k document.Mark) bool { return !k.At.Before(t.Start) && !k.At.After(t.End) }

// marks draws those marks that do not overlap; a text counts the others.
func (t *picture) marks(m *markup, l *document.Lane, decisive bool, y float64) {
	const apart = 6.0
	for n := 0; n < len(l.Marks); n++ {
		k := l.Marks[n]
		if k.Decisive != decisive || !t.shows(k) {
			continue
		}
		hidden := 0
		for n+1 < len(l.Marks) && !decisive && !l.Marks[n+1].Decisive && t.x(l.Marks[n+1].At)-t.x(k.At) < apart {
			n++
			hidden++
		}
		text := axis.Clock(k.At) + " " + document.Shorten(k.Text, 72)
		if hidden > 0 {
			text += fmt.Sprintf(" (and %d more)", hidden)
		}
		t.mark(m, k, y, text)
	}
}

func (t *picture) mark(m *markup, k document.Mark, y float64, text string) {
	x, shape := t.x(k.At), "circle"
	if k.Decisive {
		shape = "path"
		m.open(shape, "d", fmt.Sprintf("M%s %sl6 6l-6 6l-6 -6z", px(x), px(y-6)), "class", "decisive")
	} else {
		m.open(shape, "cx", px(x), "cy", px(y), "r", "4")
	}
	m.el("title", text)
	m.close(shape)
}

// x is the position of a time; times outside are at the edge.
func (t *picture) x(at time.Time) float64 {
	share := float64(at.Sub(t.Start)) / float64(t.End.Sub(t.Start))
	return svgLabels + min(max(share, 0), 1)*(svgWidth-svgRight-svgLabels)
}

// mostTicks is how many labels fit next to each other.
const mostTicks = 9

func (t *picture) ticks() []axis.Tick {
	return axis.Ticks(t.Start.UnixNano(), t.End.UnixNano()+1, func(every time.Duration, _ int) bool {
		return t.End.Sub(t.Start)/every < mostTicks
	})
}
