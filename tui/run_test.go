package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
)

const (
	enterAltScreen = "\x1b[?1049h"
	leaveAltScreen = "\x1b[?1049l"
	showCursor     = "\x1b[?25h"
)

// start runs a model on a pipe, as Run does on a terminal.
func start(t *testing.T, ctx context.Context, m tea.Model) (keys *io.PipeWriter, out *clocktest.Screen,
	done chan error) {
	t.Helper()
	in, keys := io.Pipe()
	t.Cleanup(func() { keys.Close() })
	out, done = &clocktest.Screen{}, make(chan error, 1)
	go func() { done <- show(ctx, m, in, out, settings{}, tea.WithWindowSize(80, 24)) }()
	return keys, out, done
}

func result(t *testing.T, done chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("the viewer does not end")
		return nil
	}
}

func TestRunShowsTheReportAndRestoresTheTerminal(t *testing.T) {
	keys, out, done := start(t, t.Context(), newModel(t.Context(), options(fixture(t)), settings{}))
	out.Await(t, "4 restarts on n3")
	if !strings.Contains(out.String(), enterAltScreen) {
		t.Error("no alternate screen")
	}
	io.WriteString(keys, "q")
	if err := result(t, done); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.Contains(s, leaveAltScreen) || !strings.Contains(s, showCursor) {
		t.Errorf("the terminal was not restored: %q", s[max(0, len(s)-200):])
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, out, done := start(t, ctx, newModel(t.Context(), options(fixture(t)), settings{}))
	out.Await(t, "4 restarts on n3")
	cancel()
	if err := result(t, done); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(out.String(), leaveAltScreen) {
		t.Error("the terminal was not restored")
	}
}

// faulty panics when a key arrives.
type faulty struct{ *model }

func (f faulty) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		panic("a fault of the viewer")
	}
	_, cmd := f.model.Update(msg)
	return f, cmd
}

func TestAPanicRestoresTheTerminalAndBecomesAnError(t *testing.T) {
	keys, out, done := start(t, t.Context(), faulty{newModel(t.Context(), options(fixture(t)), settings{})})
	out.Await(t, "4 restarts on n3")
	io.WriteString(keys, "j")
	if err := result(t, done); !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("got %v", err)
	}
	if s := out.String(); !strings.Contains(s, leaveAltScreen) || !strings.Contains(s, showCursor) {
		t.Error("the terminal was not restored")
	}
}

func TestSettingsFollowTheEnvironment(t *testing.T) {
	for name, tt := range map[string]struct {
		goos string
		env  string
		want settings
	}{
		"a UTF-8 locale":                 {"linux", "LANG=en_US.UTF-8", settings{colour: true}},
		"utf8 is an accepted spelling":   {"linux", "LANG=C.utf8", settings{colour: true}},
		"no locale":                      {"linux", "", settings{colour: true, ascii: true}},
		"the C locale":                   {"linux", "LANG=C", settings{colour: true, ascii: true}},
		"LC_ALL beats LANG":              {"linux", "LANG=en_US.UTF-8 LC_ALL=C", settings{colour: true, ascii: true}},
		"an empty LC_ALL does not count": {"linux", "LANG=en_US.UTF-8 LC_ALL=", settings{colour: true}},
		"LC_CTYPE beats LANG":            {"linux", "LANG=C LC_CTYPE=de_DE.UTF-8", settings{colour: true}},
		"NO_COLOR":                       {"linux", "LANG=C.UTF-8 NO_COLOR=1", settings{}},
		"NO_COLOR with any value":        {"linux", "LANG=C.UTF-8 NO_COLOR=foo", settings{}},
		"NO_COLOR without a value":       {"linux", "LANG=C.UTF-8 NO_COLOR=", settings{}},
		"a dumb terminal":                {"linux", "LANG=C.UTF-8 TERM=dumb", settings{}},
		"windows sets no locale":         {"windows", "", settings{colour: true}},
		"windows honours NO_COLOR":       {"windows", "NO_COLOR=1", settings{}},
	} {
		env := map[string]string{}
		for _, kv := range strings.Fields(tt.env) {
			k, v, _ := strings.Cut(kv, "=")
			env[k] = v
		}
		got := fromEnvironment(tt.goos, func(k string) (string, bool) { v, ok := env[k]; return v, ok })
		if got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}
