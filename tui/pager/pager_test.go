package pager

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

func plain() style.Theme {
	return style.Theme{Glyphs: style.Unicode(), Cursor: lipgloss.NewStyle().Reverse(true)}
}

// pictured is a page out of a picture: each run of a letter is a stop of so many
// lines, a dot is a line between them, a # is a heading.
func pictured(picture string) []document.Block {
	var out []document.Block
	for n := 0; n < len(picture); {
		end := n + 1
		for picture[n] != '.' && end < len(picture) && picture[end] == picture[n] {
			end++
		}
		var words []string
		for i := n; i < end; i++ {
			words = append(words, fmt.Sprintf("line-%02d", i))
		}
		text := document.Say(strings.Join(words, " "))
		switch picture[n] {
		case '.':
			out = append(out, document.Paragraph{Text: text})
		case '#':
			out = append(out, document.Heading{Level: 2, Text: text})
		default:
			out = append(out, document.Paragraph{Text: text, Anchor: document.Anchor{Copy: picture[n:end]}})
		}
		n = end
	}
	return out
}

// shown is a pager of a picture: one word fills a line.
func shown(picture string, height int) *Pager {
	p := &Pager{}
	p.Show(plain(), 12, height, pictured(picture))
	return p
}

func TestTheCursorIsAlwaysInView(t *testing.T) {
	for name, tt := range map[string]struct {
		picture     string
		height      int
		moves       string // u d: line, U D: page, g G: ends, n p: section
		cursor, top int
	}{
		"down goes to the next stop":                {picture: "a.b.c.", height: 10, moves: "d", cursor: 1},
		"down behind the last stop scrolls":         {picture: "ab........", height: 4, moves: "ddddd", cursor: 1, top: 4},
		"up from there scrolls back first":          {picture: "ab........", height: 4, moves: "dddddu", cursor: 1, top: 3},
		"a stop below the window comes into it":     {picture: "a......b..", height: 4, moves: "d", cursor: 1, top: 4},
		"a stop taller than the window is scrolled": {picture: "aaaaaaaab", height: 4, moves: "dd", cursor: 0, top: 2},
		"and left when all of it was seen":          {picture: "aaaaaaaab", height: 4, moves: "ddddd", cursor: 1, top: 5},
		"up into a tall stop shows its beginning":   {picture: "aaaaaaaab", height: 4, moves: "dddddu", cursor: 0},
		"the first stop shows what stands above it": {picture: "..a......b", height: 4, moves: "du", cursor: 0},
		"a page takes the cursor along":             {picture: "a.b.c.d.e.f.g.h.", height: 6, moves: "D", cursor: 2, top: 4},
		"a page at the end goes to the last stop": {picture: "a.b.c.d.e.f.g.h.",
			height: 6, moves: "DDDDDD", cursor: 7, top: 10},
		"a page back at the top to the first": {picture: "a.b.c.d.e.f.g.h.", height: 6, moves: "DDUUUU", cursor: 0},
		"the end":                             {picture: "a.b.c.d.e.f.g.h.", height: 6, moves: "G", cursor: 7, top: 10},
		"the top":                             {picture: "a.b.c.d.e.f.g.h.", height: 6, moves: "Gg", cursor: 0},
		"sections":                            {picture: "abc#def#ghi", height: 20, moves: "nn", cursor: 6},
		"sections back":                       {picture: "abc#def#ghi", height: 20, moves: "nnp", cursor: 3},
		"behind the last one":                 {picture: "abc#def#ghi", height: 20, moves: "nnnn", cursor: 6},
		"no stops: down scrolls":              {picture: "..........", height: 4, moves: "dd", top: 2},
		"no stops: pages":                     {picture: "..........", height: 4, moves: "DDDDU", top: 4},
		"no stops: the end":                   {picture: "..........", height: 4, moves: "G", top: 6},
	} {
		p := shown(tt.picture, tt.height)
		for _, m := range tt.moves {
			map[rune]func(){
				'u': func() { p.Do(pane.Up) }, 'd': func() { p.Do(pane.Down) }, 'U': func() { p.Do(pane.PageUp) },
				'D': func() { p.Do(pane.PageDown) },
				'g': func() { p.Do(pane.Top) }, 'G': func() { p.Do(pane.Bottom) },
				'n': func() { p.Do(pane.Next) }, 'p': func() { p.Do(pane.Previous) },
			}[m]()
		}
		if p.walk.On != tt.cursor || p.walk.Top != tt.top {
			t.Errorf("%s: stop %d, top %d; want %d and %d", name, p.walk.On, p.walk.Top, tt.cursor, tt.top)
		}
	}
}

func TestAllLinesOfAStopAreMarked(t *testing.T) {
	p := shown("..aa.b", 6)
	var got strings.Builder
	for _, l := range p.Lines() {
		switch {
		case strings.Contains(l, "\x1b[7m") && strings.Contains(l, p.look.Glyphs.Cursor):
			got.WriteString("X")
		case strings.Contains(l, "\x1b[7m"):
			got.WriteString("x")
		default:
			got.WriteString("-")
		}
	}
	if got.String() != "--Xx--" {
		t.Errorf("got %s", got.String())
	}
}

