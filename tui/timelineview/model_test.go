package timelineview

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// play makes a timeline of 100 by 30 and leads it through some actions.
func play(d report.Activity, actions ...pane.Action) *Model {
	m := New(plain(), d)
	m.Resize(100, 30)
	for _, a := range actions {
		m.Do(a)
	}
	return &m
}

// times repeats an action.
func times(n int, a pane.Action) []pane.Action {
	out := make([]pane.Action, n)
	for i := range out {
		out[i] = a
	}
	return out
}

func screen(m *Model) string { return strings.Join(m.Lines(), "\n") }

// laneRow returns the glyphs of a lane, without its name.
func laneRow(t *testing.T, m *Model, name string) string {
	t.Helper()
	for _, line := range m.Lines() {
		if rest := strings.TrimLeft(line, " ❯>"); strings.HasPrefix(rest, name+" ") {
			return strings.TrimSpace(strings.TrimPrefix(rest, name))
		}
	}
	t.Fatalf("no lane is named %s:\n%s", name, screen(m))
	return ""
}

func TestTheCursorFindsWhatTheReaderAsksFor(t *testing.T) {
	up, down, next, previous := pane.Up, pane.Down, pane.Next, pane.Previous
	for _, c := range []struct {
		name    string
		actions []pane.Action
		want    []string
	}{
		{"it begins at the last thing that the verdict rests on", nil, []string{"e4", "e15"}},
		{"up and down choose the lane at the same time", []pane.Action{down}, []string{"e17"}},
		{"a kernel without a word has no evidence", []pane.Action{down, down}, nil},
		{"down ends at the last lane", times(9, down), nil},
		{"next is the next mark of the lane", append(times(9, down), next), []string{"e21"}},
		{"previous is the one before", []pane.Action{previous}, []string{"e1", "e2", "e14"}},
		{"bottom is the lane's last", []pane.Action{pane.Bottom}, []string{"e16"}},
		{"top is the lane's first", append(times(1, up), pane.Top), []string{"e11"}},
		{"next on the instances is an end", append(times(7, up), pane.Top, next), []string{"e7", "e8"}},
		{"and then a begin", append(times(7, up), pane.Top, next, next), []string{"e9"}},
		{"between two moments a span is what lasts", append(times(7, up), pane.Top, pane.Right), []string{"e7", "e8"}},
		{"left of everything is nothing known", append([]pane.Action{pane.Top}, times(9, pane.Left)...), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := play(upgrade().Activity, c.actions...)
			if d := cmp.Diff(c.want, m.Evidence(), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%s\n%s", d, screen(m))
			}
		})
	}
}

