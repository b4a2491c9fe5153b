package cli

import (
	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

func newIncidents(env command.Env) *cobra.Command {
	o := newListOptions(env)
	o.output.Incidents = true
	cmd := &cobra.Command{
		Use:   "incidents",
		Short: "Group the restarts by their shared root: one upgrade, 212 containers",
		Long: command.Lines(`
		Group the restarts by their shared root, newest first. Restarts belong to
		one incident if their verdicts are likely or better and name the same root on the
		same node; the same kind of root on several nodes, one soon after the other, is one
		incident with a part for each node (-o wide lists them).

		-o json, yaml and templates print the whole report, with .incidents in it.`),
		Example: command.Lines(`
		  kubectl restartwhy incidents -A
		  kubectl restartwhy incidents -A --since 24h -o wide
		  kubectl restartwhy incidents --from bundle.tar.zst
		  kubectl restartwhy incidents -A -o 'jsonpath={range .incidents[*]}{.summary}{"\n"}{end}'`),
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.answer(cmd.Context(), nil)
		},
	}
	o.addFlags(cmd)
	o.scope.AddFlags(cmd)
	o.sources.AddLevel(cmd)
	o.sources.AddFrom(cmd)
	o.sources.Conn.AddFlags(cmd)
	return cmd
}
