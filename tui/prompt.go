package tui

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// maxFilter bounds what can be typed or pasted, in bytes.
const maxFilter = 256

// prompt is the line in which a filter or a search is typed.
type prompt struct {
	text   string
	typing bool
}

// insert appends what was typed or pasted, without what could steer the
// terminal: control characters, and those that hide or turn text around.
func (p *prompt) insert(s string) {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return -1
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

// typist is what one types into: the filter of a list, or a search in a page.
type typist interface {
	// typed handles a key while one types, paste a pasted text. The screen is laid out
	// afterwards.
	typed(msg tea.KeyPressMsg) tea.Cmd
	paste(text string) tea.Cmd
	// said is what was typed so far.
	said() prompt
	// result says what came of it, and which keys there are.
	result() (count, keys string)
}

// typist returns what the screen has to type into, nil for nothing.
func (m *model) typist() typist {
	switch s := m.top().(type) {
	case typist:
		return s
	case interface{ table() *table }:
		if t := s.table(); t != nil {
			return t
		}
	}
	if s, ok := m.top().(paged); ok && m.search != nil && s.page() == m.search.page && s.page() != nil {
		return m.search
	}
	return nil
}

func (t *table) said() prompt { return t.prompt }

func (t *table) result() (count, keys string) {
	total := len(t.base)
	if t.base == nil {
		total = len(t.ds.report.Items)
	}
	count = countOf(t.found, total)
	if t.fuzzy && t.found > 0 {
		count += " by their letters"
	}
	return count, t.prompt.keys()
}

func countOf(found, total int) string { return strconv.Itoa(found) + " of " + strconv.Itoa(total) }

// keys are those of a filter.
func (p *prompt) keys() string {
	if p.typing {
		return "enter keeps, esc drops it"
	}
	return "esc drops the filter"
}

func (t *table) paste(text string) tea.Cmd {
	t.prompt.insert(text)
	return t.ask(t.by, t.order)
}

// typed handles a key while the filter of a table is being typed. The arrows still
// move the list, so that one can look without leaving the prompt.
func (t *table) typed(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		t.prompt.typing = false
	case "esc":
		return t.drop()
	case "up":
		t.to(t.cursor - 1)
	case "down":
		t.to(t.cursor + 1)
	default:
		if t.prompt.edit(msg) {
			return t.ask(t.by, t.order)
		}
	}
	return nil
}

// drop drops the filter. The row that was found stays under the cursor, among its
// neighbours.
func (t *table) drop() tea.Cmd {
	t.prompt = prompt{}
	if len(t.ds.all) > atOnce {
		return t.ask(t.by, t.order)
	}
	t.rebase(t.ds, t.base)
	return nil
}
