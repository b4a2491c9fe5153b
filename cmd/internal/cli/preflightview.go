package cli

import (
	"context"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/printers"
	"github.com/restartwhy/kubectl-restartwhy/tui"
)

// show writes a preflight as text, or in the format that was asked for.
func (o *preflightOptions) show(ctx context.Context, r *report.Preflight) error {
	if o.screen.plain {
		return tui.WritePreflightPlain(ctx, o.env.Streams.Out, r)
	}
	return o.printer(o.env.Streams.Out, r)
}

// viewer is what the viewer of a preflight is given.
func (o *preflightOptions) viewer(r *report.Preflight) tui.PreflightOptions {
	return tui.PreflightOptions{
		In: o.env.Streams.In, Out: o.env.Streams.Out, Report: r, Explain: explained,
		NoColor: o.screen.noColor, Mouse: o.screen.mouse, Formats: []string{"markdown", "html"},
		Write: func(_ context.Context, format string) (string, error) {
			print, err := printers.NewPreflight(format)
			if err != nil {
				return "", err
			}
			return o.env.ticket(format, func(w io.Writer) error { return print(w, r) })
		},
	}
}
