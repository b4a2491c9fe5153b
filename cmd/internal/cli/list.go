package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/hashcmd"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/preflightcmd"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// many is no limit for arguments.
const many = math.MaxInt

// listOptions are the options of the main question: gather, analyse, print. The listing, `node`, `analyze` and `demo`
// differ only in scope and source.
type listOptions struct {
	env     command.Env
	scope   command.Scope
	filter  command.Filter
	sources *command.Sources
	output  *command.Output
	watch   bool
	hook    hookOptions
	// previousLogs shows the last log lines of applications.
	previousLogs bool
	every        time.Duration // the pause of --watch between two rounds, where it cannot use a watch
}

func newListOptions(env command.Env) *listOptions {
	return &listOptions{env: env, sources: command.NewSources(env), output: &command.Output{Env: env},
		every: command.WatchEvery}
}

func newRoot(env command.Env, name string) *cobra.Command {
	shared := command.Shared(&env)
	o := newListOptions(env)
	cmd := &cobra.Command{
		Use:   "kubectl-restartwhy [POD | TYPE/NAME ...]",
		Short: "Name the root cause of every container restart, with proof",
		Long: command.Lines(`
		Name the root cause of every container restart, with the evidence for it.

		Without a name, it checks all pods of the namespace. TYPE is pod, deploy, rs,
		sts, ds, job, cronjob, svc or node; -f FILE takes what a manifest holds. For a pod
		that has the name of a command, write pod/NAME.

		The evidence is what the API server, the kubelet's log, the container runtime and
		the kernel left behind. Nothing is installed and nothing is changed. Whatever could
		not be read is reported; a verdict is proven, likely, possible or unknown.

		--evidence api reads the API server only. logs also reads the log of each node
		through it (the node log query API, which needs get on nodes/proxy). pod creates a
		short-lived pod on each node, which reads journals, cgroups and what
		--collector-allow grants, and is removed at once (docs/RBAC.md). auto, the
		default, never creates a pod: it reads logs where it is allowed and where something
		restarted, for up to 5 nodes, and never for a whole cluster.

		Exit codes: 0 done, 1 error, 2 wrong usage, 3 --fail-on matched.`),
		Example: command.Lines(`
		  kubectl restartwhy                              every restart in this namespace
		  kubectl restartwhy web-0 -c app                 one container, in full
		  kubectl restartwhy web-0 --previous-logs        with the last lines of its log
		  kubectl restartwhy deploy/web --since 24h
		  kubectl restartwhy -f web.yaml                  the workloads of a manifest
		  kubectl restartwhy -A --cause hash-kubelet-upgrade
		  kubectl restartwhy -A -o json --fail-on likely
		  kubectl restartwhy deploy/web -o markdown       for a ticket
		  kubectl restartwhy -A -o html > restarts.html   one file to send around
		  kubectl restartwhy -A -o prometheus             for the textfile collector
		  kubectl restartwhy --from bundle.tar.zst        recorded evidence, no cluster`),
		Annotations:       map[string]string{cobra.CommandDisplayNameAnnotation: name},
		SilenceUsage:      true,
		SilenceErrors:     true,
		Args:              cobra.ArbitraryArgs,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		ValidArgsFunction: o.sources.Conn.CompleteTargets,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.prepare(args); err != nil {
				return err
			}
			return command.WithSimilar(cmd, args, o.run(cmd.Context()))
		},
	}
	cmd.PersistentFlags().AddFlagSet(shared)
	o.addFlags(cmd)
	o.scope.AddFlags(cmd)
	o.sources.AddLevel(cmd)
	o.sources.AddFrom(cmd)
	o.addPreviousLogs(cmd)
	o.addWatch(cmd)
	o.sources.Conn.AddFlags(cmd)
	_ = cmd.RegisterFlagCompletionFunc("container", o.sources.Conn.CompleteContainers) // the flag exists
	cmd.AddCommand(newNode(env), newIncidents(env), newTop(env), newCollect(env), newAnalyze(env),
		newReplay(env), preflightcmd.New(env, command.WatchEvery), hashcmd.New(env), newExplain(env),
		newDemo(env), newMCP(env), newVersion(env), newCompletion(env))
	return cmd
}

func (o *listOptions) addFlags(cmd *cobra.Command) {
	o.filter.AddFlags(cmd)
	o.output.AddFlags(cmd)
}

// answer runs the commands other than the root.
func (o *listOptions) answer(ctx context.Context, args []string) error {
	if err := o.prepare(args); err != nil {
		return err
	}
	return o.run(ctx)
}

// prepare completes the options and validates them.
func (o *listOptions) prepare(args []string) error {
	if err := o.scope.Complete(o.sources.Conn, args); err != nil {
		return err
	}
	o.output.Detail = o.scope.OnePod()
	o.output.Ages, o.output.Rows = !o.sources.Recorded(), o.watch
	err := errors.Join(o.scope.Validate(), o.sources.Validate(&o.scope), o.filter.Validate(),
		o.output.Validate(), o.validateWatch(), o.validatePreviousLogs())
	if from := o.filter.Start(o.env.Now()); !from.IsZero() {
		o.sources.Read.Prometheus.Since = o.env.Now().Sub(from)
	}
	return err
}