func TestWithoutADecisiveMarkTheCursorBeginsAtTheLastBadEnd(t *testing.T) {
	for _, c := range []struct {
		name   string
		mutate func(*report.ItemDetail)
		want   []string
	}{
		{"a bad end", func(*report.ItemDetail) {}, []string{"e7", "e8"}},
		{"no bad end: the first thing in view", func(s *report.ItemDetail) { s.Lanes[0].Spans[0].Bad = false },
			[]string{"e7", "e8"}},
		{"no spans: the first mark", func(s *report.ItemDetail) { s.Lanes = s.Lanes[1:] }, []string{"e11"}},
		{"what was before the view is not the first", func(s *report.ItemDetail) {
			s.Lanes, s.Start = s.Lanes[1:], point("08:33:50")
		}, []string{"e20"}},
		{"unless there is nothing in view", func(s *report.ItemDetail) {
			s.Lanes, s.Start, s.End = s.Lanes[1:], point("09:00:00"), point("10:00:00")
		}, []string{"e11"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := upgrade()
			for i := range s.Lanes {
				for n := range s.Lanes[i].Marks {
					s.Lanes[i].Marks[n].Decisive = false
				}
			}
			c.mutate(s)
			if d := cmp.Diff(c.want, play(s.Activity).Evidence(), cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestZoomingKeepsTheCursorOnItsMoment(t *testing.T) {
	m := play(upgrade().Activity)
	before, column := m.at, m.column()
	for n := range 30 {
		m.Do(pane.ZoomIn)
		if m.at != before || m.column() != column {
			t.Fatalf("zoomed in %d times, the cursor is at %s in column %d, was at %s in %d",
				n+1, clockText(m.at), m.column(), clockText(before), column)
		}
	}
	if m.step() != minColumn {
		t.Errorf("zoomed in all the way, a column is %s", time.Duration(m.step()))
	}
	if got := m.Evidence(); !cmp.Equal(got, []string{"e4"}) {
		t.Errorf("zoomed in, under the cursor is %v", got)
	}
	for range 40 {
		m.Do(pane.ZoomOut)
	}
	if m.origin != m.lo || m.span != m.hi-m.lo {
		t.Errorf("zoomed out all the way, %s of %s are in view", time.Duration(m.span), time.Duration(m.hi-m.lo))
	}
}

func TestZoomingPullsApartWhatSharesAColumn(t *testing.T) {
	s := upgrade()
	m := play(s.Activity, pane.Fit)
	if got := laneRow(t, m, "containerd"); got != "• 2" {
		t.Errorf("from afar the runtime's lane is %q", got)
	}
	m.Do(pane.ZoomIn)
	m.Do(pane.ZoomIn)
	if got := laneRow(t, m, "containerd"); got != "•      •  •" {
		t.Errorf("from near the runtime's lane is %q", got)
	}
}

func TestTheViewFollowsTheCursor(t *testing.T) {
	zoomed := times(5, pane.ZoomIn)
	m := play(upgrade().Activity, zoomed...)
	for _, a := range []pane.Action{pane.Bottom, pane.Top, pane.PageDown,
		pane.PageDown, pane.PageUp, pane.Left, pane.Bottom, pane.Next} {
		m.Do(a)
		if c := m.column(); c < 0 || c >= m.columns() {
			t.Fatalf("after action %d the cursor is in column %d of %d", a, c, m.columns())
		}
	}
	if !strings.Contains(screen(m), "started container web") {
		t.Errorf("the last mark is not to be seen:\n%s", screen(m))
	}
	for range 1000 {
		m.Do(pane.Right)
	}
	if end := m.origin + m.step()*int64(m.columns()); m.at >= m.hi || end > m.hi+m.step()*int64(m.columns())/8 {
		t.Errorf("the cursor left what is known: it is at %s, the end is %s", dateText(m.at), dateText(m.hi))
	}
}

func TestColumnsSayHowMuchTheyHold(t *testing.T) {
	base := func() report.Lane { return report.Lane{Kind: report.LaneKubelet, Name: "x"} }
	second := func(n int) time.Time { return at("08:00:00").Add(time.Duration(n) * time.Millisecond) }
	for _, c := range []struct {
		name   string
		mutate func(*report.Lane)
		want   string
	}{
		{"one mark", func(l *report.Lane) { l.Marks = []report.Mark{{At: second(0)}} }, "•"},
		{"two marks", func(l *report.Lane) { l.Marks = []report.Mark{{At: second(0)}, {At: second(1)}} }, "2"},
		{"nine marks", func(l *report.Lane) {
			for i := range 9 {
				l.Marks = append(l.Marks, report.Mark{At: second(i)})
			}
		}, "9"},
		{"ten marks", func(l *report.Lane) {
			for i := range 10 {
				l.Marks = append(l.Marks, report.Mark{At: second(i)})
			}
		}, "▓"},
		{"a decisive one among many is lit", func(l *report.Lane) {
			for i := range 40 {
				l.Marks = append(l.Marks, report.Mark{At: second(i), Decisive: i == 17})
			}
		}, "◆"},
		{"a short span that ended well", func(l *report.Lane) {
			l.Spans = []report.Span{span("08:00:00.001", "08:00:00.002", "", false)}
		}, "┃"},
		{"a short span that ended badly", func(l *report.Lane) {
			l.Spans = []report.Span{span("08:00:00.001", "08:00:00.002", "", true)}
		}, "✗"},
		{"two ends", func(l *report.Lane) {
			l.Spans = []report.Span{span("08:00:00.001", "08:00:00.002", "", true),
				span("08:00:00.003", "08:00:00.004", "", false)}
		}, "2"},
		{"an end and a mark", func(l *report.Lane) {
			l.Spans, l.Marks = []report.Span{span("08:00:00.001", "08:00:00.002", "", true)}, []report.Mark{{At: second(3)}}
		}, "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := base()
			c.mutate(&l)
			from, to := at("07:00:00"), at("09:00:00")
			m := play(report.Activity{Start: &from, End: &to, Lanes: []report.Lane{l}})
			if got := laneRow(t, m, "x"); got != c.want {
				t.Errorf("drawn as %q, want %q", got, c.want)
			}
		})
	}
}

func TestSpansShowWhatIsNotKnownOfThem(t *testing.T) {
	for _, c := range []struct{ name, from, to, begins, ends string }{
		{"begin and end known", "08:10:00", "08:50:00", "┣", "┫"},
		{"begin unknown", "", "08:50:00", "╺", "┫"},
		{"end unknown", "08:10:00", "", "┣", "╸"},
		{"both beyond the view", "07:00:00", "09:30:00", "━", "━"},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, to := at("08:00:00"), at("09:00:00")
			m := play(report.Activity{Start: &from, End: &to,
				Lanes: []report.Lane{{Name: "x", Spans: []report.Span{span(c.from, c.to, "", false)}},
					{Name: "y", Marks: []report.Mark{mark("08:30:00", "")}}}})
			got := laneRow(t, m, "x")
			if !strings.HasPrefix(got, c.begins) || !strings.HasSuffix(got, c.ends) || strings.Count(got, "━") < 20 {
				t.Errorf("drawn as %q", got)
			}
		})
	}
}

func TestACrowdedColumnBeginsWithWhatTheVerdictRestsOn(t *testing.T) {
	l := report.Lane{Name: "kubelet"}
	for i := range 700 {
		l.Marks = append(l.Marks, report.Mark{At: at("08:00:00").Add(time.Duration(i) * time.Microsecond),
			Text: fmt.Sprintf("line %d", i), Evidence: []string{fmt.Sprintf("e%d", i)}})
	}
	l.Marks[333].Decisive = true
	m := play(report.Activity{Lanes: []report.Lane{l}})
	text := screen(m)
	if first, second := strings.Index(text, "line 333"), strings.Index(text, "line 0"); first < 0 || first > second {
		t.Errorf("what the verdict rests on is not first:\n%s", text)
	}
	if !strings.Contains(text, "700 here") || !strings.Contains(text, "… enter shows all") {
		t.Errorf("the rest is not counted:\n%s", text)
	}
	if ids := m.Evidence(); len(ids) != 700 || ids[0] != "e333" {
		t.Errorf("%d pieces of evidence under the cursor, want 700", len(ids))
	}
}

func TestAnEmptyTimelineSaysSo(t *testing.T) {
	for _, d := range []report.Activity{{},
		{Lanes: []report.Lane{{Name: "kernel"}, {Name: "x", Spans: []report.Span{{Text: "for ever"}}}}}} {
		m := play(d, pane.Next, pane.ZoomIn, pane.Toggle, pane.Down, pane.Right)
		fits(t, m.Lines(), 100, 30)
		if !strings.HasPrefix(screen(m), "No events with a time are known.") || m.Evidence() != nil {
			t.Errorf("an empty timeline shows\n%s", screen(m))
		}
	}
}

func TestTheTitleExplainsTheGlyphsWhereThereIsRoom(t *testing.T) {
	m := play(upgrade().Activity)
	for width, want := range map[int]bool{60: false, 80: false, 100: true, 200: true} {
		m.Resize(width, 24)
		if got := strings.HasSuffix(m.Lines()[0], "◆ decisive  • mark  2-9 ▓ many  ✗ bad end"); got != want {
			t.Errorf("%d columns: explained %v, want %v: %q", width, got, want, m.Lines()[0])
		}
	}
}

func TestLanesThatDoNotFitScrollWithTheCursor(t *testing.T) {
	m := play(upgrade().Activity)
	m.Resize(80, 10)
	for range 9 {
		m.Do(pane.Down)
		if !strings.Contains(screen(m), "❯") {
			t.Fatalf("the lane of the cursor is out of view:\n%s", screen(m))
		}
	}
	if !strings.Contains(screen(m), "❯ API") {
		t.Errorf("the last lane is not to be seen:\n%s", screen(m))
	}
}

func TestTheReportIsNotChanged(t *testing.T) {
	s := upgrade()
	marks := s.Lanes[3].Marks
	marks[0], marks[4] = marks[4], marks[0]
	first := marks[0].Text
	m := play(s.Activity, pane.Top, pane.Next, pane.Bottom)
	if marks[0].Text != first {
		t.Error("the pane put the report's own marks in order")
	}
	if !strings.Contains(screen(m), "kubelet") {
		t.Error("a lane out of order is not shown")
	}
}
