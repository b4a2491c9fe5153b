package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// shim is the program that kubectl (1.26 and later) runs for completions of a plugin: a file with this name on the
// PATH.
const shim = `#!/usr/bin/env sh
# Save this as kubectl_complete-restartwhy in a directory on the PATH and make
# it executable; kubectl then completes 'kubectl restartwhy'.
exec kubectl-restartwhy __complete "$@"
`

func newCompletion(env command.Env) *cobra.Command {
	shells := map[string]func(root *cobra.Command, w io.Writer) error{
		"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"zsh":        func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) },
		"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) },
		"kubectl":    func(_ *cobra.Command, w io.Writer) error { _, err := io.WriteString(w, shim); return err },
	}
	cmd := &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell|kubectl",
		Short: "Print a completion script",
		Long: command.Lines(`
		Print a completion script for a shell, for the program called kubectl-restartwhy;
		or, with kubectl, the small program through which kubectl itself completes
		'kubectl restartwhy'. A link called kubectl_complete-restartwhy to this program
		on the PATH does the same.`),
		Example: "  kubectl restartwhy completion kubectl > ~/bin/kubectl_complete-restartwhy && chmod +x " +
			"~/bin/kubectl_complete-restartwhy",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell", "kubectl"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || shells[args[0]] == nil {
				return command.Usage("completion needs one of bash, zsh, fish, powershell, kubectl")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := shells[args[0]](cmd.Root(), env.Streams.Out); err != nil {
				return fmt.Errorf("print completion for %s: %w", args[0], err)
			}
			return nil
		},
	}
	command.SetUsage(cmd, nil)
	return cmd
}
