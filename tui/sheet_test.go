package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// sheetOf makes a sheet out of a picture: a letter for each line of a stop, a dot for
// lines between them.
func sheetOf(picture string, height int) *sheet {
	s := &sheet{height: height}
	var stops []stop
	var all []string
	last := '.'
	for n, r := range picture {
		all = append(all, fmt.Sprintf("  line %d", n))
		if r != '.' && r != last {
			stops = append(stops, stop{first: n, end: n + 1, section: last == '.'})
		} else if r != '.' {
			stops[len(stops)-1].end = n + 1
		}
		last = r
	}
	s.set(all, stops)
	return s
}

func TestTheCursorOfASheetIsAlwaysInView(t *testing.T) {
	for name, tt := range map[string]struct {
		picture string
		height  int
		moves   string // u d: line, U D: page, g G: ends, n p: section
		cursor  int
		top     int
	}{
		"down goes to the next stop":                {"a.b.c.", 10, "d", 1, 0},
		"down behind the last stop scrolls":         {"ab........", 4, "ddddd", 1, 4},
		"up from there scrolls back first":          {"ab........", 4, "dddddu", 1, 3},
		"a stop below the window comes into it":     {"a......b..", 4, "d", 1, 4},
		"a stop taller than the window is scrolled": {"aaaaaaaab", 4, "dd", 0, 2},
		"and left when all of it was seen":          {"aaaaaaaab", 4, "ddddd", 1, 5},
		"up into a tall stop shows its beginning":   {"aaaaaaaab", 4, "dddddu", 0, 0},
		"a page takes the cursor along":             {"a.b.c.d.e.f.g.h.", 6, "D", 2, 4},
		"a page at the end goes to the last stop":   {"a.b.c.d.e.f.g.h.", 6, "DDDDDD", 7, 10},
		"a page back at the top to the first":       {"a.b.c.d.e.f.g.h.", 6, "DDUUUU", 0, 0},
		"the end":                                   {"a.b.c.d.e.f.g.h.", 6, "G", 7, 10},
		"the top":                                   {"a.b.c.d.e.f.g.h.", 6, "Gg", 0, 0},
		"sections":                                  {"abc.def.ghi", 20, "nn", 6, 0},
		"sections back":                             {"abc.def.ghi", 20, "nnp", 3, 0},
		"no stops: down scrolls":                    {"..........", 4, "dd", 0, 2},
		"no stops: pages":                           {"..........", 4, "DDDDU", 0, 4},
	} {
		s := sheetOf(tt.picture, tt.height)
		for _, m := range tt.moves {
			switch m {
			case 'u':
				s.move(-1)
			case 'd':
				s.move(+1)
			case 'U':
				s.page(-1)
			case 'D':
				s.page(+1)
			case 'g':
				s.home()
			case 'G':
				s.bottom()
			case 'n':
				s.section(+1)
			case 'p':
				s.section(-1)
			}
		}
		if s.cursor != tt.cursor || s.top != tt.top {
			t.Errorf("%s: stop %d, top %d; want %d and %d", name, s.cursor, s.top, tt.cursor, tt.top)
		}
	}
}

func TestASheetMarksAllLinesOfItsStop(t *testing.T) {
	th := newTheme(paletteNone, false)
	s := sheetOf("..aa.b", 6)
	var got []string
	for _, l := range s.window(&th, 10) {
		mark := "-"
		if strings.Contains(l, "\x1b[7m") {
			mark = "x"
			if strings.Contains(l, th.glyphs.cursor) {
				mark = "X"
			}
		}
		got = append(got, mark)
	}
	if d := cmp.Diff("--Xx--", strings.Join(got, "")); d != "" {
		t.Error(d)
	}
}

func TestASheetKeepsItsPlaceWhenItsTextChanges(t *testing.T) {
	s := sheetOf("a.b.c.d.e.f.g.h.", 6)
	s.bottom()
	longer := sheetOf("a.b.c.d.e.f.g.h.i.j.", 6)
	s.set(longer.lines, longer.stops)
	if s.cursor != 7 {
		t.Errorf("the cursor went to %d", s.cursor)
	}
	s.set(longer.lines[:3], longer.stops[:1])
	if s.cursor != 0 || s.top != 0 {
		t.Errorf("the cursor is %d at %d of a text that became short", s.cursor, s.top)
	}
	s.set(nil, nil)
	if s.at() != nil || len(s.window(&theme{}, 10)) != 0 {
		t.Error("an empty sheet has something in it")
	}
}

func TestAClickFindsItsStop(t *testing.T) {
	s := sheetOf("..aa.b", 6)
	for line, want := range map[int]bool{0: false, 2: true, 3: true, 4: false, 5: true, 6: false, 99: false} {
		if got := s.click(line); got != want {
			t.Errorf("line %d: %v, want %v", line, got, want)
		}
	}
}

func TestPositionOfAText(t *testing.T) {
	s := sheetOf(strings.Repeat(".", 30), 10)
	for top, want := range map[int]string{0: "top", 10: "50%", 20: "end", 99: "end"} {
		if s.scroll(top); s.position() != want {
			t.Errorf("at %d: %q, want %q", top, s.position(), want)
		}
	}
	if s.height = 30; s.position() != "" {
		t.Errorf("all visible: %q", s.position())
	}
}

func TestCausesThatOneFactRulesOutAreOneLine(t *testing.T) {
	r := fixture(t)
	v := &r.Items[0].Verdict
	v.Eliminated = report.Eliminate(
		elim("evicted-memory", "the pod runs", "e1"), elim("oom-node", "no record", "e1"), elim("evicted-disk", "the pod runs", "e1"), elim("evicted-pid", "the pod runs", "e2"))
	d := drive(t, r, "120x40").play("2 enter G")
	d.sees("evicted-memory, evicted-disk: the pod runs", "oom-node: no record", "evicted-pid: the pod runs")
}

func elim(cause, because string, evidence ...string) report.Eliminated {
	return report.Eliminated{Cause: cause, Because: because, Evidence: evidence}
}
