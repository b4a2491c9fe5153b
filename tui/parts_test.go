package tui

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestNoKeyIsBoundTwiceAndEveryBindingIsInHelp(t *testing.T) {
	seen, bindings := map[string]string{}, 0
	for _, g := range Keys().Groups() {
		for _, b := range g.Bindings {
			bindings++
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
			for _, k := range b.Keys() {
				if other, ok := seen[k]; ok {
					t.Errorf("%s is bound to %q and %q", k, other, b.Help().Desc)
				}
				seen[k] = b.Help().Desc
			}
		}
	}
	// One per field of KeyMap.
	if bindings != 16 {
		t.Errorf("help shows %d bindings, KeyMap has 16", bindings)
	}
}

func TestFilter(t *testing.T) {
	const line = "shop/cache-0/redis\noom-container-limit\nproven"
	for text, want := range map[string]bool{
		"":               true,
		"   ":            true,
		"oom":            true,
		"OOM":            true,
		"oom redis":      true,
		"redis  proven ": true,
		"oom liveness":   false,
		"!oom":           false,
		"!liveness":      true,
		"redis !proven":  false,
		"!":              true,
		"redis !":        true,
	} {
		if got := parseFilter(text).match(line); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, s := range []string{"", "oom !liveness", "!", "! !", "\x1b[31m", "é ÀÉ", "a\x00b", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var p prompt
		p.insert(s)
		if len(p.text) > maxFilter || strings.ContainsAny(p.text, "\x1b\n\r\x00") {
			t.Fatalf("the prompt took %q", p.text)
		}
		fl := parseFilter(s)
		for _, w := range append(fl.with, fl.without...) {
			if w == "" {
				t.Fatalf("%q holds an empty word, which matches all", s)
			}
		}
		if len(fl.without) == 0 && !fl.match(strings.ToLower(s)) {
			t.Fatalf("%q does not match itself", s)
		}
	})
}

func TestPromptEdits(t *testing.T) {
	for name, tt := range map[string]struct{ from, key, want string }{
		"backspace drops a rune":            {"oomé", "backspace", "oom"},
		"backspace on nothing does nothing": {"", "backspace", ""},
		"ctrl+w drops a word":               {"oom redis", "ctrl+w", "oom "},
		"ctrl+w drops the only word":        {"oom", "ctrl+w", ""},
		"ctrl+w sees past spaces":           {"oom redis  ", "ctrl+w", "oom "},
		"ctrl+u drops all":                  {"oom redis", "ctrl+u", ""},
		"a letter is appended":              {"oo", "m", "oom"},
		"a space is a character":            {"oom", "space", "oom "},
		"a full prompt takes no more":       {strings.Repeat("x", maxFilter), "y", strings.Repeat("x", maxFilter)},
	} {
		p := prompt{text: tt.from}
		if !p.edit(press(t, tt.key)) {
			t.Errorf("%s: the key was not taken", name)
		}
		if p.text != tt.want {
			t.Errorf("%s: %q, want %q", name, p.text, tt.want)
		}
	}
	p := prompt{text: "x"}
	if p.edit(press(t, "pgup")) || p.text != "x" {
		t.Error("pgup edited the prompt")
	}
}

func TestListShowsTheCursorWhereverItGoes(t *testing.T) {
	for name, tt := range map[string]struct {
		rows, height int
		moves        []int
		cursor, top  int
	}{
		"the top stays until the cursor leaves":   {100, 10, []int{9}, 9, 0},
		"one below the window scrolls one":        {100, 10, []int{10}, 10, 1},
		"back up scrolls back":                    {100, 10, []int{50, 20}, 20, 20},
		"past the end is the end":                 {100, 10, []int{1000}, 99, 90},
		"before the start is the start":           {100, 10, []int{50, -7}, 0, 0},
		"a list shorter than its window stays":    {3, 10, []int{2}, 2, 0},
		"an empty list has its cursor at 0":       {0, 10, []int{5}, 0, 0},
		"a window of one line follows exactly":    {5, 1, []int{3}, 3, 3},
		"up inside the window does not scroll it": {100, 10, []int{50, 45}, 45, 41},
	} {
		l := list{}
		l.resize(tt.height)
		l.set(make([]row, tt.rows))
		for _, m := range tt.moves {
			l.to(m)
		}
		if l.cursor != tt.cursor || l.top != tt.top {
			t.Errorf("%s: cursor %d top %d, want %d and %d", name, l.cursor, l.top, tt.cursor, tt.top)
		}
	}
}

