package prompt

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// typing returns a line that holds a text, with the cursor behind it.
func typing(text string) *Input {
	l := &Input{}
	l.Begin()
	l.Paste(text)
	return l
}

var keys = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "pgup": {Code: tea.KeyPgUp},
	"tab": {Code: tea.KeyTab}, "space": {Code: tea.KeySpace, Text: " "}, "alt+b": {Code: 'b', Mod: tea.ModAlt},
	"ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "ctrl+v": {Code: 'v', Mod: tea.ModCtrl},
	"ctrl+w": {Code: 'w', Mod: tea.ModCtrl},
}

// play presses keys by their names; other words are typed.
func play(l *Input, script string) (last Effect) {
	for _, word := range strings.Fields(script) {
		if msg, ok := keys[word]; ok {
			last = l.Press(msg)
			continue
		}
		for _, r := range word {
			last = l.Press(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return last
}

func TestALineIsEdited(t *testing.T) {
	for name, tt := range map[string]struct {
		from, script, want string
		event              Effect
	}{
		"backspace drops a rune":            {"oomé", "backspace", "oom", Changed},
		"backspace on nothing does nothing": {"", "backspace", "", Nothing},
		"ctrl+w drops a word":               {"oom redis", "ctrl+w", "oom ", Changed},
		"ctrl+w drops the only word":        {"oom", "ctrl+w", "", Changed},
		"ctrl+w sees past spaces":           {"oom redis  ", "ctrl+w", "oom ", Changed},
		"ctrl+u drops all":                  {"oom redis", "ctrl+u", "", Changed},
		"a letter is appended":              {"oo", "m", "oom", Changed},
		"a space is a character":            {"oom", "space", "oom ", Changed},
		"a full line takes no more":         {strings.Repeat("x", Max), "y", strings.Repeat("x", Max), Nothing},
		"its room is counted in bytes":      {strings.Repeat("x", Max-1), "é", strings.Repeat("x", Max-1), Nothing},
		"pgup edits nothing":                {"x", "pgup", "x", Nothing},
		"tab edits nothing":                 {"x", "tab", "x", Nothing},
		"ctrl+v runs nothing":               {"x", "ctrl+v", "x", Nothing},
		"left moves":                        {"om", "left", "om", Nothing},
		"a letter goes where the cursor is": {"om", "left o", "oom", Changed},
		"left stops at the beginning":       {"m", "left left left oo", "oom", Changed},
		"right goes back":                   {"oo", "left left right right right m", "oom", Changed},
		"home goes to the beginning":        {"om", "home o", "oom", Changed},
		"end goes to the end":               {"oo", "home end m", "oom", Changed},
		"alt+b goes to the word before":     {"oom edis", "alt+b r", "oom redis", Changed},
		"backspace in the middle":           {"ooxm", "left backspace", "oom", Changed},
		"delete in the middle":              {"ooxm", "left left delete", "oom", Changed},
		"ctrl+u keeps what is behind":       {"xxoom", "left left left ctrl+u", "oom", Changed},
		"enter keeps it":                    {"oom", "enter", "oom", Kept},
		"esc drops it":                      {"oom", "esc", "", Dropped},
		"up and down edit nothing":          {"oom", "up down", "oom", Nothing},
	} {
		l := typing(tt.from)
		if event := play(l, tt.script); event != tt.event || l.Text() != tt.want {
			t.Errorf("%s: %q and event %d, want %q and %d", name, l.Text(), event, tt.want, tt.event)
		}
		if over := tt.event == Kept || tt.event == Dropped; l.Typing() == over {
			t.Errorf("%s: typing is %v", name, l.Typing())
		}
	}
}

func TestNobodyTypesIntoALineThatIsNotBegun(t *testing.T) {
	var l Input
	if play(&l, "x"); l.Text() != "" || l.Typing() {
		t.Errorf("it took %q", l.Text())
	}
	if l.Paste("x"); l.Text() != "" {
		t.Errorf("it took %q", l.Text())
	}
	kept := typing("oom")
	if play(kept, "enter backspace"); kept.Text() != "oom" {
		t.Errorf("it became %q", l.Text())
	}
}

// What is pasted comes from anywhere. It is shown in the prompt, so nothing in it
// may steer the terminal.
func TestWhatIsPastedCannotSteerTheTerminal(t *testing.T) {
	l := typing("")
	l.Paste("a\x1b[31mb\u009b31mc\u202ed\u200be\x7f\x00\ufefff\u2028\xffg界\r\n\t")
	if l.Text() != "a[31mb31mcdefg界" {
		t.Errorf("the line holds %q", l.Text())
	}
	play(l, "home right")
	l.Paste("\x1b!")
	if l.Text() != "a![31mb31mcdefg界" {
		t.Errorf("the line holds %q", l.Text())
	}
}

// A key that carries a text is that text, whatever it spells.
func TestATextThatSpellsAKeyIsText(t *testing.T) {
	l := typing("x")
	for _, text := range []string{"home", "esc", "ctrl+u"} {
		l.Press(tea.KeyPressMsg{Code: tea.KeyExtended, Text: text})
	}
	if l.Text() != "xhomeescctrl+u" {
		t.Errorf("the line holds %q", l.Text())
	}
}

var reverse = regexp.MustCompile("\x1b\\[7m(.*?)\x1b\\[m")

// The cell under the cursor is in reverse and does not blink; a long line is seen around it.
func TestTheCursorIsSeen(t *testing.T) {
	k := &style.Theme{Strong: lipgloss.NewStyle().Bold(true), Glyphs: style.Unicode()}
	long := strings.Repeat("0123456789", 5)
	for name, tt := range map[string]struct {
		from, script, want string
		width              int
	}{
		"behind the end":      {"oom", "", "/oom< >", 20},
		"in the middle":       {"oom", "left", "/oo<m>", 20},
		"at the beginning":    {"oom", "home", "/<o>om", 20},
		"kept":                {"oom", "enter", "/oom ", 20},
		"the end of a line":   {long, "", "/23456789< >", 10},
		"the beginning of it": {long, "home", "/<0>12345678", 10},
		"wide glyphs":         {"名前名前名前", "", "/名前名前< >", 10},
	} {
		l := typing(tt.from)
		play(l, tt.script)
		for range 2 { // what is drawn changes nothing
			got := l.View(k, tt.width)
			if ansi.StringWidth(got) > tt.width {
				t.Errorf("%s: %d cells in a room of %d", name, ansi.StringWidth(got), tt.width)
			}
			if got = ansi.Strip(reverse.ReplaceAllString(got, "<$1>")); got != tt.want {
				t.Errorf("%s: %q, want %q", name, got, tt.want)
			}
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "oom !liveness", "!", "! !", "\x1b[31m", "é ÀÉ", "a\x00b", "\xff", "❤\ufe0f名前"} {
		f.Add(s, "left x home backspace end delete", 12)
	}
	k := &style.Theme{Glyphs: style.Unicode()}
	f.Fuzz(func(t *testing.T, s, script string, width int) {
		width = max(min(width, 300), 1)
		l := typing("")
		l.Paste(s)
		play(l, script)
		l.Paste(s)
		if len(l.Text()) > Max || strings.ContainsAny(l.Text(), "\x1b\n\r\x00\u202e\u200b") {
			t.Fatalf("the line took %q", l.Text())
		}
		if w := ansi.StringWidth(l.View(k, width)); w > width {
			t.Fatalf("%d cells in a room of %d", w, width)
		}
	})
}
