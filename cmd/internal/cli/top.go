package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
)

// topSince is the default period, as far back as most monitoring systems remember.
const topSince = "14d"

// topRows is how many rows the table for people has; -o wide, json and yaml have all.
const topRows = 15

// topOptions are the options of `top`, which counts what the listing lists.
type topOptions struct {
	*listOptions
	format string
}

func newTop(env command.Env) *cobra.Command {
	o := &topOptions{listOptions: newListOptions(env), format: "table"}
	cmd := &cobra.Command{
		Use:   "top",
		Short: "What to fix first: workloads, nodes and causes by restarts and time lost",
		Long: command.Lines(`
		Count the restarts of a period by workload, node and cause, most first,
		with the downtime and the trend.

		The API server keeps only the last end of each container, and logs go back only
		days: with --prometheus, a Prometheus that scrapes kube-state-metrics remembers
		the rest (docs/METRICS.md).`),
		Example: command.Lines(`
		  kubectl restartwhy top -A --prometheus auto
		  kubectl restartwhy top -n shop --since 24h
		  kubectl restartwhy top -A --from bundle.tar.zst -o json`),
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := errors.Join(command.CheckFormat(o.format, render.DocumentFormats), o.prepare(nil))
			if err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	o.filter.AddFlags(cmd)
	cmd.Flags().Lookup("since").DefValue = topSince
	o.filter.Since = topSince
	command.AddFormat(cmd, &o.format, render.DocumentFormats)
	o.scope.AddFlags(cmd)
	o.sources.AddLevel(cmd)
	o.sources.AddFrom(cmd)
	o.sources.Conn.AddFlags(cmd)
	return cmd
}

func (o *topOptions) run(ctx context.Context) (err error) {
	command.Logging(o.env, 0)
	o.sources.Read.RestartsOnly = o.filter.Container == ""
	g, err := o.sources.Gather(ctx, &o.scope, command.NewProgress(o.env))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	res, s := o.analyse(g)
	top := report.NewTop(res.Report, o.filter.Start(s.CollectedAt), s.CollectedAt)
	most := topRows
	if o.format == "wide" {
		most = 0
	}
	if err := o.env.Document(o.format, top, present.Top(top, most)); err != nil {
		return err
	}
	return g.Err
}