func TestListKeepsItsRowWhenRowsChange(t *testing.T) {
	l := list{}
	l.resize(10)
	l.set([]row{{none, 1}, {none, 2}, {none, 3}})
	l.to(2)
	l.set([]row{{none, 0}, {none, 1}, {none, 2}, {none, 3}})
	if r, _ := l.selected(); r.item != 3 {
		t.Errorf("the cursor went to %+v", r)
	}
	l.set([]row{{none, 0}})
	if r, ok := l.selected(); !ok || r.item != 0 {
		t.Errorf("the row is gone and the cursor is on %+v", r)
	}
}

func TestPagerPosition(t *testing.T) {
	p := pager{lines: make([]string, 30)}
	p.resize(10)
	for top, want := range map[int]string{0: "top", 10: "50%", 20: "end", 99: "end"} {
		if p.to(top); p.position() != want {
			t.Errorf("at %d: %q, want %q", top, p.position(), want)
		}
	}
	if p.resize(30); p.position() != "" {
		t.Errorf("all visible: %q", p.position())
	}
}

func TestWrap(t *testing.T) {
	for text, want := range map[string][]string{
		"":                         {""},
		"one two":                  {"one two"},
		"one two three":            {"one two", "three"},
		"a --evidence pod":         {"a", "--evidence", "pod"},
		"abcdefghijklmnop":         {"abcdefghij", "klmnop"},
		"ab abcdefghijklmnop":      {"ab abcdefg", "hijklmnop"},
		"abcdef abcdefghijklmnop":  {"abcdef", "abcdefghij", "klmnop"},
		"I1121  80 x":              {"I1121  80", "x"},
		"界界界界界界":                   {"界界界界界", "界"},
		"trailing   ":              {"trailing"},
		"abcdefghij klmnopqrst u":  {"abcdefghij", "klmnopqrst", "u"},
		"abcdefghijabcdefghij end": {"abcdefghij", "abcdefghij", "end"},
	} {
		if d := cmp.Diff(want, wrap(text, 10)); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range []string{"", "one two", "I1121 07:22:24.235722      80 x.go:1] \"y\" pod=\"a/b\"", "界界 界", "e\u0301 x", "👩‍👩‍👧‍👦 family"} {
		for _, w := range []int{1, 2, 10, 80} {
			f.Add(s, w)
		}
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 2 || width > 500 || len(s) > 4096 || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
			return // safe text is valid and holds no control characters
		}
		joined := strings.Join(wrap(s, width), "")
		if got, want := strings.ReplaceAll(joined, " ", ""), strings.ReplaceAll(s, " ", ""); got != want {
			t.Fatalf("wrap lost something: %q, want %q", got, want)
		}
		for _, line := range wrap(s, width) {
			if w := ansi.StringWidth(line); w > width {
				t.Fatalf("%q is %d wide, want at most %d", line, w, width)
			}
		}
	})
}