// run gathers, analyses and shows: once, or as long as it watches.
func (o *listOptions) run(ctx context.Context) (err error) {
	command.Logging(o.env, o.output.Verbosity)
	viewed := o.output.Interactive() && o.hook.url == "" // what is posted must equal what rows would show
	o.sources.Read.RestartsOnly, o.sources.Read.Viewed = !o.watch && o.filter.Container == "", viewed
	switch {
	case viewed:
		return o.view(ctx)
	case o.watch:
		return o.watchRows(ctx)
	}
	o.sources.Once = true
	p := command.NewProgress(o.env)
	g, err := o.sources.Gather(ctx, &o.scope, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	g.Meter = &evidence.Meter{}
	g.Meter.Until(ctx)
	p.Reading(g.Meter.Progress)
	s := g.Spend()
	if err := o.checkNames(s); err != nil {
		p.Clear()
		return errors.Join(err, g.Err)
	}
	res := o.report(s, o.output.Lists() && !o.previousLogs)
	res.Report = o.withWords(ctx, g.Cluster, res.Report, p)
	p.Clear()
	if err := o.tell(ctx, res, s); err != nil {
		return err
	}
	return g.Err
}

func (o *listOptions) analyse(g *collect.Collected) (analyzer.Result, *evidence.Snapshot) {
	s := g.Snapshot()
	return o.report(s, false), s
}

// report analyses. If only rows are shown, most items consist of nothing else, and details are not needed.
func (o *listOptions) report(s *evidence.Snapshot, rows bool) analyzer.Result {
	options := analyzer.Options{
		ToolVersion: o.env.Version, GeneratedAt: o.env.Now(), Scope: o.scope.ForReport(&o.filter, o.sources.Names()),
		Keep: o.scope.Keep(s, !o.sources.Recorded()), Nodes: o.scope.Nodes,
		Container: o.filter.Container, Cause: o.filter.Cause, Since: o.filter.Start(s.CollectedAt), Rows: rows,
	}
	if rows {
		return analyzer.Result{Report: analyzer.Analyze(s, options)}
	}
	return analyzer.AnalyzeWithDetails(s, options)
}

// tell prints a report and, where nothing restarted, what was looked at.
func (o *listOptions) tell(ctx context.Context, res analyzer.Result, s *evidence.Snapshot) error {
	looked := command.Looked(s, !o.sources.Recorded())
	if len(res.Report.Items) > 0 {
		s = nil // while they are printed, only what they quote of it is needed
	}
	if err := o.output.Show(ctx, res, looked); err != nil {
		return err
	}
	if asked := o.scope.Asked(); asked != nil && len(res.Report.Items) == 0 && render.Text(o.output.Format) {
		running(o.env.Streams.ErrOut, s, asked, o.filter.Container)
	}
	return nil
}

// running prints since when the containers of the selected pods have been running, or why they are not: "nothing
// restarted" is an answer, too. It belongs on stderr.
func running(w io.Writer, s *evidence.Snapshot, asked func(*evidence.Pod) bool, container string) {
	state := map[[2]string]*evidence.Observation{} // by pod UID and container: the current one
	for i := range s.Observations {
		o := &s.Observations[i]
		if f, ok := o.Fact.(evidence.ContainerRecord); ok && o.Source.Kind == evidence.SourceAPI && !f.Last {
			state[[2]string{o.Subject.PodUID, o.Subject.Container}] = o
		}
	}
	for i := range s.Pods {
		p := &s.Pods[i]
		if !asked(p) {
			continue
		}
		for j := range p.Containers {
			c := &p.Containers[j]
			if o := state[[2]string{p.UID, c.Name}]; o != nil && (container == "" || container == c.Name) {
				fmt.Fprintf(w, "%s/%s container %s: %s\n", p.Namespace, p.Name, c.Name,
					standing(o.Fact.(evidence.ContainerRecord), s))
			}
		}
	}
}

func standing(f evidence.ContainerRecord, s *evidence.Snapshot) string {
	switch f.State {
	case evidence.StateRunning:
		text := "runs"
		if !f.Started.IsZero() {
			text = fmt.Sprintf("has been running for %s, since %s", duration.HumanDuration(s.CollectedAt.Sub(f.Started)),
				f.Started.UTC().Format("2006-01-02 15:04:05Z"))
		}
		if f.RestartCount == 0 {
			return text + ", and never restarted"
		}
		return text
	case evidence.StateExited:
		if f.ExitCode != nil && *f.ExitCode == 0 {
			return "completed, as expected"
		}
		return "ended"
	}
	if f.Reason != "" {
		return "has not been started: " + f.Reason
	}
	return "has not been started"
}
