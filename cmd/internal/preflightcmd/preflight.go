// Package preflightcmd is the command `preflight`: what a change of kubelets would do, predicted at once, page by page,
// in the viewer, or watched while it happens.
package preflightcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/data"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
	"github.com/restartwhy/kubectl-restartwhy/tui"
)

// Options are the options of `preflight`.
type Options struct {
	env       command.Env
	screen    command.Output // its flags, and what it knows of the terminal
	scope     command.Scope
	sources   *command.Sources
	to        string
	apiServer string
	nodes     []string
	watch     bool
	every     time.Duration // the pause of --watch between two rounds

	target, api kubelet.Version
}

// failOnPredictions are the values of --fail-on, strictest last; each includes those before it. A kubelet that would
// not start matches every one of them.
var failOnPredictions = []string{"restart", "may", "unknown"}

// New returns the command. every is the pause of --watch between two rounds.
func New(env command.Env, every time.Duration) *cobra.Command {
	o := &Options{env: env, screen: command.Output{Env: env}, sources: command.NewSources(env), every: every}
	cmd := &cobra.Command{
		Use:   "preflight --to VERSION [POD | TYPE/NAME ...]",
		Short: "Predict which containers restart when kubelets are changed in place",
		Long: command.Lines(`
		Predict what happens to every running container when the kubelet of its node is replaced
		by version --to without a drain, and why; --to same: when it is only restarted.

		Each prediction is the decision of that version's own code about the pod as it is:
		restarts, may (it depends on something not known in advance), stays, or unknown. For
		nodes it shows what would keep the kubelet from starting, and which are hit hardest.
		On a terminal, without -o and --fail-on, it opens in the viewer.

		Without --evidence pod (or a bundle that has the runtime's records) the stored hash
		of a container is assumed to be the one that its kubelet computes from the spec.
		--evidence logs also reads each kubelet's feature gates.

		--watch keeps the prediction and watches while you replace the kubelets: for each
		node it shows what came true, what did not, and what was not predicted.

		Exit codes: 0 done, 1 error, 2 wrong usage, 3 --fail-on matched.`),
		Example: command.Lines(`
		  kubectl restartwhy preflight --to v1.31 -A             the whole cluster
		  kubectl restartwhy preflight --to v1.31 --node worker-3
		  kubectl restartwhy preflight --to v1.35 -n shop -l app=web
		  kubectl restartwhy preflight --to same -A              only a restart of the kubelets
		  kubectl restartwhy preflight --to v1.31 -A -o markdown --fail-on restart
		  kubectl restartwhy preflight --to v1.31 -A --watch     and then replace the kubelets
		  kubectl restartwhy preflight --to v1.31 --from bundle.tar.zst -o json`),
		ValidArgsFunction: o.sources.Conn.CompleteTargets,
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(o.complete(args), o.scope.Validate(), o.sources.Validate(&o.scope),
				o.validateWatch()); err != nil {
				return err
			}
			if o.watch {
				return o.follow(cmd.Context())
			}
			return o.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "the new kubelet version, such as v1.31 or v1.31.4, or same")
	f.StringVar(&o.apiServer, "api-server", "", "the version of the API server, if its pods cannot be seen")
	f.StringArrayVar(&o.nodes, "node", nil, "only this node; may be repeated")
	command.AddFormat(cmd, &o.screen.Format, render.PreflightFormats)
	f.StringVar(&o.screen.FailOn, "fail-on", "",
		"exit with 3 if a kubelet would not start or a container is predicted to: restart|may|unknown (each includes those "+
			"before it)")
	f.BoolVarP(&o.watch, "watch", "w", false,
		"watch while kubelets are replaced, and compare what happens with the prediction")
	o.sources.AddRecordings(cmd)
	o.screen.AddTerminal(cmd)
	command.Fixed(cmd, "to", command.VersionWords()...)
	command.Fixed(cmd, "fail-on", failOnPredictions...)
	o.scope.AddFlags(cmd)
	// The current state is needed, not history: logs add little.
	o.sources.Read.Level = collect.API
	o.sources.AddLevel(cmd)
	o.sources.Read.Gates = true
	o.sources.Conn.AddFlags(cmd)
	_ = cmd.RegisterFlagCompletionFunc("node", o.sources.Conn.CompleteNodes) // the flag exists
	return cmd
}

