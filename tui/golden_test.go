package tui

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares what people see with testdata/golden/<name>.txt.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, d)
	}
}

// fixture reads the report that all tests look at.
func fixture(t testing.TB) *report.Report {
	t.Helper()
	b, err := os.ReadFile("testdata/report.json")
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{}
	if err := json.Unmarshal(b, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// driver plays a script on the root model, one word per key:
//
//	d.play("j enter 80x24 text:oom ctrl+u")
//
// WxH resizes, text: types, anything else is a key by its name.
type driver struct {
	t testing.TB
	m *model
	// quit tells whether the last key asked to leave.
	quit bool
}

// drive starts the viewer at a size, with its index built, without colour.
func drive(t testing.TB, r *report.Report, size string) *driver {
	t.Helper()
	d := &driver{t: t, m: newModel(r, settings{})}
	d.m.Update(d.m.Init()())
	return d.play(size)
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "tab": tea.KeyTab,
}

func (d *driver) play(script string) *driver {
	d.t.Helper()
	for _, word := range strings.Fields(script) {
		if w, h, ok := strings.Cut(word, "x"); ok && len(w) > 0 && len(h) > 0 && strings.Trim(w+h, "0123456789") == "" {
			width, _ := strconv.Atoi(w)
			height, _ := strconv.Atoi(h)
			d.send(tea.WindowSizeMsg{Width: width, Height: height})
			continue
		}
		if text, ok := strings.CutPrefix(word, "text:"); ok {
			for _, r := range text {
				d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			continue
		}
		d.send(press(d.t, word))
	}
	return d
}

func press(t testing.TB, name string) tea.KeyPressMsg {
	if code, ok := named[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	if c, ok := strings.CutPrefix(name, "ctrl+"); ok && len(c) == 1 {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
	}
	if r := []rune(name); len(r) == 1 {
		return tea.KeyPressMsg{Code: r[0], Text: name}
	}
	t.Fatalf("the script names no key: %q", name)
	return tea.KeyPressMsg{}
}

func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.m.Update(msg)
	d.quit = false
	if cmd != nil {
		_, d.quit = cmd().(tea.QuitMsg)
	}
	d.check()
}

// check holds every frame against its rectangle: as many lines as the terminal,
// none wider. A frame of another shape scrolls the terminal.
func (d *driver) check() {
	d.t.Helper()
	l := d.m.layout
	if l.width <= 0 || l.tooSmall() {
		return
	}
	lines := strings.Split(d.m.View().Content, "\n")
	if len(lines) != l.height {
		d.t.Fatalf("the frame has %d lines, the terminal %d:\n%s", len(lines), l.height, strings.Join(lines, "\n"))
	}
	for n, line := range lines {
		if w := ansi.StringWidth(line); w > l.width {
			d.t.Fatalf("line %d is %d cells wide, the terminal %d: %q", n+1, w, l.width, line)
		}
	}
}

// screen returns the frame as text, without attributes and trailing spaces.
func (d *driver) screen() string {
	lines := strings.Split(ansi.Strip(d.m.View().Content), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// underCursor returns the selected line of the list, in single spaces.
func (d *driver) underCursor() string {
	d.t.Helper()
	for _, line := range strings.Split(d.screen(), "\n") {
		if rest, ok := strings.CutPrefix(line, d.m.theme.glyphs.cursor); ok {
			return strings.Join(strings.Fields(rest), " ")
		}
	}
	return ""
}
