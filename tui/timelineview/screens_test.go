package timelineview

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// plain is a look without any attribute.
func plain() style.Theme { return style.Theme{Glyphs: style.Unicode()} }

// inASCII is plain for terminals that are not UTF-8.
func inASCII() style.Theme { return style.Theme{Glyphs: style.ASCII()} }

// colour is a look in which every meaning has a distinct attribute.
func colour() style.Theme {
	paint := func(c string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(c)) }
	return style.Theme{
		Title: paint("4").Bold(true), Strong: lipgloss.NewStyle().Bold(true), Muted: paint("8"),
		Good: paint("2"), Warn: paint("3"), Bad: paint("1"), Lit: paint("5").Bold(true),
		Cursor: lipgloss.NewStyle().Reverse(true), Glyphs: style.Unicode(),
	}
}

// sizes are the rectangles of the golden screens.
var sizes = [...][2]int{{60, 20}, {80, 24}, {120, 24}, {200, 24}}

// screens compares a pane in every size and look with testdata/<name>.txt. start makes the pane and brings it into the
// state to show.
func screens(t *testing.T, name string, start func(style.Theme) *Model) {
	t.Helper()
	var b strings.Builder
	for _, kind := range []struct {
		name string
		look style.Theme
	}{{"no colour", plain()}, {"ascii", inASCII()}, {"colour", colour()}} {
		for _, size := range sizes {
			p := start(kind.look)
			p.Resize(size[0], size[1])
			fmt.Fprintf(&b, "=== %dx%d %s\n%s", size[0], size[1], kind.name, shown(t, p, size[0], size[1]))
		}
	}
	filetest.Golden(t, filepath.Join("testdata", name+".txt"), b.String())
}

var attribute = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// shown draws a pane, checks it against its rectangle, and returns it with visible attributes and without trailing
// spaces.
func shown(t testing.TB, p *Model, width, height int) string {
	t.Helper()
	lines := p.Lines()
	fits(t, lines, width, height)
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(attribute.ReplaceAllString(line, "‹$1›"), " ") + "\n")
	}
	return b.String()
}

// fits fails the test unless there are exactly height lines, none wider than width, none with a line break.
func fits(t testing.TB, lines []string, width, height int) {
	t.Helper()
	if len(lines) != height {
		t.Fatalf("%d lines in a pane of %d:\n%s", len(lines), height, strings.Join(lines, "\n"))
	}
	for n, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Fatalf("line %d is %d cells wide in a pane of %d: %q", n+1, w, width, line)
		}
		if strings.ContainsAny(line, "\r\n\t") {
			t.Fatalf("line %d breaks: %q", n+1, line)
		}
	}
}

// walk runs a script of bytes on a pane: most are actions, some resize it. After each step it must fit its rectangle,
// and answer what is under the cursor.
func walk(t testing.TB, p *Model, script []byte) {
	t.Helper()
	width, height := 80, 24
	for len(script) > 0 {
		step := script[0]
		script = script[1:]
		if step >= 200 && len(script) >= 2 {
			width, height = int(script[0]), int(script[1])%70
			script = script[2:]
			p.Resize(width, height)
		} else {
			p.Do(pane.Action(int(step) % (pane.Actions + 1))) // one of them is not an action
		}
		fits(t, p.Lines(), width, height)
		for _, id := range p.Evidence() {
			if id == "" {
				t.Fatal("an id under the cursor is empty")
			}
		}
	}
}
