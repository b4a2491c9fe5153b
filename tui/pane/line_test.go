package pane

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// plain is a look whose only attribute is that of what is good.
func plain() *style.Theme {
	return &style.Theme{Glyphs: style.Unicode(), Good: lipgloss.NewStyle().Foreground(lipgloss.Color("1"))}
}

// line is texts of which every other is good.
func line(parts ...string) (out document.Text) {
	for i, p := range parts {
		r := document.Run{Text: p}
		if i%2 == 1 {
			r.Style, r.Class = document.Badge, "good"
		}
		out = append(out, r)
	}
	return out
}

func TestALineIsCutToItsRoom(t *testing.T) {
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
			got := Paint(plain(), line(c.parts...), c.width)
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
	if got, want := Cursor(k, "one two", 10), "\x1b[7mone two   \x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := ansi.Strip(Cursor(k, "one two", 5)), "one …"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A heart and the selector that makes it wide are one cell each until they meet.
func TestGlyphsThatJoinAcrossPartsStillFit(t *testing.T) {
	for width := range 12 {
		for _, l := range []document.Text{line("❤", "\ufe0f", "❤", "\ufe0f"), line("❤\ufe0f❤\ufe0f❤\ufe0f")} {
			if got := Paint(plain(), l, width); ansi.StringWidth(got) > width {
				t.Errorf("%d cells in a room of %d: %q", ansi.StringWidth(got), width, got)
			}
		}
	}
}

func FuzzLinesKeepTheirWidth(f *testing.F) {
	f.Add("one two", "three", 5)
	f.Add("❤", "\ufe0f🇩🇪👩‍👩", 3)
	f.Fuzz(func(t *testing.T, a, b string, width int) {
		width = max(min(width, 300), 0)
		a, b = safe(a[:min(len(a), 2000)]), safe(b[:min(len(b), 2000)])
		for _, s := range []string{Paint(plain(), line(a, b, a), width), Cursor(plain(), a+b, width)} {
			if w := ansi.StringWidth(s); w > width {
				t.Fatalf("%d cells in a room of %d: %q", w, width, s)
			}
		}
	})
}

// safe is a text as reports have it: without control characters.
func safe(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}
