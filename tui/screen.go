package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// screen is what fills the frame between its title and its footer. Screens lie on a
// stack: enter puts one on it, escape takes it away. A screen reads the frame and says
// what it wants done (asks); it knows nothing of the stack.
type screen interface {
	// title says what the screen is about, position how far it is scrolled.
	title(f *frame) string
	position() string
	// panes names the panes of the screen, and says which one is shown.
	panes() (names []string, shown int)
	// turn shows another pane. The screen is laid out afterwards.
	turn(pane int)
	// lay prepares what is drawn, after a change of size, look or data.
	lay(f *frame)
	// body draws up to f.body lines.
	body(f *frame) []string
	// press answers a key, nil where the key was not meant for it.
	press(f *frame, msg tea.KeyPressMsg) asks
	// click answers a click on a line of the body.
	click(f *frame, line int) asks
	// typist is what one types into, nil for nothing.
	typist() typist
	// here is what the cursor is on.
	here(f *frame) place
	// hints are the keys that the footer names.
	hints(k *KeyMap) []key.Binding
}

// frame is what screens know of the viewer around them. They read it only.
type frame struct {
	layout
	sources
	keys   KeyMap
	look   style.Theme
	ds     *dataset // the newest
	causes []Cause
	// preflight is the one that is shown, nil where restarts are.
	preflight *preflightpage.View
}

// draw lays blocks out without a cursor.
func (f *frame) draw(blocks ...document.Block) []string { return pager.Draw(blocks, &f.look, f.text) }

// row draws a line of a list behind the cursor's column; the one that is selected is
// plain text.
func (f *frame) row(text string, selected bool) string {
	if selected {
		return pane.Cursor(&f.look, f.pad(f.look.Glyphs.Cursor, pane.Gutter)+text, f.width)
	}
	return pane.Cut(strings.Repeat(" ", pane.Gutter)+text, f.width, f.look.Glyphs.Ellipsis)
}

// list draws the rows of a list that are in view below the names of its columns. A row that is quiet stands back.
func (f *frame) list(r *pane.Rows, head, empty string, line func(i int) (text string, quiet bool)) []string {
	lines := []string{f.look.Muted.Render(f.row(head, false))}
	from, to := r.Window()
	for i := from; i < to; i++ {
		text, quiet := line(i)
		if text = f.row(text, i == r.Cursor); quiet && i != r.Cursor {
			text = f.look.Muted.Render(text)
		}
		lines = append(lines, text)
	}
	if r.N == 0 {
		lines = append(lines, f.row(f.look.Muted.Render(empty), false))
	}
	return lines
}

// cell is a plain text of a row, which may be too long, and how many cells it has: 0 leaves it out, less than 0 puts
// it to the right.
type cell struct {
	text  string
	width int
	style *lipgloss.Style // nil for plain
}

// line writes the cells of a row, with a space between them.
func (f *frame) line(row ...cell) string {
	var out []string
	for _, c := range row {
		text := f.pad(c.text, max(c.width, -c.width))
		if c.width < 0 {
			text = strings.Repeat(" ", -c.width-len(strings.TrimRight(text, " "))) + strings.TrimRight(text, " ")
		}
		if c.style != nil {
			text = c.style.Render(text)
		}
		if c.width != 0 {
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// pad cuts or fills a plain text to exactly so many cells.
func (f *frame) pad(s string, width int) string { return pane.Pad(s, width, f.look.Glyphs.Ellipsis) }

// asks are what a screen wants done, in order: pushed, notice, explained, changed, and
// commands for what takes time. All but the commands is done before the next frame. nil
// says that a key was not meant for the screen.
type asks []tea.Msg

type (
	// pushed shows another screen above this one.
	pushed struct{ screen }
	// notice is one line about what a key did, until the next key.
	notice string
	// explained opens the page of a cause.
	explained string
	// changed has the screen laid out again.
	changed struct{}
)

// taken asks for nothing, and says whether a key was meant for the screen.
func taken(yes bool) asks {
	if yes {
		return asks{}
	}
	return nil
}

// place is what the cursor is on, for the keys that take something away.
type place struct {
	ds      *dataset // of items; nil for the newest
	items   []int32  // what a file for a ticket would hold; nil for all
	copied  string   // what `y` copies, and what it is called
	called  string
	command string // what `c` copies
	cause   string // what `e` explains
}

// typist is what one types into: the filter of a list, or a search in a page.
type typist interface {
	line() *prompt.Input
	// edited follows what happened to the line. The screen is laid out afterwards.
	edited(e prompt.Effect) tea.Cmd
	// result says what came of it, and which keys there are.
	result() (count, keys string)
}

// single is the part of a screen with one pane.
type single struct{}

func (single) panes() ([]string, int) { return nil, 0 }
func (single) turn(int)               {}
