// Package screen says what a screen of the viewer is: what it can do (Screen), what it
// sees of the viewer around it (Frame), what it can ask for (Asks), and the keys; and the
// parts that screens are made of: a page with its search, the filter of a list, a look at
// what the cursor is on. It may import dataset, the widgets (pager, pane, prompt, style)
// and the words (analyzer/present). What never enters: a certain screen, the stack of them.
package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// Screen is what fills the frame between its title and its footer. Screens lie on a
// stack: enter puts one on it, escape takes it away. A screen reads the frame and says
// what it wants done (Asks); it knows nothing of the stack.
type Screen interface {
	// Title says what the screen is about, Position how far it is scrolled.
	Title(f *Frame) string
	Position() string
	// Panes names the panes of the screen, and says which one is shown.
	Panes() (names []string, shown int)
	// Turn shows another pane. The screen is laid out afterwards.
	Turn(pane int)
	// Lay prepares what is drawn, after a change of size, look or data.
	Lay(f *Frame)
	// Body draws up to f.Body lines.
	Body(f *Frame) []string
	// Press answers a key, nil where the key was not meant for it.
	Press(f *Frame, msg tea.KeyPressMsg) Asks
	// Click answers a click on a line of the body.
	Click(f *Frame, line int) Asks
	// Typist is what one types into, nil for nothing.
	Typist() Typist
	// Here is what the cursor is on.
	Here(f *Frame) Selection
	// Hints are the keys that the footer names.
	Hints(k *KeyMap) []key.Binding
}

// Asks are what a screen wants done, in order: Pushed, Notice, Explained, Changed, and
// commands for what takes time. All but the commands is done before the next frame. nil
// says that a key was not meant for the screen.
type Asks []tea.Msg

type (
	// Pushed shows another screen above this one.
	Pushed struct{ Screen }
	// Notice is one line about what a key did, until the next key.
	Notice string
	// Explained opens the page of a cause.
	Explained string
	// Changed has the screen laid out again.
	Changed struct{}
)

// Say asks for a notice alone.
func Say(text string) Asks { return Asks{Notice(text)} }

// Push asks for another screen above this one.
func Push(s Screen) Asks { return Asks{Pushed{s}} }

// Taken asks for nothing, and says whether a key was meant for the screen.
func Taken(yes bool) Asks {
	if yes {
		return Asks{}
	}
	return nil
}

// Selection is what the cursor is on, for the keys that take something away.
type Selection struct {
	Data    *dataset.Dataset // of items; nil for the newest
	Items   []int32          // what a file for a ticket would hold; nil for all
	Copied  string           // what `y` copies, and what it is called
	Called  string
	Command string // what `c` copies
	Cause   string // what `e` explains
}

// Typist is what one types into: the filter of a list, or a search in a page.
type Typist interface {
	// Line is where one types.
	Line() *prompt.Input
	// Edited follows what happened to the line. The screen is laid out afterwards.
	Edited(e prompt.Effect) tea.Cmd
	// Result says what came of it, and which keys there are.
	Result() (count, keys string)
}

// Single is the part of a screen with one pane.
type Single struct{}

// Panes names none.
func (Single) Panes() ([]string, int) { return nil, 0 }

// Turn has nowhere to turn to.
func (Single) Turn(int) {}

// Asker is a screen that asks for more, beside the drawing.
type Asker interface{ Ask() tea.Cmd }

// Reply is that of something that ran beside the drawing, for one screen.
type Reply interface{ Into() }

// Cause is an entry of the catalogue.
type Cause struct{ ID, Title string }
