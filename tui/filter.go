package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// filter keeps the rows that contain every word, in any case; a word after `!`
// must not occur. A lone `!` says nothing yet.
type filter struct{ with, without []string }

func parseFilter(s string) filter {
	var f filter
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if rest, negated := strings.CutPrefix(w, "!"); !negated {
			f.with = append(f.with, w)
		} else if rest != "" {
			f.without = append(f.without, rest)
		}
	}
	return f
}

func (f filter) empty() bool { return len(f.with)+len(f.without) == 0 }

// match tells whether a line that is in lower case passes.
func (f filter) match(line string) bool {
	for _, w := range f.with {
		if !strings.Contains(line, w) {
			return false
		}
	}
	for _, w := range f.without {
		if strings.Contains(line, w) {
			return false
		}
	}
	return true
}

// maxFilter bounds what can be typed or pasted, in bytes.
const maxFilter = 256

// prompt is the line in which the filter is typed.
type prompt struct {
	text   string
	typing bool
}

// insert appends what was typed or pasted, without what could steer the
// terminal: control characters, and those that hide or turn text around.
func (p *prompt) insert(s string) {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return none
		}
		return r
	}, s)
	if len(p.text)+len(s) <= maxFilter {
		p.text += s
	}
}

// edit handles the editing keys, and tells whether msg was one.
func (p *prompt) edit(msg tea.KeyPressMsg) bool {
	switch msg.String() {
	case "backspace":
		_, n := utf8.DecodeLastRuneInString(p.text)
		p.text = p.text[:len(p.text)-n]
	case "ctrl+w":
		p.text = p.text[:strings.LastIndexByte(strings.TrimRight(p.text, " "), ' ')+1]
	case "ctrl+u":
		p.text = ""
	default:
		if msg.Text == "" {
			return false
		}
		p.insert(msg.Text)
	}
	return true
}
