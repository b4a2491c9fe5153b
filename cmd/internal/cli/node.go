package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

func newNode(env command.Env) *cobra.Command {
	o := newListOptions(env)
	cmd := &cobra.Command{
		Use:   "node NODE...",
		Short: "Name the cause of everything that restarted on a node",
		Long: command.Lines(`
		Name the cause of everything that restarted on the nodes, whatever its namespace.
		The kubelet's log is read through the API server where that is allowed.`),
		Example: command.Lines(`
		  kubectl restartwhy node worker-3
		  kubectl restartwhy node worker-3 worker-4 --since 2h
		  kubectl restartwhy node worker-3 --from bundle.tar.zst`),
		ValidArgsFunction: o.sources.Conn.CompleteNodes,
		Args:              command.Args(1, many, "node needs the name of a node"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.scope.Nodes = slices.Compact(slices.Sorted(slices.Values(args)))
			o.scope.AllNamespaces = o.sources.Conn.Namespace() == ""
			return o.answer(cmd.Context(), nil)
		},
	}
	o.addFlags(cmd)
	o.addPreviousLogs(cmd)
	o.addWatch(cmd)
	cmd.Flags().StringVarP(&o.scope.Selector, "selector", "l", "", "only pods with these labels, as in kubectl")
	o.sources.AddLevel(cmd)
	o.sources.AddRecordings(cmd)
	o.sources.Conn.AddFlags(cmd)
	return cmd
}
