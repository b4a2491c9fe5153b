package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/replay"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
)

// replayOptions are the options of `replay`, which prints the kubelet's decision about one pod, branch by branch.
type replayOptions struct {
	env      command.Env
	scope    command.Scope
	sources  *command.Sources
	version  string
	supposed []string
	format   string

	kubelet kubelet.Version
	facts   []sim.Supposition
}

func newReplay(env command.Env) *cobra.Command {
	o := &replayOptions{env: env, sources: command.NewSources(env)}
	cmd := &cobra.Command{
		Use:   "replay POD",
		Short: "Replay the kubelet's decision about a pod, branch by branch",
		Long: command.Lines(`
		Replay the kubelet's decision about a pod as it is now, and show for every branch of its
		code what was checked, what decided, and what followed.

		--kubelet decides as another version would: what an in-place upgrade does.
		--suppose changes a fact first: what would happen if. Facts apply in this order:
		`) + "\n" + strings.TrimRight(sim.Explained(), "\n"),
		Example: command.Lines(`
		  kubectl restartwhy replay web-0
		  kubectl restartwhy replay web-0 --kubelet v1.31
		  kubectl restartwhy replay web-0 --suppose liveness-failed=app
		  kubectl restartwhy replay web-0 --kubelet v1.12.4 --suppose readmitted
		  kubectl restartwhy replay web-0 --from bundle.tar.zst --suppose sandbox-not-ready -o json`),
		ValidArgsFunction: o.sources.Conn.CompletePods,
		Args:              command.Args(1, 1, "replay takes one pod: want POD or pod/NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(o.complete(args), o.sources.Validate(&o.scope)); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.version, "kubelet", "",
		"the kubelet version that decides, such as v1.31 (default: that of the pod's node)")
	f.StringArrayVar(&o.supposed, "suppose", nil, "a fact to suppose; may be repeated")
	command.AddFormat(cmd, &o.format, render.DocumentFormats)
	command.Fixed(cmd, "suppose", sim.Facts()...)
	o.sources.Read.Level = collect.API
	o.sources.AddFrom(cmd)
	o.sources.Conn.AddFlags(cmd)
	return cmd
}

// complete parses pod, version and facts; all errors are reported at once.
func (o *replayOptions) complete(args []string) error {
	errs := []error{o.scope.Complete(o.sources.Conn, args)}
	if !o.scope.OnePod() && errs[0] == nil {
		errs = append(errs, command.Usage("replay takes a pod, not %s", args[0]))
	}
	if o.version != "" {
		v, err := command.KubeletVersion("kubelet", o.version)
		errs = append(errs, err)
		o.kubelet = v
	}
	for _, text := range o.supposed {
		f, err := sim.ParseSupposition(text)
		if err != nil {
			errs = append(errs, command.Usage("%w", err))
		}
		o.facts = append(o.facts, f)
	}
	return errors.Join(append(errs, command.CheckFormat(o.format, render.DocumentFormats))...)
}

func (o *replayOptions) run(ctx context.Context) (err error) {
	g, err := o.sources.Gather(ctx, &o.scope, &command.ProgressBar{W: o.env.Streams.ErrOut})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	s := g.Snapshot()
	pod, err := o.scope.Find("replay", s)
	if err != nil {
		return errors.Join(err, g.Err)
	}
	r, err := replay.Pod(s, pod, o.kubelet, o.facts)
	if errors.Is(err, sim.ErrNoContainer) {
		return command.Usage("%w", err)
	}
	if err != nil {
		return command.Hint(err, "--kubelet names the version that decides")
	}
	return o.print(r)
}

func (o *replayOptions) print(r *replay.Result) error {
	value := struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		*replay.Result
	}{report.APIVersion, "Replay", r}
	return o.env.Document(o.format, value, present.Replay(replayPage(r)))
}

func replayPage(r *replay.Result) *report.Replay {
	out := &report.Replay{
		Namespace: r.Namespace, Pod: r.Pod, Extrapolated: r.Extrapolated,
		Refused: r.Stage == decide.StageRejected, Kill: r.Kill, Start: r.Start,
		KillPod: r.KillPod, CreateSandbox: r.CreateSandbox,
		NoNetwork: r.Stage == decide.StageNetwork,
		Decision:  report.Decision{Kubelet: r.Kubelet, ModelledAs: r.ModelledAs, Supposed: r.Supposed, Assumed: r.Assumed},
	}
	for i := range r.Trace {
		s := &r.Trace[i]
		file, depth := decide.FileOf(s.Function)
		out.Decision.Branches = append(out.Decision.Branches, report.Branch{
			Depth: depth, Function: s.Function + ", " + s.Minor, File: file, Container: s.Container,
			Question: s.Question, Answer: s.Taken, Fact: s.Fact, Then: s.Then,
		})
	}
	for _, c := range r.Readiness {
		for _, course := range c.Courses {
			one := report.ReplayReadiness{Container: c.Container, If: course.Race}
			for _, s := range course.Status {
				one.Status = append(one.Status, report.ReplayStatus{When: s.When, Why: s.Why, Ready: s.Ready, Started: s.Started})
			}
			out.Readiness = append(out.Readiness, one)
		}
	}
	return out
}
