package tui

import (
	"context"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

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
