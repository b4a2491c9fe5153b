package tui

import (
	"context"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// Options are what the viewer shows and what it may call. Everything but In and
// Out may be left out: a screen then says what it lacks.
type Options struct {
	// In and Out are the terminal.
	In  io.Reader
	Out io.Writer
	// Report is what is shown first, nil while it is still being made. DetailProvider tells
	// what is not in it; it is called beside the drawing, never within.
	Report  *report.Report
	Details report.DetailProvider
	// Preflight is shown instead, where there is one. It does not change while the viewer is open.
	Preflight *report.Preflight
	// Updates brings progress and newer reports. Closing it says that no more come.
	Updates <-chan Update
	// Causes is the catalogue in its order; Explain returns the page of a cause in
	// Markdown, "" where there is none.
	Causes  []Cause
	Explain func(id string) string
	// Write makes a file for a ticket out of a report, in one of Formats, and returns
	// the file's name; of a preflight the whole, and r has none.
	Write   func(ctx context.Context, format string, r *report.Report, t report.DetailProvider) (file string, err error)
	Formats []string
	// Save keeps the evidence as a bundle and returns the file's name. Where it is nil,
	// CannotSave says why.
	Save       func(ctx context.Context) (file string, err error)
	CannotSave string
	// NoColor uses bold, faint and reverse only, as NO_COLOR and TERM=dumb do.
	NoColor bool
	// Mouse lets wheel and click reach the viewer. The terminal's own selection of
	// text then needs a modifier key, so that it is off at first.
	Mouse bool
}

// Update is what happened while the viewer is open: any of its fields may be set.
type Update struct {
	// Report replaces what is shown, with its DetailProvider. What the reader looks at stays
	// where it is.
	Report  *report.Report
	Details report.DetailProvider
	// Progress is how far the reading of one source is.
	Progress *Progress
	// Notice is one line that the reader should see, such as why a round failed.
	Notice string
	// Watch is what there is to say, as long as it stands, about how newer reports come
	// in: that they are polled for, or that the watch is broken. "" takes it back.
	Watch *string
}

type (
	// Cause is an entry of the catalogue.
	Cause = screen.Cause
	// Progress is how far the reading of one source is.
	Progress = screen.Progress
)
