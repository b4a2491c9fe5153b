package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes/catalogue"
)

// explainOptions show the catalogue of causes.
type explainOptions struct {
	env   Env
	cause string
}

func newExplain(env Env) *cobra.Command {
	o := &explainOptions{env: env}
	cmd := &cobra.Command{
		Use:     "explain [CAUSE]",
		Short:   "Explain a cause: what happened, how it is proven, what to do",
		Example: "  kubectl restartwhy explain\n  kubectl restartwhy explain hash-kubelet-upgrade",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("explain takes one cause, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return causeIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.cause = args[0]
			}
			return o.run()
		},
	}
	setUsage(cmd, nil)
	return cmd
}

func (o *explainOptions) run() error {
	var near []string
	for _, c := range catalogue.All() {
		switch {
		case o.cause == "":
			fmt.Fprintf(o.env.Streams.Out, "%-24s %s\n", c.ID, c.Title)
		case o.cause == string(c.ID):
			fmt.Fprintln(o.env.Streams.Out, strings.TrimRight(c.Doc, "\n"))
			return nil
		case strings.Contains(string(c.ID), o.cause):
			near = append(near, string(c.ID))
		}
	}
	if o.cause == "" {
		return nil
	}
	hints := []string{"'explain' without a name lists the causes"}
	if len(near) > 0 {
		hints = append(hints, "did you mean "+strings.Join(near, ", ")+"?")
	}
	return hint(fmt.Errorf("explain %s: no such cause", o.cause), hints...)
}
