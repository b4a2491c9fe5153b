package preflightcmd

import (
	"context"
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/tui"
)

// view shows a preflight in the viewer or as its linear text, and reports whether it did. With no container and no node
// there is nothing to view.
func (o *Options) view(ctx context.Context, r *report.Preflight) (shown bool, err error) {
	switch {
	case o.screen.Plain:
		if err := render.PreflightPlain(o.env.Streams.Out, r); err != nil {
			return true, fmt.Errorf("print report: %w", err)
		}
		return true, nil
	case o.screen.Interactive() && len(r.Nodes)+len(r.Items) > 0:
		return true, tui.Run(ctx, o.viewer(r))
	}
	return false, nil
}

func (o *Options) viewer(r *report.Preflight) tui.Options {
	return tui.Options{
		In: o.env.Streams.In, Out: o.env.Streams.Out, Preflight: r, Explain: command.Explained,
		NoColor: o.screen.NoColor, Mouse: o.screen.Mouse, Formats: []string{"markdown", "html"},
		Write: func(_ context.Context, format string, _ *report.Report, _ report.DetailProvider) (string, error) {
			return o.env.Ticket(format, func(w io.Writer) error { return render.Preflight(w, r, format, 0) })
		},
	}
}
