// Package pager is a page of the viewer that one walks through: a document in lines,
// a cursor that stops where something leads on, folds, and a search.
//
// It is pure state: Show, Do, Lines. It may import analyzer/document, its layout,
// tui/look and tui/pane. What never enters: keys, I/O, and anything that knows a report.
package pager

import (
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/tui/look"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// Pager is a page. The zero Pager is empty.
type Pager struct {
	look          look.Look
	blocks        []document.Block
	page          layout.Page
	turned        map[int]bool // folds that are not as the document has them
	cursor, top   int
	width, height int
	laid          laid
	found
}

// Show sets the page, its styles and its room in cells. The cursor stays on the stop
// it was on, by its number, and folds stay as they are.
func (p *Pager) Show(k look.Look, width, height int, blocks []document.Block) {
	p.look, p.width, p.height, p.blocks = k, width, max(height, 1), blocks
	p.lay()
}

func (p *Pager) lay() {
	now := laid{width: p.width, height: p.height}
	p.page = lay(p.blocks, &p.look, p.width, p.open)
	p.cursor = max(0, min(p.cursor, len(p.page.Stops)-1))
	p.scroll(p.top)
	if now.lines = len(p.page.Lines); now != p.laid {
		p.laid, p.line = now, none
		if p.cursor > 0 || p.top > 0 { // a page begins at its beginning, however far its first stop is
			p.show()
		}
	}
}

// laid is what the place of the view depends on: where it is the same, the view stays
// although the cursor may be out of it.
type laid struct{ lines, width, height int }

func lay(blocks []document.Block, k *look.Look, width int, open func(*document.Fold, int) bool) layout.Page {
	g := &k.Glyphs
	return layout.Lay(blocks, layout.Options{
		Width: max(width-pane.Gutter, 1), Open: open,
		Bullet: g.Bullet, OpenFold: g.Open, ClosedFold: g.Closed, Ellipsis: g.Ellipsis,
	})
}

func (p *Pager) open(f *document.Fold, number int) bool { return f.Open != p.turned[number] }

// At is what the cursor is on, nil where nothing leads anywhere.
func (p *Pager) At() *document.Anchor {
	if p.cursor >= len(p.page.Stops) {
		return nil
	}
	return &p.page.Stops[p.cursor].Anchor
}

// First tells whether the cursor is on the first stop: the answer itself.
func (p *Pager) First() bool { return p.cursor == 0 }

// Cursor is the number of the stop that the cursor is on, from 0.
func (p *Pager) Cursor() int { return p.cursor }

// Stops is how many stops there are.
func (p *Pager) Stops() int { return len(p.page.Stops) }

// Go puts the cursor on a stop, in the middle of the room where it can.
func (p *Pager) Go(stop int) {
	p.line = none
	if stop < 0 || stop >= len(p.page.Stops) {
		return
	}
	p.cursor = stop
	at := &p.page.Stops[stop]
	p.scroll((at.First + at.End - p.height) / 2)
	p.show()
}

// Find puts the cursor on the first stop whose anchor answers.
func (p *Pager) Find(is func(*document.Anchor) bool) {
	p.Go(slices.IndexFunc(p.page.Stops, func(s layout.Stop) bool { return is(&s.Anchor) }))
}

// Toggle folds or unfolds what the cursor is on, and tells whether that was a fold.
func (p *Pager) Toggle() bool {
	if p.cursor >= len(p.page.Stops) || p.page.Stops[p.cursor].Fold < 0 {
		return false
	}
	p.turn(p.page.Stops[p.cursor].Fold)
	p.lay()
	return true
}

func (p *Pager) turn(fold int) {
	if p.turned == nil {
		p.turned = map[int]bool{}
	}
	p.turned[fold] = !p.turned[fold]
}

func (p *Pager) scroll(top int) { p.top = max(0, min(top, len(p.page.Lines)-p.height)) }

// show brings the stop under the cursor into view, its beginning at least, and
// what stands above the first stop with it.
func (p *Pager) show() {
	if p.cursor >= len(p.page.Stops) {
		return
	}
	at := &p.page.Stops[p.cursor]
	top := p.top
	if at.End > top+p.height {
		top = at.End - p.height
	}
	if at.First < top {
		top = at.First
	}
	if p.cursor == 0 && at.End <= p.height {
		top = 0
	}
	p.scroll(top)
}

// Move goes to the next or previous stop. It scrolls by a line first where more of
// this stop, or of the text behind the last one, is out of sight.
func (p *Pager) Move(step int) {
	p.line = none
	n := len(p.page.Stops)
	switch {
	case n == 0 || p.cursor+step >= n || p.cursor+step < 0:
		p.scroll(p.top + step)
	case step > 0 && p.page.Stops[p.cursor].End > p.top+p.height, step < 0 && p.page.Stops[p.cursor].First < p.top:
		p.scroll(p.top + step)
	default:
		p.cursor += step
		p.show()
	}
}

// Page scrolls and takes the cursor along, to the first stop that is in view.
func (p *Pager) Page(step int) {
	p.line = none
	before := p.top
	p.scroll(p.top + step*max(p.height-2, 1))
	if p.top == before && len(p.page.Stops) > 0 {
		p.cursor = 0
		if step > 0 {
			p.cursor = len(p.page.Stops) - 1
		}
		return
	}
	i := slices.IndexFunc(p.page.Stops, func(s layout.Stop) bool { return s.First >= p.top })
	if i >= 0 && p.page.Stops[i].First < p.top+p.height {
		p.cursor = i
	}
}

// Top goes to the beginning.
func (p *Pager) Top() { p.cursor, p.top, p.line = 0, 0, none }

// Bottom goes to the end.
func (p *Pager) Bottom() {
	p.cursor, p.line = max(len(p.page.Stops)-1, 0), none
	p.scroll(len(p.page.Lines))
}

// Section goes to the next or previous section.
func (p *Pager) Section(step int) {
	p.line = none
	for i := p.cursor + step; i >= 0 && i < len(p.page.Stops); i += step {
		if p.page.Stops[i].Section {
			p.cursor = i
			p.show()
			return
		}
	}
}

// Do moves the cursor or folds, and tells whether the action means something here.
func (p *Pager) Do(a pane.Action) bool {
	switch a {
	case pane.Up:
		p.Move(-1)
	case pane.Down:
		p.Move(+1)
	case pane.PageUp:
		p.Page(-1)
	case pane.PageDown:
		p.Page(+1)
	case pane.Top:
		p.Top()
	case pane.Bottom:
		p.Bottom()
	case pane.Next:
		p.Section(+1)
	case pane.Previous:
		p.Section(-1)
	case pane.Toggle:
		if !p.Toggle() {
			p.Page(+1)
		}
	default:
		return false
	}
	return true
}

// Click puts the cursor on the stop that line n of the window belongs to.
func (p *Pager) Click(n int) bool {
	p.line = none
	n += p.top
	i := slices.IndexFunc(p.page.Stops, func(s layout.Stop) bool { return n >= s.First && n < s.End })
	if i >= 0 {
		p.cursor = i
	}
	return i >= 0
}

// Lines draws the lines in view; those of the stop under the cursor are marked.
func (p *Pager) Lines() []string {
	end := min(p.top+p.height, len(p.page.Lines))
	out := make([]string, 0, end-p.top)
	first, last := -1, -1
	if p.cursor < len(p.page.Stops) {
		first, last = p.page.Stops[p.cursor].First, p.page.Stops[p.cursor].End
	}
	for n := p.top; n < end; n++ {
		if n < first || n >= last {
			out = append(out, paint(marked(p.page.Lines[n], p.text), &p.look, p.page.Titles[n], p.width))
			continue
		}
		mark := " "
		if n == first {
			mark = p.look.Glyphs.Cursor
		}
		out = append(out, pane.Cursor(&p.look, mark+" "+p.page.Lines[n].String(), p.width))
	}
	return out
}

// Draw lays blocks out without a cursor: a preview, a page's head.
func Draw(blocks []document.Block, k *look.Look, width int) []string {
	page := lay(blocks, k, width, func(f *document.Fold, _ int) bool { return f.Open })
	out := make([]string, len(page.Lines))
	for n, line := range page.Lines {
		out[n] = paint(line, k, page.Titles[n], width)
	}
	return out
}

// paint draws a line behind the cursor's column. Rows of tables may be wider than there
// is room.
func paint(line document.Text, k *look.Look, title bool, width int) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", pane.Gutter))
	for _, r := range line {
		style := k.Of(r.Style, r.Class)
		if r.Style == lit {
			style = &k.Lit
		}
		if title && r.Style == document.Plain {
			style = &k.Title
		}
		if style == nil || strings.TrimSpace(r.Text) == "" {
			b.WriteString(r.Text)
			continue
		}
		b.WriteString(style.Render(r.Text))
	}
	return pane.Cut(b.String(), width, k.Glyphs.Ellipsis)
}

// Said is the text under the cursor in one line.
func (p *Pager) Said() string {
	if p.cursor >= len(p.page.Stops) {
		return ""
	}
	s := &p.page.Stops[p.cursor]
	var words []string
	for _, l := range p.page.Lines[s.First:s.End] {
		words = append(words, strings.Fields(l.String())...)
	}
	return strings.Join(words, " ")
}

// Position says how far the page is scrolled, "" when all of it is in view.
func (p *Pager) Position() string { return Position(p.top, len(p.page.Lines)-p.height) }

// Position says how far something is scrolled that has so many lines out of view.
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
