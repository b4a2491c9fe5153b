package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// SetUsage prints a command's own flags first and kubectl's well-known connection flags after them.
func SetUsage(cmd *cobra.Command, connection *pflag.FlagSet) {
	cmd.SetUsageFunc(func(c *cobra.Command) error {
		w := c.OutOrStderr()
		fmt.Fprintf(w, "Usage:\n  %s\n", c.UseLine())
		if c.HasExample() {
			fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
		}
		if c.HasAvailableSubCommands() {
			fmt.Fprintf(w, "\nCommands:\n")
			for _, sub := range c.Commands() {
				if sub.IsAvailableCommand() {
					fmt.Fprintf(w, "  %-12s %s\n", sub.Name(), sub.Short)
				}
			}
		}
		own := pflag.NewFlagSet("", pflag.ContinueOnError)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if connection == nil || connection.Lookup(f.Name) == nil {
				own.AddFlag(f)
			}
		})
		if text := own.FlagUsages(); text != "" {
			fmt.Fprintf(w, "\nFlags:\n%s", text)
		}
		if connection != nil {
			fmt.Fprintf(w, "\nConnection flags (the same as kubectl's):\n%s", connection.FlagUsages())
		}
		return nil
	})
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &failure{err: err, code: ExitUsage, hints: append(flagHints(c, err),
			fmt.Sprintf("see '%s --help'", c.CommandPath()))}
	})
}

// Lines removes the indentation of a text block, so that examples and long help can be indented in the code.
func Lines(text string) string {
	var out []string
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		out = append(out, strings.TrimRight(strings.TrimPrefix(line, "\t\t"), "\n\t"))
	}
	return strings.Join(out, "\n")
}

// Args checks the number of arguments; the error says what is wanted.
func Args(least, most int, want string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) >= least && len(args) <= most:
			return nil
		case len(args) == 0:
			return Usage("%s", want)
		}
		return Usage("%s, got %d arguments", want, len(args))
	}
}

// NoArgs rejects arguments with a usage error.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usage("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}
