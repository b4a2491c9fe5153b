package tui

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// golden compares what people see with testdata/golden/<name>.txt.
func golden(t *testing.T, name, got string) {
	t.Helper()
	filetest.Golden(t, filepath.Join("testdata", "golden", name+".txt"), got)
}

// driver plays a script on the root model, one word per key:
//
//	d.play("j enter 80x24 text:oom ctrl+u")
//
// WxH resizes, text: types, anything else is a key by its name. Commands run at
// once, except those that wait (waits).
type driver struct {
	t testing.TB
	m *model
	// quit reports whether the last key asked to leave; clipboard is what was copied.
	quit      bool
	clipboard string
}

// drive starts the viewer at a size, with its index built, without colour.
// some are the names of a table's rows, and under go test -short every fourth: one
// goroutine draws these frames, and the race detector makes each of them ten times as
// dear. make test runs all of them without it.
func some[T any](table map[string]T) []string {
	names := slices.Sorted(maps.Keys(table))
	if !testing.Short() {
		return names
	}
	var few []string
	for i := 0; i < len(names); i += 4 {
		few = append(few, names[i])
	}
	return few
}

// walks is how many walks of a kind are taken.
func walks() uint64 {
	if testing.Short() {
		return 3
	}
	return 15
}

func drive(t testing.TB, r *report.Report, size string) *driver {
	t.Helper()
	return driveWith(t, options(r), settings{}, size)
}

func driveWith(t testing.TB, o Options, s settings, size string) *driver {
	t.Helper()
	d := &driver{t: t, m: newModel(t.Context(), o, s)}
	d.run(d.m.Init())
	return d.play(size)
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"backspace": tea.KeyBackspace, "tab": tea.KeyTab,
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
	if name == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
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
	d.quit = false
	_, cmd := d.m.Update(msg)
	d.run(cmd)
	d.check()
}

// patience is how long a command may take: a machine that is busy needs it.
const patience = 20 * time.Second

// waits reports whether a command waits for something that a test sends by itself, if
// at all: the next update, the next second.
func waits(cmd tea.Cmd) bool {
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	return strings.Contains(name, ".listen.func") || strings.Contains(name, ".Tick.func")
}

// run carries commands out and feeds their messages back.
func (d *driver) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil || waits(cmd) {
		return
	}
	got := make(chan tea.Msg, 1)
	go func() { got <- cmd() }()
	var msg tea.Msg
	select {
	case msg = <-got:
	case <-time.After(patience):
		d.t.Fatalf("a command has not ended after %s", patience)
	}
	switch msg := msg.(type) {
	case nil:
	case tea.QuitMsg:
		d.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case screen.Reply, indexed, screen.Notice:
		_, next := d.m.Update(msg)
		d.run(next)
	default:
		if fmt.Sprintf("%T", msg) == "tea.setClipboardMsg" {
			d.clipboard = fmt.Sprint(msg)
		}
	}
}

// check holds every frame against its rectangle: as many lines as the terminal,
// none wider. A frame of another shape scrolls the terminal.
func (d *driver) check() {
	d.t.Helper()
	l := d.m.Layout
	if l.Width <= 0 || l.TooSmall() {
		return
	}
	lines := strings.Split(d.m.View().Content, "\n")
	if len(lines) != l.Height {
		d.t.Fatalf("the frame has %d lines, the terminal %d:\n%s", len(lines), l.Height, strings.Join(lines, "\n"))
	}
	for n, line := range lines {
		if w := ansi.StringWidth(line); w > l.Width {
			d.t.Fatalf("line %d is %d cells wide, the terminal %d: %q", n+1, w, l.Width, line)
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

// sees fails unless every text is on the screen.
func (d *driver) sees(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if screen := d.screen(); !strings.Contains(screen, text) {
			d.t.Fatalf("the screen does not say %q:\n%s", text, screen)
		}
	}
	return d
}

// misses fails if a text is on the screen.
func (d *driver) misses(text string) *driver {
	d.t.Helper()
	if screen := d.screen(); strings.Contains(screen, text) {
		d.t.Fatalf("the screen says %q:\n%s", text, screen)
	}
	return d
}

// underCursor returns the marked line, in single spaces.
func (d *driver) underCursor() string {
	d.t.Helper()
	for _, line := range strings.Split(d.screen(), "\n") {
		if rest, ok := strings.CutPrefix(line, d.m.Look.Glyphs.Cursor); ok {
			return strings.Join(strings.Fields(rest), " ")
		}
	}
	return ""
}

// List returns the list on the screen.
func (d *driver) List() *pane.Rows {
	d.t.Helper()
	if s, ok := d.m.top().(interface{ List() *pane.Rows }); ok && s.List() != nil {
		return s.List()
	}
	d.t.Fatal("no list is shown")
	return nil
}

// page returns the text on the screen.
func (d *driver) page() *screen.TextPage {
	d.t.Helper()
	p, ok := d.m.top().Typist().(*screen.TextPage)
	if !ok {
		d.t.Fatal("no page is shown")
	}
	return p
}
