package pager

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/tui/pane"

	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// anyPage makes a page of any blocks, from a seed and words.
func anyPage(r *rand.Rand, words []string, depth int) []document.Block {
	text := func() (out document.Text) {
		for range r.IntN(6) {
			out = append(out, document.Run{Style: document.Style(r.IntN(7)),
				Text: words[r.IntN(len(words))] + strings.Repeat(" ", r.IntN(3))})
		}
		return out
	}
	anchor := func() document.Anchor { return document.Anchor{Copy: []string{"", "x"}[r.IntN(2)]} }
	var out []document.Block
	for range 1 + r.IntN(5) {
		switch k := r.IntN(6); {
		case k == 0:
			out = append(out, document.Heading{Level: 2, Text: text()})
		case k == 1:
			t := document.Table{Heads: []string{"A", "B", "C"}, More: words[0]}
			for range r.IntN(4) {
				t.Rows = append(t.Rows, document.Row{Cells: []document.Text{text(), text(), text()}, Anchor: anchor()})
			}
			out = append(out, t)
		case k == 2 && depth < 3:
			out = append(out, document.Fold{Summary: text(), Open: r.IntN(2) == 0,
				Level: r.IntN(3), Blocks: anyPage(r, words, depth+1)})
		case k == 3:
			out = append(out, document.Paragraph{Text: text(), Anchor: anchor()})
		default:
			l := document.List{Kind: document.ListKind(r.IntN(4))}
			for range 1 + r.IntN(4) {
				l.Entries = append(l.Entries, document.ListItem{Label: text(), At: []string{"", "08:00:00"}[r.IntN(2)],
					Text: text(), Below: []document.Text{text()}, Anchor: anchor()})
			}
			out = append(out, l)
		}
	}
	return out
}

// FuzzPager shows any page at any width and walks it: no line is wider than the
// width, no view higher than its room, the cursor is in it, and every stop is
// reached from the one before.
func FuzzPager(f *testing.F) {
	f.Add(uint64(1), "one two three-four", 20, 5)
	f.Add(uint64(2), "界界界 漢字 e\u0301", 11, 1)
	f.Add(uint64(3), strings.Repeat("x", 200)+" y", 3, 40)
	f.Add(uint64(4), "👩‍👩‍👧‍👦 1️⃣ ❤️", 60, 17)
	f.Fuzz(func(t *testing.T, seed uint64, text string, width, height int) {
		if width < 3 || width > 200 || height < 1 || height > 60 || len(text) > 500 ||
			strings.ToValidUTF8(text, "\x00") != text ||
			strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			return // the texts of a report are safe
		}
		words := append(strings.Fields(text), "x")
		r := rand.New(rand.NewPCG(seed, 5))
		p := &Pager{}
		p.Show(plain(), width, height, anyPage(r, words, 0))
		check := func() {
			t.Helper()
			lines := p.Lines()
			if len(lines) > height {
				t.Fatalf("%d lines in a room of %d", len(lines), height)
			}
			for _, l := range lines {
				if w := ansi.StringWidth(l); w > width {
					t.Fatalf("%q is %d wide, the room %d", l, w, width)
				}
			}
			if s := p.page.Stops; p.walk.On > 0 && (s[p.walk.On].End <= p.walk.Top ||
				s[p.walk.On].First >= p.walk.Top+p.walk.Height) {
				t.Fatalf("the cursor, on lines %d to %d, is not in view: %d to %d",
					s[p.walk.On].First, s[p.walk.On].End, p.walk.Top, p.walk.Top+p.walk.Height)
			}
		}
		check()
		end := 0
		for _, s := range p.page.Stops {
			if s.First < end || s.End <= s.First || s.End > len(p.page.Lines) {
				t.Fatalf("a stop covers %d to %d, the one before ends at %d of %d", s.First, s.End, end, len(p.page.Lines))
			}
			end = s.End
		}
		p.Do(pane.Top)
		for stop := 1; stop < p.Stops(); stop++ {
			for n := 0; p.walk.On != stop; n++ {
				if p.Do(pane.Down); n > len(p.page.Lines) {
					t.Fatalf("stop %d of %d is not reached", stop, p.Stops())
				}
				check()
			}
		}
		for p.walk.On > 0 {
			before := p.walk.On*10000 + p.walk.Top
			if p.Do(pane.Up); p.walk.On*10000+p.walk.Top >= before {
				t.Fatal("up does not go up")
			}
			check()
		}
		for range 20 {
			switch r.IntN(7) {
			case 0:
				p.Do(pane.PageDown)
			case 1:
				p.Do(pane.PageUp)
			case 2:
				p.Do(pane.Bottom)
				continue // what stands behind the last stop is in view
			case 3:
				p.Do(pane.Next)
			case 4:
				p.Toggle()
			case 5:
				p.Click(r.IntN(height))
			case 6:
				p.Go(r.IntN(p.Stops() + 1))
			}
			if lines := p.Lines(); len(lines) > height {
				t.Fatalf("%d lines in a room of %d", len(lines), height)
			}
		}
		for _, w := range words {
			p.Seek(w, 1-2*r.IntN(2))
			for _, l := range p.Lines() {
				if ansi.StringWidth(l) > width {
					t.Fatalf("%q is %d wide, the room %d", l, ansi.StringWidth(l), width)
				}
			}
		}
	})
}
