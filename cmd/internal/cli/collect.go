package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// collectOptions write a bundle.
type collectOptions struct {
	env       Env
	scope     scope
	sources   *sources
	file      string
	force     bool
	local     bool
	since     string
	verbosity int
}

// localSince is how far back the logs of a node are read by default.
const localSince = "48h"

func newCollect(env Env) *cobra.Command {
	o := &collectOptions{env: env, sources: newSources(env)}
	cmd := &cobra.Command{
		Use:   "collect [POD | TYPE/NAME ...] -o FILE.tar.zst",
		Short: "Write the evidence to a bundle, for later or for somebody else",
		Long: lines(`
		Write the evidence for a scope to a bundle that 'analyze' reads anywhere. Secrets,
		config maps and the values of environment variables are never in it: the
		container hashes that need them are computed now.

		With --local, on a node and as root, the node itself is read: journals, container
		runtime, cgroups, units. The API server is asked too if a cluster is named.`),
		Example: lines(`
		  kubectl restartwhy collect -n shop -o shop.tar.zst
		  kubectl restartwhy collect -A --evidence logs -o all.tar.zst
		  sudo kubectl-restartwhy collect --local -o node.tar.zst`),
		ValidArgsFunction: o.sources.conn.completePods,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(args); err != nil {
				return err
			}
			if err := o.validate(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.file, "output", "o", "", "the file to write, *.tar.zst")
	f.BoolVar(&o.force, "force", false, "replace the file if it is there")
	f.BoolVar(&o.local, "local", false, "read the node that this runs on (Linux, root)")
	f.StringVar(&o.since, "since", localSince, "with --local: how far back to read journals")
	f.IntVarP(&o.verbosity, "verbosity", "v", 0, "1 lists all missing evidence, 6 and more also log the requests to the API server")
	f.Lookup("verbosity").NoOptDefVal = "1"
	o.scope.addFlags(cmd)
	o.sources.addLevel(cmd)
	o.sources.conn.addFlags(cmd)
	return cmd
}

func (o *collectOptions) complete(args []string) error { return o.scope.complete(args) }

func (o *collectOptions) validate() error {
	switch {
	case o.file == "":
		return usage("collect needs a file to write: -o FILE.tar.zst")
	case !strings.HasSuffix(o.file, ".tar.zst"):
		return usage("-o %s: the bundle is a .tar.zst archive and should be called so", o.file)
	case o.local && (len(o.scope.targets) > 0 || o.scope.selector != ""):
		return usage("--local reads the whole node: it takes no pods")
	}
	if _, err := parseAge(o.since); err != nil {
		return usage("--since %q: want a duration such as 24h or 7d", o.since)
	}
	return errors.Join(o.scope.validate(), o.sources.validate(&o.scope))
}

func (o *collectOptions) run(ctx context.Context) (err error) {
	logging(o.env, o.verbosity)
	p := &progress{w: o.env.Streams.ErrOut, watched: (&output{env: o.env}).talks()}
	g, err := o.gather(ctx, p)
	p.clear()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	files := g.yield.Files()
	if len(files) == 0 {
		return fmt.Errorf("collect: nothing could be read%s", why(&g.yield))
	}
	size, err := bundle.Create(o.file, o.force, bundle.Manifest{
		Tool: "kubectl-restartwhy " + o.env.Version, Scope: o.scope.forBundle(),
		CollectedAt: g.collectedAt, Gaps: g.yield.Gaps, Redactions: redact.Policy(),
	}, files)
	if errors.Is(err, bundle.ErrExists) {
		return hint(err, "--force replaces it")
	}
	if err != nil {
		return err
	}
	w := o.env.Streams.ErrOut
	for n, gap := range g.yield.Gaps {
		if o.verbosity == 0 && n == 1 {
			fmt.Fprintf(w, "note: and %d more: -v lists them\n", len(g.yield.Gaps)-1)
			break
		}
		fmt.Fprintf(w, "note: evidence is missing: %s: %s\n", gap.Source, gap.Why)
	}
	fmt.Fprintf(w, "wrote %s: %d files, %d KiB, %d gaps\n", o.file, len(files), (size+1023)/1024, len(g.yield.Gaps))
	if errors.Is(ctx.Err(), context.Canceled) {
		return hint(errors.New("collect evidence: interrupted"), "the bundle holds what was collected before")
	}
	return g.err
}

// gather reads the node that this runs on, the cluster, or both.
func (o *collectOptions) gather(ctx context.Context, p *progress) (*gathered, error) {
	if !o.local {
		return o.sources.gather(ctx, &o.scope, p)
	}
	age, err := parseAge(o.since)
	if err != nil {
		return nil, err
	}
	node, local, err := localNode(ctx, o.env.Now().Add(-age), p)
	if err != nil {
		return nil, err
	}
	o.scope.nodes = []string{node}
	g := &gathered{yield: local, close: func() error { return nil }}
	if o.sources.conn.given() {
		o.sources.onNode = true
		o.scope.allNamespaces = true
		more, err := o.sources.gather(ctx, &o.scope, p)
		if err != nil {
			g.err = err // the node's evidence is worth having by itself
		} else {
			g.yield.Add(more.yield)
		}
	}
	g.collectedAt = o.env.Now()
	return g, nil
}

// why names the first gap, as the reason for having nothing.
func why(y *diag.Yield) string {
	if len(y.Gaps) == 0 {
		return ""
	}
	return ": " + y.Gaps[0].Why
}