func TestColumnsFillTheWidthExactly(t *testing.T) {
	g := unicodeGlyphs
	for w := minWidth; w <= 220; w++ {
		c := columnsFor(w)
		line := c.line(g, lipgloss.NewStyle(), "x", "● proven", "t", "Restart", strings.Repeat("w", 300), "n", strings.Repeat("c", 99))
		if got := ansi.StringWidth(line); got != w {
			t.Errorf("at %d the line is %d wide (%+v)", w, got, c)
		}
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Minute: "0s", 0: "0s", 59 * time.Second: "59s", time.Minute: "1m", 59 * time.Minute: "59m",
		time.Hour: "1h", 23*time.Hour + 59*time.Minute: "23h", 24 * time.Hour: "1d", 999 * 24 * time.Hour: "999d", 1000 * 24 * time.Hour: "2y",
	} {
		if got := age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestExitAndLifetimeSayOnlyWhatIsKnown(t *testing.T) {
	code := func(c int32) *int32 { return &c }
	at := func(s string) *time.Time { v, _ := time.Parse(time.RFC3339, s); return &v }
	for name, tt := range map[string]struct {
		in        *report.Instance
		exit, ran string
	}{
		"nothing":         {nil, "", ""},
		"empty":           {&report.Instance{}, "", ""},
		"code zero":       {&report.Instance{ExitCode: code(0), Reason: "Completed"}, "exit 0 Completed", ""},
		"signal":          {&report.Instance{ExitCode: code(139), Signal: 11}, "exit 139 signal 11", ""},
		"start only":      {&report.Instance{StartedAt: at("2026-01-01T00:00:00Z")}, "", ""},
		"seconds":         {&report.Instance{StartedAt: at("2026-01-01T00:00:00Z"), FinishedAt: at("2026-01-01T00:00:07Z")}, "", "7s"},
		"days":            {&report.Instance{StartedAt: at("2026-01-01T00:00:00Z"), FinishedAt: at("2026-01-04T02:30:00Z")}, "", "3d2h"},
		"clocks disagree": {&report.Instance{StartedAt: at("2026-01-01T00:00:07Z"), FinishedAt: at("2026-01-01T00:00:00Z")}, "", ""},
	} {
		if got := exit(tt.in); got != tt.exit {
			t.Errorf("%s: exit %q, want %q", name, got, tt.exit)
		}
		if got := lifetime(tt.in); got != tt.ran {
			t.Errorf("%s: ran %q, want %q", name, got, tt.ran)
		}
	}
}

// colour matches an SGR sequence that sets a foreground or background colour.
var colour = regexp.MustCompile(`\x1b\[[0-9;:]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;:m]`)

func TestWithoutColourThereIsNoColourAndTheSelectionStillShows(t *testing.T) {
	m := newModel(fixture(t), settings{})
	m.resize(120, 40)
	frame := m.View().Content
	if colour.MatchString(frame) {
		t.Errorf("a colour: %q", colour.FindString(frame))
	}
	if !strings.Contains(frame, "\x1b[7m") {
		t.Error("the selected row is not in reverse")
	}
}

func TestTheThemeFollowsTheBackground(t *testing.T) {
	m := newModel(fixture(t), settings{colour: true})
	m.resize(120, 40)
	dark := m.View().Content
	m.Update(tea.BackgroundColorMsg{Color: lipgloss.Color("#ffffff")})
	light := m.View().Content
	if !colour.MatchString(dark) || dark == light {
		t.Error("the light theme is the dark one")
	}
	if ansi.Strip(dark) != ansi.Strip(light) {
		t.Error("the themes differ in their text")
	}
	m.Update(tea.BackgroundColorMsg{Color: lipgloss.Color("#000000")})
	if m.View().Content != dark {
		t.Error("the theme did not follow back")
	}
}

func TestEveryConfidenceHasItsOwnGlyph(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		th, seen := newTheme(paletteNone, ascii), map[string]report.Confidence{}
		for _, c := range []report.Confidence{report.Proven, report.Likely, report.Possible, report.Unknown} {
			_, g := th.confidence(c)
			if other, ok := seen[g]; ok || ansi.StringWidth(g) != 1 {
				t.Errorf("%q stands for %s and %s", g, other, c)
			}
			seen[g] = c
		}
	}
}
