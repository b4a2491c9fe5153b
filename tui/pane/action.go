// Package pane holds what the lists, pages and panes of the viewer share: the actions
// that they understand, lines that are drawn within a width, and two cursors,
// over rows (Rows) and over stops of several lines (Walk). Pure state and text: no terminal,
// no clock, no I/O, no style of its own (tui/style). It may import tui/style,
// analyzer/document with its layout, and the terminal's text libraries. What never
// enters: keys, and anything that knows a report.
package pane

// Action is what a reader asks a pane to do. Which keys ask for it is the viewer's
// business. A pane ignores what makes no sense to it.
type Action int

// The actions.
const (
	Up Action = iota
	Down
	Left
	Right
	PageUp
	PageDown
	Top
	Bottom
	ZoomIn
	ZoomOut
	Fit
	Next
	Previous
	Toggle
)

// Actions is how many actions there are: 0 … Actions-1.
const Actions = int(Toggle) + 1
