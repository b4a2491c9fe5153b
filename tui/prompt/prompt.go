// Package prompt is the input line of a filter or a search: an input of Bubbles that rejects control characters. It may
// import tui/style and the terminal's libraries. It does not know what the text is used for.
package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// Max limits what can be typed or pasted, in bytes.
const Max = 256

// Effect is what a key did.
type Effect int

// The events.
const (
	Nothing Effect = iota
	Changed
	Kept
	Dropped
)

// Input is the line. The zero Input is empty and inactive.
type Input struct{ in textinput.Model }

// Text is the text typed so far.
func (l *Input) Text() string { return l.in.Value() }

// Typing reports whether keys go into the line.
func (l *Input) Typing() bool { return l.in.Focused() }

// Begin starts typing at the end of the text.
func (l *Input) Begin() {
	text := l.in.Value()
	l.in = textinput.New()
	l.in.SetStyles(textinput.Styles{})  // a blinking cursor would redraw all the time
	l.in.KeyMap.Paste.SetEnabled(false) // it runs programs; the terminal pastes
	l.in.SetValue(text)
	l.in.Focus()
}

// Drop empties the line and ends typing.
func (l *Input) Drop() { l.in = textinput.Model{} }

// Press handles a key while typing.
func (l *Input) Press(msg tea.KeyPressMsg) Effect {
	if msg.Text != "" {
		return l.Paste(msg.Text)
	}
	switch msg.String() {
	case "enter":
		l.in.Blur()
		return Kept
	case "esc":
		l.Drop()
		return Dropped
	}
	return l.update(msg)
}

// Paste inserts a text at the cursor, without control characters, and without those that hide or reverse text. A text
// that does not fit is rejected as a whole.
func (l *Input) Paste(s string) Effect {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return -1
		}
		return r
	}, s)
	if len(l.Text())+len(s) > Max {
		return Nothing
	}
	return l.update(tea.PasteMsg{Content: s})
}

func (l *Input) update(msg tea.Msg) Effect {
	before := l.Text()
	if l.in, _ = l.in.Update(msg); l.Text() == before {
		return Nothing
	}
	return Changed
}

// View draws the line in so many cells; if it is longer, the part around the cursor.
func (l *Input) View(k *style.Theme, width int) string {
	in, at := l.in, l.in.Position()
	styles := textinput.StyleState{Prompt: k.Strong, Text: k.Strong}
	in.Prompt = "/"
	in.SetStyles(textinput.Styles{Focused: styles, Blurred: styles})
	if room := width - 2; ansi.StringWidth(l.Text()) > room { // the prompt, and the cursor after the end
		in.SetWidth(max(room, 1))
		in.CursorEnd() // the visible part depends only on the cursor, not on its history
		in.SetCursor(at)
	}
	return ansi.Truncate(in.View(), width, "")
}
