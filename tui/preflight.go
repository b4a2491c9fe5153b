package tui

import (
	"context"
	"io"
	"os"
	"runtime"

	"charm.land/bubbles/v2/key"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// PreflightOptions are what the viewer of a preflight shows and what it may call.
// Everything but In, Out and Report may be left out.
type PreflightOptions struct {
	// In and Out are the terminal.
	In  io.Reader
	Out io.Writer
	// Report is what is shown. It does not change while the viewer is open.
	Report *report.Preflight
	// Explain returns the page of a cause in Markdown, "" where there is none.
	Explain func(id string) string
	// Write makes a file for a ticket of the whole report, in one of Formats, and
	// returns the file's name. It is called beside the drawing.
	Write   func(ctx context.Context, format string) (file string, err error)
	Formats []string
	// NoColor and Mouse are those of Options.
	NoColor, Mouse bool
}

// RunPreflight shows a preflight until the user quits; it ends as Run does.
func RunPreflight(ctx context.Context, o PreflightOptions) error {
	s := fromEnvironment(runtime.GOOS, os.LookupEnv)
	s.colour = s.colour && !o.NoColor
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return show(ctx, newPreflightModel(ctx, o, s), o.In, o.Out, s)
}

// newPreflightModel returns the root model with a preflight on its stack. The
// report of restarts below it holds none: scope and gaps are those of the preflight.
func newPreflightModel(ctx context.Context, o PreflightOptions, s settings) *model {
	from := o.Report
	if from == nil {
		from = &report.Preflight{}
	}
	r := &report.Report{Scope: from.Scope, Gaps: from.Gaps, GeneratedAt: from.GeneratedAt}
	r.Normalise()
	options := Options{
		In: o.In, Out: o.Out, Report: r, Explain: o.Explain, Formats: o.Formats, NoColor: o.NoColor, Mouse: o.Mouse,
	}
	if o.Write != nil {
		options.Write = func(ctx context.Context, format string, _ *report.Report, _ report.DetailProvider) (string, error) {
			return o.Write(ctx, format)
		}
	}
	m := newModel(ctx, options, s)
	m.preflight = preflightpage.NewView(from)
	m.stack = []screen{&preflightScreen{v: m.preflight}}
	// What has no meaning here is neither taken nor listed by help.
	for _, b := range []*key.Binding{
		&m.keys.NextTab, &m.keys.PreviousTab, &m.keys.Tab, &m.keys.Previous, &m.keys.Next, &m.keys.Sort, &m.keys.Newest,
		&m.keys.ZoomIn, &m.keys.ZoomOut, &m.keys.Fit, &m.keys.Save, &m.keys.Node, &m.keys.First,
	} {
		b.SetEnabled(false)
	}
	return m
}