func TestThePlaceIsKeptWhenTheTextChanges(t *testing.T) {
	p := shown("a.b.c.d.e.f.g.h.", 6)
	p.Do(pane.Bottom)
	p.Show(plain(), 12, 6, pictured("a.b.c.d.e.f.g.h.i.j."))
	if p.walk.On != 7 || p.At().Copy != "h" {
		t.Errorf("the cursor went to %d", p.walk.On)
	}
	p.Show(plain(), 12, 6, pictured("a."))
	if p.walk.On != 0 || p.walk.Top != 0 {
		t.Errorf("the cursor is %d at %d of a text that became short", p.walk.On, p.walk.Top)
	}
	p.Show(plain(), 12, 6, nil)
	if p.At() != nil || len(p.Lines()) != 0 || p.Said() != "" || p.Toggle() || p.Click(0) {
		t.Error("an empty page has something in it")
	}
}

func TestAClickFindsItsStop(t *testing.T) {
	p := shown("..aa.b", 6)
	for _, click := range []struct {
		line, stop int
		again      bool
	}{
		{0, 0, false}, {3, 0, true}, {5, 1, false}, {5, 1, true}, {4, 1, false}, {6, 1, false}, {99, 1, false}, {2, 0, false},
	} {
		if again := p.Click(click.line); again != click.again || p.walk.On != click.stop {
			t.Errorf("%+v: %v, at %d", click, again, p.walk.On)
		}
	}
	p = shown("a.b.c.d.e.f.g.h.", 6)
	p.Do(pane.Bottom)
	if p.Click(0); p.At().Copy != "f" {
		t.Errorf("a click into a scrolled page chose %q", p.At().Copy)
	}
}

func TestPositionOfAText(t *testing.T) {
	p := shown(strings.Repeat(".", 30), 10)
	for top, want := range map[int]string{0: "top", 10: "50%", 20: "end", 99: "end"} {
		if p.walk.Scroll(top); p.Position() != want {
			t.Errorf("at %d: %q, want %q", top, p.Position(), want)
		}
	}
	if p = shown("...", 10); p.Position() != "" {
		t.Errorf("all in view: %q", p.Position())
	}
}

func TestWhatIsSaidIsTheStopInOneLine(t *testing.T) {
	if got := shown("aaa.", 10).Said(); got != "line-00 line-01 line-02" {
		t.Errorf("got %q", got)
	}
}

func TestFindGoesWhereTheAnchorAnswers(t *testing.T) {
	p := shown("a.b.c.d.e.f.g.h.", 6)
	p.Find(func(a *document.Anchor) bool { return a.Copy == "e" })
	if p.At().Copy != "e" || p.walk.Top != 5 {
		t.Errorf("on %q at %d", p.At().Copy, p.walk.Top)
	}
	if p.Find(func(*document.Anchor) bool { return false }); p.At().Copy != "e" {
		t.Error("what is not there moved the cursor")
	}
}

// folded is a page with a fold within a fold, and one behind them.
func folded() []document.Block {
	say := func(s string) document.Block {
		return document.Paragraph{Text: document.Say(s), Anchor: document.Anchor{Copy: s}}
	}
	inner := document.Fold{Summary: document.Say("inner"), Blocks: []document.Block{say("deep")}}
	return []document.Block{
		say("first"),
		document.Fold{Summary: document.Say("outer"), Blocks: []document.Block{say("shallow"), inner}},
		document.Fold{Summary: document.Say("other"), Open: true, Blocks: []document.Block{say("open text")}},
	}
}

func text(p *Pager) string {
	var out []string
	for _, l := range p.Lines() {
		out = append(out, strings.TrimSpace(strings.TrimPrefix(strings.TrimRight(ansi.Strip(l), " "), p.look.Glyphs.Cursor)))
	}
	return strings.Join(out, "|")
}

func TestFoldsOpenAndCloseEachForItself(t *testing.T) {
	p := &Pager{}
	p.Show(plain(), 40, 20, folded())
	if p.Toggle() {
		t.Error("a text is no fold")
	}
	if got := text(p); got != "first|▸ outer|▾ other|open text" {
		t.Errorf("at first: %s", got)
	}
	p.Go(2)
	p.Toggle() // the other one closes, and stays so while the first opens
	p.Go(1)
	if p.Toggle(); text(p) != "first|▾ outer|shallow|▸ inner|▸ other" {
		t.Errorf("turned: %s", text(p))
	}
	p.Go(3)
	p.Toggle()
	p.Go(1)
	p.Toggle()
	if p.Toggle(); text(p) != "first|▾ outer|shallow|▾ inner|deep|▸ other" {
		t.Errorf("within a fold that was closed: %s", text(p))
	}
	p.Show(plain(), 30, 20, folded())
	if !strings.Contains(text(p), "deep") {
		t.Error("another width folds again")
	}
}

func TestAPageThatIsTooWideIsCut(t *testing.T) {
	wide := []document.Block{document.Table{
		Heads: []string{"FIRST", "SECOND"},
		Rows: []document.Row{{Cells: []document.Text{document.Say(strings.Repeat("x", 50)),
			document.Say(strings.Repeat("y", 50))}}},
	}}
	p := &Pager{}
	p.Show(plain(), 20, 10, wide)
	k := plain()
	for _, lines := range [][]string{p.Lines(), Draw(wide, &k, 20)} {
		for _, l := range lines {
			if ansi.StringWidth(l) > 20 {
				t.Errorf("%q is %d wide", l, ansi.StringWidth(l))
			}
		}
		if d := cmp.Diff("  "+strings.Repeat("x", 17)+"…", lines[2]); d != "" {
			t.Error(d)
		}
	}
}
