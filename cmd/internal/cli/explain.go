package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes/catalogue"
)

// explainOptions show the catalogue of causes.
type explainOptions struct {
	env   Env
	cause string
	// example prints the worked example and nothing else.
	example bool
}

func newExplain(env Env) *cobra.Command {
	o := &explainOptions{env: env}
	cmd := &cobra.Command{
		Use:     "explain [CAUSE]",
		Short:   "Explain a cause: what happened, how it is proven, what to do",
		Example: "  kubectl restartwhy explain\n  kubectl restartwhy explain hash-kubelet-upgrade\n  kubectl restartwhy explain hash-kubelet-upgrade --example",
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
	cmd.Flags().BoolVar(&o.example, "example", false, "print the worked example alone: the files of a bundle as a text archive, which 'make corpus' executes")
	setUsage(cmd, nil)
	return cmd
}

// page parts a cause's page from the files of its worked example, which are long
// and of use to those who want to execute them.
func page(doc string) (text, example string) {
	text, rest, ok := strings.Cut(doc, "\n## Worked example\n```txtar\n")
	if ok {
		example, _, _ = strings.Cut(rest, "\n```")
	}
	return strings.TrimRight(text, "\n"), example
}

func (o *explainOptions) run() error {
	for _, c := range catalogue.All() {
		switch {
		case o.cause == "":
			fmt.Fprintf(o.env.Streams.Out, "%-24s %s\n", c.ID, c.Title)
		case o.cause == string(c.ID):
			text, example := page(c.Doc)
			if o.example {
				text = example
			}
			if text == "" {
				return fmt.Errorf("explain %s: it has no worked example", o.cause)
			}
			fmt.Fprintln(o.env.Streams.Out, text)
			return nil
		}
	}
	if o.cause == "" {
		return nil
	}
	return hint(fmt.Errorf("explain %s: no such cause", o.cause), causeHints(o.cause)...)
}

// causeHints help whoever typed an id that there is not.
func causeHints(typed string) []string {
	hints := []string{"'explain' without a name lists the causes"}
	typed = strings.ToLower(typed)
	ids := slices.DeleteFunc(causeIDs(), func(id string) bool { return typed == "" || !strings.Contains(id, typed) })
	if len(ids) == 0 {
		ids = nearest(typed, causeIDs())
	}
	if len(ids) > 0 {
		hints = append(hints, "did you mean "+strings.Join(ids, ", ")+"?")
	}
	return hints
}
