// Package screen defines the screens of the viewer: what a screen can do (Screen), what it sees of the viewer around it
// (Frame), what it can request (Asks), and the keys; and the parts that screens are made of: a page with its search,
// the filter of a list, a preview of the row under the cursor. It may import dataset, the widgets (pager, pane, prompt,
// style) and the wording (analyzer/present). It knows neither the individual screens nor their stack.
package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// Pane is what a screen shows: all of its body, or one of its panes.
type Pane interface {
	// Position describes how far it is scrolled.
	Position() string
	// Body draws up to f.Body lines.
	Body(f *Frame) []string
	// Press handles a key, and returns nil if the key has no meaning here.
	Press(f *Frame, msg tea.KeyPressMsg) Asks
	// Click handles a click on a line of the body.
	Click(f *Frame, line int) Asks
	// Typist returns the input, nil if there is none.
	Typist() Typist
	// Here returns what is under the cursor.
	Here(f *Frame) Selection
}

// Screen fills the frame between its title and its footer. Screens form a stack: enter pushes one, escape pops it. A
// screen reads the frame and returns requests (Asks); it knows nothing of the stack.
type Screen interface {
	Pane
	// Title says what the screen is about.
	Title(f *Frame) string
	// Panes returns the names of the panes, and which one is shown.
	Panes() (names []string, shown int)
	// Turn shows another pane. A new layout follows.
	Turn(pane int)
	// Lay prepares the drawing after a change of size, look or data.
	Lay(f *Frame)
	// Hints are the keys to show in the footer.
	Hints(k *KeyMap) []key.Binding
}

// Asks are a screen's requests, in order: Pushed, Notice, Explained, Changed, and commands for what takes time. All but
// the commands are executed before the next frame. nil says that the screen did not handle a key.
type Asks []tea.Msg

type (
	// Pushed shows another screen above this one.
	Pushed struct{ Screen }
	// Notice is one line about what a key did, until the next key.
	Notice string
	// Explained opens the page of a cause.
	Explained string
	// Changed requests a new layout of the screen.
	Changed struct{}
)

// Say returns a notice as the only request.
func Say(text string) Asks { return Asks{Notice(text)} }

// Push requests another screen above this one.
func Push(s Screen) Asks { return Asks{Pushed{s}} }

// Taken requests nothing, and says whether the screen handled a key.
func Taken(yes bool) Asks {
	if yes {
		return Asks{}
	}
	return nil
}

// Selection is what the cursor is on, for the keys that copy or export.
type Selection struct {
	Data    *dataset.Dataset // for Items; nil for the newest
	Items   []int32          // the content of a file for a ticket; nil for all
	Copied  string           // what `y` copies, and its name
	Called  string
	Command string // what `c` copies
	Cause   string // what `e` explains
}

// Typist is something to type into: the filter of a list, or a search in a page.
type Typist interface {
	// Line returns the input.
	Line() *prompt.Input
	// Edited handles a change of the line. A new layout follows.
	Edited(e prompt.Effect) tea.Cmd
	// Result returns the outcome, and which keys are available.
	Result() (count, keys string)
}

// Asker is a screen that loads more in the background.
type Asker interface{ Ask() tea.Cmd }

// Reply is the result of a background command, for one screen.
type Reply interface{ Into() }

// Cause is an entry of the catalogue.
type Cause struct{ ID, Title string }
