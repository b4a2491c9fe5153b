// Package cli is the command line: the root command, which lists restarts, and one file for each subcommand.
// Subcommands of several files are separate packages (hashcmd, preflightcmd); shared code is in package command.
//
// It does the wiring: it may import everything of the project, and only main imports it. Run returns the exit code.
package cli

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// Run runs one command line (args[0] is the program) and returns the exit code. Errors and their hints have been
// printed by then.
func Run(ctx context.Context, env command.Env, args []string) int {
	name, rest := invoked(args)
	root := newRoot(env, name)
	root.SetArgs(spelt(rest))
	root.SetIn(env.Streams.In)
	root.SetOut(env.Streams.Out)
	root.SetErr(env.Streams.ErrOut)
	return command.ExitCode(env.Streams.ErrOut, root.ExecuteContext(ctx))
}

// spelt returns arguments in the form in which the flags' parser takes them: kubectl's users write -v 6, and an exit
// code of Windows is a negative number.
func spelt(args []string) []string {
	out := make([]string, 0, len(args)+1)
	for n, arg := range args {
		_, err := strconv.Atoi(arg)
		switch last := len(out) - 1; {
		case arg == "--":
			return append(out, args[n:]...)
		case err != nil:
			out = append(out, arg)
		case last >= 0 && (out[last] == "-v" || out[last] == "--verbosity"):
			out[last] += "=" + arg
		case last >= 0 && out[0] == "explain" && arg[0] == '-':
			return append(append(out, "--"), args[n:]...)
		default:
			out = append(out, arg)
		}
	}
	return out
}

// invoked returns the name under which the program was called, and its arguments. kubectl calls a plugin by its path,
// and requests completions under a second name (k8s.io/kubectl pkg/cmd/plugin plugin_completion.go).
func invoked(args []string) (name string, rest []string) {
	name, rest = "kubectl-restartwhy", []string{}
	if len(args) > 0 {
		name, rest = strings.TrimSuffix(filepath.Base(args[0]), ".exe"), args[1:]
	}
	if strings.HasPrefix(name, "kubectl_complete-") {
		return "kubectl restartwhy", append([]string{cobra.ShellCompRequestCmd}, rest...)
	}
	return strings.Replace(name, "kubectl-", "kubectl ", 1), rest
}