// complete parses arguments and flags; all errors are reported at once.
func (o *Options) complete(args []string) error {
	errs := []error{o.scope.Complete(o.sources.Conn, args)}
	if len(o.nodes) > 0 {
		o.scope.Nodes = slices.Compact(slices.Sorted(slices.Values(append(o.nodes, o.scope.Nodes...))))
		o.scope.AllNamespaces = o.sources.Conn.Namespace() == ""
	}
	version := func(flag, text string) kubelet.Version {
		v, err := command.KubeletVersion(flag, text)
		errs = append(errs, err)
		return v
	}
	from, mistaken := command.VersionForFile(o.sources.From)
	switch {
	case o.to == "" && mistaken:
		errs = append(errs, command.Usage("--from takes a recording; did you mean --to %s?", safetext.Ident(from)))
	case o.to == "":
		errs = append(errs, command.Usage("preflight needs --to: a version such as v1.31, or same"))
	case mistaken:
		errs = append(errs, command.Usage("--from takes a recording, not a version (%s): the current version of each node's "+
			"kubelet is read", safetext.Ident(from)))
	case o.to == preflight.Same:
	default:
		o.target = version("to", o.to)
	}
	if o.apiServer != "" {
		o.api = version("api-server", o.apiServer)
	}
	if o.screen.FailOn != "" && !slices.Contains(failOnPredictions, o.screen.FailOn) {
		errs = append(errs, command.Usage("unknown value %q for --fail-on: want %s", o.screen.FailOn,
			strings.Join(failOnPredictions, ", ")))
	}
	if o.screen.Plain && o.screen.Format != "" {
		errs = append(errs, command.Usage("--plain and -o are two formats: choose one"))
	}
	return errors.Join(append(errs, command.CheckFormat(o.screen.Format, render.PreflightFormats))...)
}

func (o *Options) run(ctx context.Context) (err error) {
	if o.paged() {
		r, lacking, err := o.stream(ctx)
		if err != nil {
			return err
		}
		return o.show(ctx, r, lacking)
	}
	g, err := o.sources.Gather(ctx, &o.scope, command.NewProgress(o.env))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	r, _, err := o.predict(g)
	if err != nil {
		return err
	}
	return o.show(ctx, r, g.Err)
}

// show shows a report, and what could not be read although something else could. With no container and no node there is
// nothing to view.
func (o *Options) show(ctx context.Context, r *report.Preflight, lacking error) error {
	if o.screen.Interactive() && len(r.Nodes)+len(r.Items) > 0 {
		return errors.Join(tui.Run(ctx, o.viewer(r)), lacking, o.match(r))
	}
	if err := o.print(r); err != nil {
		return err
	}
	return errors.Join(lacking, o.match(r))
}

// options returns the options without the scope's filter.
func (o *Options) options() preflight.Options {
	return preflight.Options{
		To: o.target, APIServer: o.api, Nodes: o.scope.Nodes,
		ToolVersion: o.env.Version, GeneratedAt: o.env.Now(), Scope: o.scope.ForReport(nil, o.sources.Names()),
	}
}

func (o *Options) predict(g *collect.Collected) (*report.Preflight, *evidence.Snapshot, error) {
	s := g.Snapshot()
	options := o.options()
	if len(o.scope.Targets) > 0 || o.scope.Selector != "" || o.scope.Namespace != "" {
		options.Keep = o.scope.Keep(s, !o.sources.Recorded())
	}
	r, err := preflight.Run(s, options)
	if err != nil {
		return nil, nil, errors.Join(err, g.Err)
	}
	switch {
	case len(r.Items) > 0:
	case !o.sources.Recorded():
		fmt.Fprintf(o.env.Streams.ErrOut, "note: no container is in the evidence: %s\n", command.Looked(s, true))
	case len(s.Pods) == 0:
		return nil, nil, command.Hint(errors.New("predict restarts: the recording has no pods"),
			"it needs them as the API server has them: kubectl get pods,nodes -A -o json")
	default:
		return nil, nil, fmt.Errorf("predict restarts: the recording has no running pod that was asked for (%d in all)",
			len(s.Pods))
	}
	return r, s, nil
}

