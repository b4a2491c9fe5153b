package pane

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

func plain() *style.Theme { return &style.Theme{Glyphs: style.Unicode()} }

func TestALineIsCutToItsRoom(t *testing.T) {
	red := lipgloss.NewStyle().Foreground(lipgloss.Color("1"))
	for _, c := range []struct {
		name  string
		parts []string
		width int
		want  string
	}{
		{"what fits stays", []string{"one ", "two"}, 7, "one two"},
		{"the last part is cut", []string{"one ", "twenty"}, 7, "one tw…"},
		{"a part that just fits gives way to the ellipsis", []string{"one ", "two", " three"}, 7, "one tw…"},
		{"wide glyphs count twice", []string{"名前", "名前"}, 7, "名前名…"},
		{"a wide glyph is not halved", []string{"名前", "名前"}, 6, "名前…"},
		{"one cell is the ellipsis", []string{"one"}, 1, "…"},
		{"no room is nothing", []string{"one"}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l Line
			for i, p := range c.parts {
				if i%2 == 0 {
					l.Add(nil, p)
				} else {
					l.Add(&red, p)
				}
			}
			got := l.Render(plain(), c.width)
			if ansi.Strip(got) != c.want {
				t.Errorf("got %q, want %q", ansi.Strip(got), c.want)
			}
			if strings.Count(got, "\x1b[31m") != strings.Count(got, "\x1b[m") {
				t.Errorf("an attribute is not ended: %q", got)
			}
		})
	}
}

func TestTheCursorFillsItsLine(t *testing.T) {
	k := plain()
	k.Cursor = lipgloss.NewStyle().Reverse(true)
	var l Line
	l.Add(&k.Cursor, "one")
	l.Add(nil, " two")
	if got, want := l.RenderCursor(k, 10), "\x1b[7mone two   \x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := ansi.Strip(l.RenderCursor(k, 5)), "one …"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNothingBreaksOutOfALine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"line breaks", "a\nb\rc\td", "a b c d"},
		{"escape sequences", "a\x1b[2Jb", "a [2Jb"},
		{"eight-bit controls", "a\u009b2Jb", "a 2Jb"},
		{"what is no UTF-8", "a\xffb\xc2", "a\ufffdb\ufffd"},
		{"letters that begin like controls stay", "a§b", "a§b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l Line
			l.Add(nil, c.text)
			if l.Text() != c.want {
				t.Errorf("got %q, want %q", l.Text(), c.want)
			}
			if l.Width != ansi.StringWidth(c.want) {
				t.Errorf("width %d of %q", l.Width, l.Text())
			}
		})
	}
}

// A heart and the selector that makes it wide are one cell each until they meet.
func TestGlyphsThatJoinAcrossPartsStillFit(t *testing.T) {
	var l Line
	bold := lipgloss.NewStyle().Bold(true)
	var same Line
	for range 5 {
		l.Add(nil, "❤")
		l.Add(&bold, "\ufe0f")
		same.Add(nil, "❤")
		same.Add(nil, "\ufe0f")
	}
	if ansi.StringWidth(same.Text()) <= same.Width {
		t.Fatalf("the glyphs do not join: %d cells, counted %d", ansi.StringWidth(same.Text()), same.Width)
	}
	for width := range 12 {
		for _, line := range []*Line{&l, &same} {
			if got := line.Render(plain(), width); ansi.StringWidth(got) > width {
				t.Errorf("%d cells in a room of %d: %q", ansi.StringWidth(got), width, got)
			}
		}
	}
}

func TestAParagraphHangsBehindItsHead(t *testing.T) {
	var head Line
	head.Add(nil, "why  ")
	var got []string
	lines := Para(head, nil, "the stored hash differs from the computed one", 26)
	lines = Append(lines, nil, " · ", "v1.31", 5, 26)
	lines = Append(lines, nil, " · ", "and stays so", 5, 26)
	for i := range lines {
		got = append(got, lines[i].Text())
	}
	want := []string{"why  the stored hash", "     differs from the", "     computed one · v1.31", "     and stays so"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	// What would break the rectangle of a pane becomes a space, and spaces run together.
	if got := Para(Line{}, nil, "  a\n\x1b  b ", 20)[0].Text(); got != "a b" {
		t.Errorf("got %q", got)
	}
}

func TestAHeadCanBeUsedTwice(t *testing.T) {
	var head Line
	head.Add(nil, "- ")
	first, second := Para(head, nil, "one", 20), Para(head, nil, "two", 20)
	if got := first[0].Text() + "|" + second[0].Text() + "|" + head.Text(); got != "- one|- two|- " {
		t.Errorf("got %q", got)
	}
}

func FuzzLinesKeepTheirWidth(f *testing.F) {
	f.Add("one two", "three", 5)
	f.Add("❤", "\ufe0f🇩🇪👩‍👩", 3)
	f.Add("\x1b[31m", "\xc2\x9b", 2)
	f.Fuzz(func(t *testing.T, a, b string, width int) {
		width = max(min(width, 300), 0)
		a, b = a[:min(len(a), 2000)], b[:min(len(b), 2000)]
		bold := lipgloss.NewStyle().Bold(true)
		var l Line
		l.Add(nil, a)
		l.Add(&bold, b)
		l.Add(nil, a)
		for _, s := range []string{l.Render(plain(), width), l.RenderCursor(plain(), width)} {
			if w := ansi.StringWidth(s); w > width {
				t.Fatalf("%d cells in a room of %d: %q", w, width, s)
			}
			if strings.ContainsAny(ansi.Strip(s), "\n\r\t\x1b") {
				t.Fatalf("control characters are left: %q", s)
			}
		}
		for _, p := range Para(Line{}, nil, a+" "+b, width) {
			if s := p.Render(plain(), width); ansi.StringWidth(s) > width {
				t.Fatalf("%d cells in a room of %d: %q", ansi.StringWidth(s), width, s)
			}
		}
	})
}
