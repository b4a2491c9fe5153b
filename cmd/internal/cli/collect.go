package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// collectOptions are the options of `collect`.
type collectOptions struct {
	env       command.Env
	scope     command.Scope
	sources   *command.Sources
	file      string
	force     bool
	local     bool
	leash     bool
	root      string
	only      []string
	since     string
	verbosity int
}

func newCollect(env command.Env) *cobra.Command {
	o := &collectOptions{env: env, sources: command.NewSources(env)}
	o.sources.Read.Gates = true // for a preflight of the bundle
	cmd := &cobra.Command{
		Use:   "collect [POD | TYPE/NAME ...] -o FILE.tar.zst",
		Short: "Write the evidence to a bundle, for later or for someone else",
		Long: command.Lines(`
		Write the evidence for a scope to a bundle that 'analyze' can read anywhere. Secrets,
		config maps and the values of environment variables are never in it: the
		container hashes that need them are computed now.

		With --local, on a node and as root, the node itself is read: journals, container
		runtime, cgroups, units. If a cluster is named, the API server is read too. With
		-o - the bundle goes to standard output.

		Ctrl-C ends the collection; the bundle is still written, marked as incomplete,
		and the exit code is 1.`),
		Example: command.Lines(`
		  kubectl restartwhy collect -n shop -o shop.tar.zst
		  kubectl restartwhy collect -A --evidence logs -o all.tar.zst
		  sudo kubectl-restartwhy collect --local -o node.tar.zst
		  ssh worker-3 sudo kubectl-restartwhy collect --local -o - > worker-3.tar.zst`),
		ValidArgsFunction: o.sources.Conn.CompleteTargets,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.scope.Complete(o.sources.Conn, args); err != nil {
				return err
			}
			if err := o.validate(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "", "the file to write, *.tar.zst; with --local also - for standard output")
	f.BoolVar(&o.force, "force", false, "replace the file if it exists")
	f.BoolVar(&o.local, "local", false, "read the node that this runs on (Linux, root)")
	f.StringVar(&o.since, "since", command.LocalSince,
		"with --local or --evidence pod: how far back to read journals; with --prometheus, metrics")
	f.StringVar(&o.root, "root", "/", "with --local: the root directory of the node's file system")
	f.StringSliceVar(&o.only, "sources", nil, "with --local: read only these: "+strings.Join(collect.LocalSources(), ","))
	f.BoolVar(&o.leash, "leash", false, "with --local: start at a line on standard input, and stop when it ends")
	_ = f.MarkHidden("leash") // for collector pods; the flag exists
	o.sources.AddNode(cmd)
	command.AddVerbosity(cmd, &o.verbosity)
	o.scope.AddFlags(cmd)
	o.sources.AddLevel(cmd)
	o.sources.Conn.AddFlags(cmd)
	return cmd
}

func (o *collectOptions) validate() error {
	switch {
	case o.file == "":
		return command.Usage("collect needs a file to write: -o FILE.tar.zst")
	case o.file == "-" && !o.local:
		return command.Usage("-o - works only with --local: write the bundle of a cluster to a file")
	case o.file != "-" && !strings.HasSuffix(o.file, ".tar.zst"):
		return command.Usage("-o %s: the bundle is a .tar.zst archive, so its name must end with .tar.zst", o.file)
	case o.local && (len(o.scope.Targets) > 0 || o.scope.Selector != ""):
		return command.Usage("--local reads the whole node: it takes no pods")
	case !o.local && (o.root != "/" || o.leash || len(o.only) > 0 || o.sources.Node != ""):
		return command.Usage("--root, --sources and --node need --local")
	}
	for _, name := range o.only {
		if !slices.Contains(collect.LocalSources(), name) {
			return command.Usage("unknown source %q for --sources: want %s", name, strings.Join(collect.LocalSources(), ", "))
		}
	}
	o.sources.Pod.Since = o.since
	return errors.Join(o.scope.Validate(), o.sources.Validate(&o.scope))
}

func (o *collectOptions) run(ctx context.Context) (err error) {
	command.Logging(o.env, o.verbosity)
	p := command.NewProgress(o.env)
	if o.leash {
		if ctx, err = leashed(ctx, o.env.Streams.In); err != nil {
			return err
		}
	}
	g, err := o.gather(ctx, p)
	p.Clear()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	files := g.Files()
	if len(files) == 0 {
		return fmt.Errorf("collect: nothing could be read%s", why(&g.Collection))
	}
	interrupted := errors.Is(ctx.Err(), context.Canceled)
	manifest := bundle.Manifest{
		Tool: "kubectl-restartwhy " + o.env.Version, Scope: o.scope.ForBundle(),
		CollectedAt: g.CollectedAt, Incomplete: interrupted, Gaps: g.Gaps, Redactions: redact.Policy(),
	}
	if o.file == "-" {
		return o.stream(ctx, manifest, files)
	}
	size, err := bundle.Create(o.file, o.force, manifest, files)
	if errors.Is(err, bundle.ErrExists) {
		return command.Hint(err, "--force replaces it")
	}
	if err != nil {
		return err
	}
	w := o.env.Streams.ErrOut
	command.Gaps(w, g.Gaps, o.verbosity > 0)
	fmt.Fprintf(w, "wrote %s: %d files, %d KiB, %d gaps\n", o.file, len(files), (size+1023)/1024, len(g.Gaps))
	if interrupted {
		return command.Hint(errors.New("collect evidence: interrupted"), "the bundle holds what was collected before")
	}
	return g.Err
}

// stream writes the bundle to standard output and prints nothing else: the reader at the other end finds the gaps in
// the bundle.
func (o *collectOptions) stream(ctx context.Context, m bundle.Manifest, files []evidence.File) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if tty, _ := o.env.Terminal(); tty {
		return command.Usage("-o - would write the bundle to a terminal")
	}
	if err := bundle.Write(o.env.Streams.Out, m, files); err != nil {
		return fmt.Errorf("write bundle to standard output: %w", err)
	}
	return nil
}

