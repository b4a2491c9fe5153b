// Package pager is a page of the viewer to navigate: a document in lines, a cursor that stops at links, folds, and a
// search.
//
// It is pure state: Show, Do, Lines. It may import analyzer/document, its layout, tui/style and tui/pane. It contains
// no keys and no I/O, and knows nothing of reports.
package pager

import (
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// Pager is a page. The zero Pager is empty.
type Pager struct {
	look   style.Theme
	blocks []document.Block
	page   layout.Page
	turned map[int]bool // folds that differ from the document's state
	walk   pane.Walk
	width  int
	laid   laid
	found
}

// Show sets the page, its styles and its size in cells. The cursor stays on its stop, by number, and folds keep their
// state.
func (p *Pager) Show(k style.Theme, width, height int, blocks []document.Block) {
	p.look, p.width, p.walk.Height, p.blocks = k, width, max(height, 1), blocks
	p.lay()
}

func (p *Pager) lay() {
	now := laid{width: p.width, height: p.walk.Height}
	p.page = lay(p.blocks, &p.look, p.width, p.open)
	stops := make([]pane.Range, len(p.page.Stops))
	for n, s := range p.page.Stops {
		stops[n] = pane.Range{First: s.First, End: s.End}
	}
	p.walk.Set(stops, len(p.page.Lines))
	if now.lines = len(p.page.Lines); now != p.laid {
		p.laid, p.line = now, none
		if p.walk.On > 0 || p.walk.Top > 0 { // a page starts at the top, however far down its first stop is
			p.walk.Show()
		}
	}
}

// laid is what determines the scroll position: while it is unchanged, the view stays although the cursor may be out of
// it.
type laid struct{ lines, width, height int }

func lay(blocks []document.Block, k *style.Theme, width int, open func(*document.Fold, int) bool) layout.Page {
	g := &k.Glyphs
	return layout.Lay(blocks, layout.Options{
		Width: max(width-pane.Gutter, 1), Open: open,
		Bullet: g.Bullet, OpenFold: g.Open, ClosedFold: g.Closed, Ellipsis: g.Ellipsis,
	})
}

func (p *Pager) open(f *document.Fold, number int) bool { return f.Open != p.turned[number] }

// At is the anchor under the cursor, nil if there are no stops.
func (p *Pager) At() *document.Anchor {
	if p.walk.On >= len(p.page.Stops) {
		return nil
	}
	return &p.page.Stops[p.walk.On].Anchor
}

// First reports whether the cursor is on the first stop: the answer itself.
func (p *Pager) First() bool { return p.walk.On == 0 }

// Cursor is the number of the stop under the cursor, from 0.
func (p *Pager) Cursor() int { return p.walk.On }

// Stops is the number of stops.
func (p *Pager) Stops() int { return len(p.page.Stops) }

// Go moves the cursor to a stop, in the middle of the window if possible.
func (p *Pager) Go(stop int) {
	p.line = none
	if stop < 0 || stop >= len(p.page.Stops) {
		return
	}
	p.walk.On = stop
	at := &p.page.Stops[stop]
	p.walk.Scroll((at.First + at.End - p.walk.Height) / 2)
	p.walk.Show()
}

// Find moves the cursor to the first stop whose anchor matches.
func (p *Pager) Find(is func(*document.Anchor) bool) {
	p.Go(slices.IndexFunc(p.page.Stops, func(s layout.Stop) bool { return is(&s.Anchor) }))
}

// Toggle folds or unfolds what is under the cursor, and reports whether that was a fold.
func (p *Pager) Toggle() bool {
	if p.walk.On >= len(p.page.Stops) || p.page.Stops[p.walk.On].Fold < 0 {
		return false
	}
	p.turn(p.page.Stops[p.walk.On].Fold)
	p.lay()
	return true
}

func (p *Pager) turn(fold int) {
	if p.turned == nil {
		p.turned = map[int]bool{}
	}
	p.turned[fold] = !p.turned[fold]
}

// Do moves the cursor or folds, and reports whether the action has a meaning here. Next and Previous go to another
// section; where there is nothing to fold, Toggle scrolls a page.
func (p *Pager) Do(a pane.Action) bool {
	p.line = none
	switch a {
	case pane.Next:
		p.section(+1)
	case pane.Previous:
		p.section(-1)
	case pane.Toggle:
		return p.Toggle() || p.walk.Do(pane.PageDown)
	default:
		return p.walk.Do(a)
	}
	return true
}

func (p *Pager) section(step int) {
	for i := p.walk.On + step; i >= 0 && i < len(p.page.Stops); i += step {
		if p.page.Stops[i].Section {
			p.walk.On = i
			p.walk.Show()
			return
		}
	}
}

// Click moves the cursor to the stop on line n of the window, and reports whether it was there already.
func (p *Pager) Click(n int) bool {
	p.line = none
	return p.walk.Click(n)
}

// Lines draws the lines in view; those of the stop under the cursor are marked.
func (p *Pager) Lines() []string {
	from, to := p.walk.Window()
	under := p.walk.Under()
	out := make([]string, 0, to-from)
	for n := from; n < to; n++ {
		if n < under.First || n >= under.End {
			out = append(out, paint(marked(p.page.Lines[n], p.text), &p.look, p.page.Titles[n], p.width))
			continue
		}
		mark := " "
		if n == under.First {
			mark = p.look.Glyphs.Cursor
		}
		out = append(out, pane.Cursor(&p.look, mark+" "+p.page.Lines[n].String(), p.width))
	}
	return out
}

// Draw lays out blocks without a cursor: a preview, a page's head.
func Draw(blocks []document.Block, k *style.Theme, width int) []string {
	page := lay(blocks, k, width, func(f *document.Fold, _ int) bool { return f.Open })
	out := make([]string, len(page.Lines))
	for n, line := range page.Lines {
		out[n] = paint(line, k, page.Titles[n], width)
	}
	return out
}

// paint draws a line after the cursor's column. Rows of tables may be wider than the window.
func paint(line document.Text, k *style.Theme, title bool, width int) string {
	out := document.Text{{Text: strings.Repeat(" ", pane.Gutter)}}
	for _, r := range line {
		if title && r.Style == document.Plain {
			r.Style, r.Class = document.Badge, "title"
		}
		out = append(out, r)
	}
	return pane.Paint(k, out, width)
}

// Said is the text under the cursor in one line.
func (p *Pager) Said() string {
	if p.walk.On >= len(p.page.Stops) {
		return ""
	}
	s := &p.page.Stops[p.walk.On]
	var words []string
	for _, l := range p.page.Lines[s.First:s.End] {
		words = append(words, strings.Fields(l.String())...)
	}
	return strings.Join(words, " ")
}

// Position says how far the page is scrolled, "" when all of it is in view.
func (p *Pager) Position() string { return Position(p.walk.Top, len(p.page.Lines)-p.walk.Height) }

// Position describes the scroll position of something with so many lines out of view.
func Position(top, hidden int) string {
	switch {
	case hidden <= 0:
		return ""
	case top == 0:
		return "top"
	case top >= hidden:
		return "end"
	}
	return strconv.Itoa(100*top/hidden) + "%"
}
