package screen

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// Frame is the part of the viewer that screens can see, read-only.
type Frame struct {
	Layout
	Incoming
	Keys   KeyMap
	Look   style.Theme
	Data   *dataset.Dataset // the newest
	Causes []Cause
	// Preflight says that a preflight is shown instead of restarts.
	Preflight bool
}

// Draw lays blocks out without a cursor.
func (f *Frame) Draw(blocks ...document.Block) []string { return pager.Draw(blocks, &f.Look, f.Text) }

// Row draws a line of a list after the cursor's column; the selected one must be plain text.
func (f *Frame) Row(text string, selected bool) string {
	if selected {
		return pane.Cursor(&f.Look, f.Pad(f.Look.Glyphs.Cursor, pane.Gutter)+text, f.Width)
	}
	return pane.Cut(strings.Repeat(" ", pane.Gutter)+text, f.Width, f.Look.Glyphs.Ellipsis)
}

// Cell is plain text in a row, which may be too long, and its width in cells: 0 leaves it out.
type Cell struct {
	text  string
	width int
	style *lipgloss.Style // nil for plain
}

// Col is a plain cell.
func Col(text string, width int) Cell { return Cell{text: text, width: width} }

// In gives a cell a style; nil is plain.
func (c Cell) In(style *lipgloss.Style) Cell {
	c.style = style
	return c
}

// Line writes the cells of a row, with a space between them.
func (f *Frame) Line(row ...Cell) string {
	var out []string
	for _, c := range row {
		if c.width == 0 {
			continue
		}
		text := f.Pad(c.text, c.width)
		if c.style != nil {
			text = c.style.Render(text)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// Pad cuts or fills plain text to exactly so many cells.
func (f *Frame) Pad(s string, width int) string { return pane.Pad(s, width, f.Look.Glyphs.Ellipsis) }

// The smallest supported terminal.
const (
	MinWidth  = 60
	MinHeight = 20
	// readable is the maximum width of running text.
	readable = 116
)

// Layout is the position of everything, computed once per size: a title, the names of the panes, the body, and a
// footer.
type Layout struct {
	Width, Height int
	Body          int // lines between the names of the panes and the footer
	Text          int // cells of running text
}

// LayoutFor divides a terminal of so many cells and lines.
func LayoutFor(width, height int) Layout {
	return Layout{Width: width, Height: height, Body: max(height-3, 1), Text: min(width, readable)}
}

// TooSmall reports whether only a notice is drawn.
func (l Layout) TooSmall() bool { return l.Width < MinWidth || l.Height < MinHeight }

const (
	// previewFrom is the height from which a list always leaves room for a preview of the row under the cursor.
	previewFrom = 28
	// spare is how many empty lines below a short list are better used for a preview.
	spare = 8
	// SentenceLines is the height of the preview if the list needs the room.
	SentenceLines = 2
)

// PreviewHeight is the height of the preview below a list of so many rows that begins below so many lines.
func (f *Frame) PreviewHeight(above, rows int) int {
	free := f.Body - above - rows - 1 // 1 is the rule between the two
	switch {
	case f.Height >= previewFrom:
		return max((f.Body-2)/2, free)
	case free >= spare-1:
		return free
	}
	return SentenceLines
}

// ListHeight is how many rows of a list fit below that many other lines.
func (f *Frame) ListHeight(above, rows int) int {
	return max(f.Body-above-f.PreviewHeight(above, rows)-1, 1)
}

// Below puts a preview of the row under the cursor below a list, with a legend between the two: height lines in all.
func (f *Frame) Below(lines []string, height, room int, legend string, look []string) []string {
	g := f.Look.Glyphs
	if len(look) == 0 {
		return pane.Fill(lines, height)
	}
	rule := strings.Repeat(g.Rule, pane.Gutter) + legend
	rule += strings.Repeat(g.Rule, max(f.Width-layout.Cells(rule), 0))
	lines = append(pane.Fill(lines, height-room-1), f.Look.Muted.Render(rule))
	if len(look) > room && room > SentenceLines {
		look = append(slices.Clone(look[:room-1]), "  "+f.Look.Muted.Render(g.Ellipsis+" enter shows all"))
	}
	return pane.Fill(append(lines, look...), height)
}