// gather reads the node that this runs on, the cluster, or both.
func (o *collectOptions) gather(ctx context.Context, p *command.ProgressBar) (*collect.Collected, error) {
	switch {
	case o.scope.OnePod():
		o.sources.Neighbours = forensics.Wide // then 'hash POD' finds the same in the bundle as in the cluster
	case o.local || len(o.scope.Targets)+len(o.scope.Nodes) > 0:
		o.sources.Neighbours = forensics.Narrow
	}
	if !o.local {
		return o.sources.Gather(ctx, &o.scope, p)
	}
	here := collect.Local{Root: o.root, Node: o.sources.Node, Since: o.env.Now().Add(-o.sources.Read.Age), Only: o.only}
	node, local, err := here.Read(ctx, p)
	switch {
	case errors.Is(err, collect.ErrNoRoot):
		return nil, command.Usage("--root %s: %w", o.root, err)
	case errors.Is(err, collect.ErrNoName):
		return nil, command.Hint(fmt.Errorf("collect --local: %w", err), "is this a node? --node NAME names it")
	case err != nil:
		return nil, command.Hint(fmt.Errorf("collect --local: %w", err), "run it on the node itself")
	}
	o.scope.Nodes = []string{node}
	g := &collect.Collected{Collection: local, Close: func() error { return nil }}
	if o.sources.Conn.Given() {
		o.sources.Read.OnNode = true
		o.scope.AllNamespaces = true
		more, err := o.sources.Gather(ctx, &o.scope, p)
		if err != nil {
			g.Err = err // the node's evidence is useful by itself
		} else {
			g.Add(more.Collection)
			o.sources.Read.HashLater(g.Pieces)
		}
	}
	g.CollectedAt = o.env.Now()
	return g, nil
}

// why returns the first gap as the reason for having nothing.
func why(y *diag.Collection) string {
	if len(y.Gaps) == 0 {
		return ""
	}
	return ": " + y.Gaps[0].Why
}

// errLeash: the client that requested the bundle is gone.
var errLeash = errors.New("collect --local: standard input ended: no one is waiting for the bundle")

// leashed waits for a line on standard input and returns a context that ends when the input does. This is how a
// collector pod is stopped when its client is gone.
func leashed(ctx context.Context, in io.Reader) (context.Context, error) {
	r := bufio.NewReader(io.LimitReader(in, 4<<10))
	first := make(chan error, 1)
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, err := r.ReadString('\n')
		first <- err
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		cancel(fmt.Errorf("%w: %w", errLeash, errors.Join(err, io.EOF)))
	}()
	select {
	case err := <-first:
		if err != nil {
			return ctx, errLeash
		}
		return ctx, nil
	case <-ctx.Done():
		return ctx, context.Cause(ctx)
	}
}
