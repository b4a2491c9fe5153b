package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Run shows Options.Report or Options.Preflight, and the updates from Options.Updates, until the user quits. It
// restores the terminal in any case, even after a panic. It returns nil when the user quits, the error of ctx when that
// ends first, and tea.ErrProgramPanic (wrapped) after a panic. The caller makes sure that In and Out are terminals.
func Run(ctx context.Context, o Options) error {
	s := fromEnvironment(runtime.GOOS, os.LookupEnv)
	s.colour = s.colour && !o.NoColor
	// Background work is cancelled when the user leaves.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return show(ctx, newModel(ctx, o, s), o.In, o.Out, s)
}

func show(ctx context.Context, m tea.Model, in io.Reader, out io.Writer, s settings, more ...tea.ProgramOption) error {
	opts := []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(out)}
	if !s.colour {
		opts = append(opts, tea.WithColorProfile(colorprofile.ASCII))
	}
	// The end of ctx is a message, not tea.WithContext: that kills the program, and a killed program closes its input
	// while a goroutine is still reading it.
	p := tea.NewProgram(m, append(opts, more...)...)
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	switch {
	case err != nil && !errors.Is(err, tea.ErrInterrupted):
		return fmt.Errorf("show report: %w", err)
	case ctx.Err() != nil:
		return fmt.Errorf("show report: %w", ctx.Err())
	}
	return nil
}

// fromEnvironment reads the settings as kubectl does: the presence of NO_COLOR counts, whatever its value.
func fromEnvironment(goos string, lookup func(string) (string, bool)) settings {
	get := func(name string) string { v, _ := lookup(name); return v }
	_, no := lookup("NO_COLOR")
	s := settings{colour: !no && get("TERM") != "dumb"}
	if goos == "windows" {
		return s // its terminals use UTF-8 and set no locale
	}
	// As in setlocale(3), the first of these that is set wins.
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(get(name)); v != "" {
			s.ascii = !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
			return s
		}
	}
	s.ascii = true
	return s
}
