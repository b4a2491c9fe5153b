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

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
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

// Options are what the viewer shows and what it may call. Everything but In and Out may be omitted: a screen then says
// what it lacks.
type Options struct {
	// In and Out are the terminal.
	In  io.Reader
	Out io.Writer
	// Report is shown first, nil while it is still being made. Details provides what is not in it; it is called in the
	// background, never inside Update.
	Report  *report.Report
	Details report.DetailProvider
	// Preflight, if set, is shown instead. It does not change while the viewer is open.
	Preflight *report.Preflight
	// Updates delivers progress and newer reports. Closing it says that no more come.
	Updates <-chan Update
	// Causes is the catalogue in order; Explain returns the page of a cause in Markdown, "" if there is none.
	Causes  []Cause
	Explain func(id string) string
	// Write writes a file for a ticket from a report, in one of Formats, and returns the file's name; for a preflight
	// it writes all of it, and r has no restarts.
	Write   func(ctx context.Context, format string, r *report.Report, t report.DetailProvider) (file string, err error)
	Formats []string
	// Save saves the evidence as a bundle and returns the file's name. If it is nil, CannotSave is the reason.
	Save       func(ctx context.Context) (file string, err error)
	CannotSave string
	// NoColor uses only bold, faint and reverse, as NO_COLOR and TERM=dumb do.
	NoColor bool
	// Mouse enables wheel and click. The terminal's own text selection then needs a modifier key, so it is off by
	// default.
	Mouse bool
}

// Update is a change while the viewer is open: any of its fields may be set.
type Update struct {
	// Report and Details replace what is shown. The user's view stays in place.
	Report  *report.Report
	Details report.DetailProvider
	// Progress is the state of reading one source.
	Progress *Progress
	// Notice is one line for the user, such as why a round failed.
	Notice string
	// Watch is a lasting message about how newer reports arrive: that they are polled for, or that the watch is broken.
	// "" removes it.
	Watch *string
}

type (
	// Cause is an entry of the catalogue.
	Cause = screen.Cause
	// Progress is the state of reading one source.
	Progress = screen.Progress
)