// print prints the report and, with text formats, what could not be read.
func (o *Options) print(r *report.Preflight) error {
	_, width := o.env.Terminal()
	var err error
	switch {
	case o.screen.Plain:
		err = render.PreflightPlain(o.env.Streams.Out, r)
	case o.watch && o.screen.Format == "json":
		err = data.Line(o.env.Streams.Out, r) // before the lines of the outcomes
	default:
		err = render.Preflight(o.env.Streams.Out, r, o.screen.Format, width)
	}
	if err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	if render.Text(o.screen.Format) && !o.screen.Plain {
		render.Gaps(o.env.Streams.ErrOut, r.Gaps, false)
	}
	return nil
}

func (o *Options) match(r *report.Preflight) error {
	level := slices.Index(failOnPredictions, o.screen.FailOn)
	if level < 0 {
		return nil
	}
	n := r.Summary.Restarts
	if level >= 1 {
		n += r.Summary.May
	}
	if level >= 2 {
		n += r.Summary.Unknown
	}
	unsure := 0
	for i := range r.Nodes {
		if one := &r.Nodes[i]; level >= 2 && one.Extrapolated && !one.Blocked && one.From != one.To {
			unsure++
		}
	}
	if n == 0 && r.Summary.BlockedNodes == 0 && unsure == 0 {
		return nil
	}
	text := fmt.Sprintf("%d of %d containers are predicted to %s", n, r.Summary.Total(),
		[]string{"restart", "restart, or may", "restart, or may, or are not known"}[level])
	if b := r.Summary.BlockedNodes; b > 0 {
		text += fmt.Sprintf("; nodes whose kubelet would not start: %d", b)
	}
	if unsure > 0 {
		text += fmt.Sprintf("; nodes where it is not known whether the kubelet starts: %d", unsure)
	}
	return &command.Matched{Text: text}
}

func (o *Options) viewer(r *report.Preflight) tui.Options {
	return tui.Options{
		In: o.env.Streams.In, Out: o.env.Streams.Out, Preflight: r, Explain: command.Explained,
		NoColor: o.screen.NoColor, Mouse: o.screen.Mouse, Formats: []string{"markdown", "html"},
		Write: func(_ context.Context, format string, _ *report.Report, _ report.DetailProvider) (string, error) {
			return o.env.Ticket(format, func(w io.Writer) error { return render.Preflight(w, r, format, 0) })
		},
	}
}

// paged reports whether the scope is the pods of all namespaces and only the API server is read: then they are
// predicted page by page. A watch needs all pods for comparison, and evidence from nodes has to be complete first.
func (o *Options) paged() bool {
	return !o.sources.Recorded() && o.sources.Read.Level == collect.API && !o.watch &&
		o.scope.AllNamespaces && len(o.scope.Targets)+len(o.scope.Nodes) == 0
}

// stream predicts while the pods are read. lacking says that some of them could not be: --fail-on must not pass on the
// rest.
func (o *Options) stream(ctx context.Context) (r *report.Preflight, lacking, err error) {
	cl, err := o.sources.Conn.Open()
	if err != nil {
		return nil, nil, err
	}
	o.sources.Read.Hashing = o.sources.Hashing()
	p := command.NewProgress(o.env)
	defer p.Clear()
	options := o.options()
	if o.scope.Selector != "" {
		// The API server has selected; nodes without a selected pod do not matter.
		options.Keep = func(string, string, string) bool { return true }
	}
	var stream *preflight.Stream
	pods := 0
	gaps, lacking, err := o.sources.Read.Pages(ctx, cl, o.scope.Selector, p, func(s *evidence.Snapshot) error {
		if stream == nil {
			var err error
			stream, err = preflight.NewStream(s, options)
			return err
		}
		pods += len(s.Pods)
		stream.Add(s)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if lacking != nil {
		if lacking = command.Explain(ctx, lacking, cl); pods == 0 {
			return nil, nil, lacking
		}
	}
	stream.Gaps(append(gaps, evidence.Gap{Source: evidence.SourceKubeletLog, Why: "node logs were not requested",
		Hint: "--evidence logs reads them"}))
	r = stream.Report()
	if len(r.Items) == 0 {
		fmt.Fprintf(o.env.Streams.ErrOut, "note: no container is in the evidence: %s\n",
			command.Looked(&evidence.Snapshot{}, true))
	}
	return r, lacking, nil
}
