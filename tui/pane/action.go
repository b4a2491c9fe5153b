// Package pane holds what the lists, pages and panes of the viewer share: their actions, drawing lines within a width,
// and two cursors, over rows (Rows) and over stops of several lines (Walk). It is pure state and text: no terminal, no
// clock, no I/O, no style of its own (tui/style). It may import tui/style, analyzer/document with its layout, and the
// terminal's text libraries. It contains no keys, and knows nothing of reports.
package pane

// Action is a user's request to a pane. The viewer maps keys to actions. A pane ignores those without a meaning for it.
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

// Actions is the number of actions: 0 … Actions-1.
const Actions = int(Toggle) + 1
