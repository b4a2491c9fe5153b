package screen

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
