package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// topSince is how far back is counted by default, as far as most monitoring systems remember.
const topSince = "14d"

// topRows is how many rows a table has for people; -o wide, json and yaml have all.
const topRows = 15

// topOptions count what the listing lists.
type topOptions struct {
	*listOptions
	format string
}

func newTop(env Env) *cobra.Command {
	o := &topOptions{listOptions: newListOptions(env)}
	cmd := &cobra.Command{
		Use:   "top",
		Short: "What to fix first: workloads, nodes and causes by restarts and time lost",
		Long: lines(`
		Count the restarts of a stretch of time by workload, node and cause, most first,
		with the time for which containers were not there, and whether it gets more or less.

		The API server knows the last end of each container only, and logs go back for
		days: with --prometheus, a Prometheus that scrapes kube-state-metrics remembers
		the rest (docs/METRICS.md).`),
		Example: lines(`
		  kubectl restartwhy top -A --prometheus auto
		  kubectl restartwhy top -n shop --since 24h
		  kubectl restartwhy top -A --from bundle.tar.zst -o json`),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(nil); err != nil {
				return err
			}
			if !slices.Contains(documentFormats, o.format) {
				return usage("unknown output format %q: want %s", o.format, strings.Join(documentFormats, "|"))
			}
			if err := o.validate(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	o.filter.addFlags(cmd)
	cmd.Flags().Lookup("since").DefValue = topSince
	o.filter.since = topSince
	cmd.Flags().StringVarP(&o.format, "output", "o", "table", "output format: "+strings.Join(documentFormats, "|"))
	fixed(cmd, "output", documentFormats...)
	o.scope.addFlags(cmd)
	o.sources.addLevel(cmd)
	o.sources.addFrom(cmd)
	o.sources.conn.addFlags(cmd)
	return cmd
}

func (o *topOptions) run(ctx context.Context) (err error) {
	logging(o.env, 0)
	o.sources.read.RestartsOnly = o.filter.container == ""
	p := newProgress(o.env)
	g, err := o.sources.gather(ctx, &o.scope, p)
	if err != nil {
		p.clear()
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	res, s := o.analyse(g)
	p.clear()
	top := report.NewTop(res.Report, o.filter.start(s.CollectedAt), s.CollectedAt)
	most := topRows
	if o.format == "wide" {
		most = 0
	}
	if err := o.env.document(o.format, top, present.Top(top, most)); err != nil {
		return err
	}
	return g.Err
}
