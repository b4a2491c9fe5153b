package timelineview

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// random is a timeline of any shape: open spans, spans that end before they begin,
// times that nobody can have meant, lanes in no order.
func random(seed uint64, text string) report.Activity {
	r := rand.New(rand.NewPCG(seed, 7))
	scale := []time.Duration{time.Microsecond, time.Second, time.Hour, 90 * day}[r.IntN(4)]
	moment := func() time.Time {
		switch r.IntN(40) {
		case 0:
			return time.Time{}
		case 1:
			return time.Date(292277, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		return at("08:00:00").Add(time.Duration(r.Int64N(1000)) * scale)
	}
	maybe := func() *time.Time {
		if r.IntN(4) == 0 {
			return nil
		}
		return new(moment())
	}
	d := report.Activity{Start: maybe(), End: maybe()}
	for range r.IntN(6) {
		l := report.Lane{Kind: report.LaneKubelet, Name: text[:r.IntN(len(text)+1)]}
		for range r.IntN(30) {
			l.Marks = append(l.Marks, report.Mark{At: moment(), Text: text, Decisive: r.IntN(5) == 0, Evidence: []string{"e1"}})
		}
		for range r.IntN(20) {
			l.Spans = append(l.Spans, report.Span{From: maybe(), To: maybe(), Text: text,
				Bad: r.IntN(2) == 0, Evidence: []string{"e2", "e3"}})
		}
		d.Lanes = append(d.Lanes, l)
	}
	return d
}

func FuzzAnyUseFits(f *testing.F) {
	f.Add(uint64(1), "killing container web", []byte{3, 3, 9, 9, 9, 12, 1, 11, 13, 1, 1, 10, 230, 60, 20, 12, 8})
	f.Add(uint64(2), "\x1b[2J\t名前❤️\u0085", []byte{230, 0, 0, 9, 230, 1, 1, 13, 230, 7, 5, 8, 9, 230, 255, 69})
	f.Add(uint64(3), "", []byte{13, 230, 30, 3, 1, 0, 6, 7, 8})
	f.Fuzz(func(t *testing.T, seed uint64, text string, script []byte) {
		d := random(seed, strings.Map(func(r rune) rune { // as reports have it: without control characters
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				return -1
			}
			return r
		}, text[:min(len(text), 300)]))
		before := len(d.Lanes)
		walk(t, new(New(colour(), d)), script[:min(len(script), 200)])
		if len(d.Lanes) != before {
			t.Fatal("the data changed")
		}
	})
}

func TestRandomTimelinesFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		script := make([]byte, 40)
		for i := range script {
			script[i] = byte(r.IntN(256))
		}
		walk(t, new(New(plain(), random(uint64(n), strings.Repeat("wörd ", n%20)))), script)
	}
}

// busy is a story with n marks over a day and a crash loop beside them.
func busy(n int) report.Activity {
	d := crashLoop(200).Activity
	for lane := range 8 {
		l := report.Lane{Kind: report.LaneKubelet, Name: "lane"}
		for i := range n / 8 {
			l.Marks = append(l.Marks, report.Mark{
				At:       at("00:00:00").Add(time.Duration(i) * day / time.Duration(n/8)),
				Text:     "Liveness probe failed: HTTP probe failed with statuscode: 503",
				Decisive: i%1000 == lane, Evidence: []string{"e1", "e2"},
			})
		}
		d.Lanes = append(d.Lanes, l)
	}
	return d
}

func BenchmarkAKeyAmong10000Marks(b *testing.B) {
	for _, c := range []struct {
		name string
		keys []pane.Action
	}{
		{"moving", []pane.Action{pane.Right, pane.Down, pane.Left, pane.Next, pane.Up, pane.PageDown, pane.PageUp}},
		{"zooming", []pane.Action{pane.ZoomIn, pane.ZoomIn, pane.ZoomOut, pane.Fit}},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := New(colour(), busy(10000))
			m.Resize(200, 50)
			n := 0
			for b.Loop() {
				m.Do(c.keys[n%len(c.keys)])
				n++
				if len(m.Lines()) != 50 {
					b.Fatal("no frame")
				}
			}
		})
	}
}

func BenchmarkOpening10000Marks(b *testing.B) {
	d := busy(10000)
	for b.Loop() {
		m := New(colour(), d)
		m.Resize(200, 50)
		if len(m.Lines()) != 50 {
			b.Fatal("no frame")
		}
	}
}
