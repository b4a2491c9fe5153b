package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/mcp"
)

func newMCP(env command.Env) *cobra.Command {
	s := command.NewSources(env)
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let an agent ask the same questions (Model Context Protocol)",
		Long: command.Lines(`
		Answer an agent on standard input and output by the Model Context Protocol. The tools
		why, incidents, node, preflight, hash and explain only read, with your rights and the
		cluster that the flags name; --from gives them a recording instead. They never create
		a pod. An answer is the JSON of the command of the same name, of at most 60 kB.

		Agents start this program by themselves: docs/MCP.md says how they are configured.`),
		Example: command.Lines(`
		  kubectl restartwhy mcp
		  kubectl restartwhy mcp --context staging --evidence logs
		  kubectl restartwhy mcp --from bundle.tar.zst`),
		Args: command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case !slices.Contains(command.AgentLevels, string(s.Read.Level)):
				return command.Usage("unknown value %q for --evidence: want auto, api or logs: agents create no pods", s.Read.Level)
			case slices.Contains(s.From, "-"):
				return command.Usage("--from -: standard input is the agent's")
			}
			fmt.Fprintln(env.Streams.ErrOut,
				"note: an agent is answered on standard input and output; docs/MCP.md says how one is configured")
			err := agent(env, cmd.Flags()).Serve(cmd.Context(), io.NopCloser(env.Streams.In), unclosed{env.Streams.Out})
			if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
				return nil // the agent or the user ended it
			}
			return err
		},
	}
	s.AddLevels(cmd, command.AgentLevels)
	s.AddRecordings(cmd)
	s.Conn.AddFlags(cmd)
	return cmd
}

// agent is a server whose tools are command lines of this program, with the flags that the server was started with.
func agent(e command.Env, given *pflag.FlagSet) *mcp.Server {
	var cluster []string
	given.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if several, ok := f.Value.(pflag.SliceValue); ok {
			values = several.GetSlice()
		}
		for _, v := range values {
			cluster = append(cluster, "--"+f.Name+"="+v)
		}
	})
	run := func(ctx context.Context, args []string) ([]byte, error) {
		var out bytes.Buffer
		one := e
		one.Streams = genericiooptions.IOStreams{In: &bytes.Buffer{}, Out: &out, ErrOut: io.Discard}
		root := newRoot(one, "kubectl restartwhy")
		root.SetArgs(args)
		err := root.ExecuteContext(ctx)
		return out.Bytes(), told(err)
	}
	return &mcp.Server{Version: e.Version, Cluster: cluster, Run: run}
}

// told is an error in the form for an agent: its text and hints, safe to print.
func told(err error) error {
	if err == nil {
		return nil
	}
	var b bytes.Buffer
	command.ExitCode(&b, err)
	return errors.New(string(bytes.TrimPrefix(bytes.TrimSpace(b.Bytes()), []byte("error: "))))
}

// unclosed is a writer of the process that must stay open for others.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
