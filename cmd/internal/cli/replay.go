package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/replay"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
)

// replayOptions print the kubelet's decision about one pod, branch by branch.
type replayOptions struct {
	env      Env
	scope    scope
	sources  *sources
	version  string
	supposed []string
	format   string

	kubelet kubelet.Version
	facts   []sim.Fact
}

func newReplay(env Env) *cobra.Command {
	o := &replayOptions{env: env, sources: newSources(env)}
	cmd := &cobra.Command{
		Use:   "replay POD",
		Short: "Replay the kubelet's decision about a pod, branch by branch",
		Long: lines(`
		Replay the kubelet's decision about a pod as it is now, and show for every branch of its
		code what was checked, what decided, and what followed.

		--kubelet decides as another version would: what an in-place upgrade does.
		--suppose changes a fact first: what would happen if. Facts apply in this order:
		`) + "\n" + strings.TrimRight(sim.Explained(), "\n"),
		Example: lines(`
		  kubectl restartwhy replay web-0
		  kubectl restartwhy replay web-0 --kubelet v1.31
		  kubectl restartwhy replay web-0 --suppose liveness-failed=app
		  kubectl restartwhy replay web-0 --kubelet v1.12.4 --suppose readmitted
		  kubectl restartwhy replay web-0 --from bundle.tar.zst --suppose sandbox-not-ready -o json`),
		ValidArgsFunction: o.sources.conn.completePods,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("replay takes one pod, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(o.complete(args), o.sources.validate(&o.scope)); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.version, "kubelet", "",
		"the kubelet version that decides, such as v1.31 (default: that of the pod's node)")
	f.StringArrayVar(&o.supposed, "suppose", nil, "a fact to suppose; may be repeated")
	f.StringVarP(&o.format, "output", "o", "", "output format: "+strings.Join(documentFormats, "|"))
	fixed(cmd, "output", documentFormats...)
	fixed(cmd, "suppose", sim.Facts()...)
	o.sources.read.Level = collect.API
	o.sources.addFrom(cmd)
	o.sources.conn.addFlags(cmd)
	return cmd
}

// complete reads pod, version and facts; all that is wrong is said at once.
func (o *replayOptions) complete(args []string) error {
	errs := []error{o.scope.complete(o.sources.conn, args)}
	if !o.scope.OnePod() && errs[0] == nil {
		errs = append(errs, usage("replay takes a pod, not %s", args[0]))
	}
	if o.version != "" {
		v, err := kubeletVersion("kubelet", o.version)
		errs = append(errs, err)
		o.kubelet = v
	}
	for _, text := range o.supposed {
		f, err := sim.ParseFact(text)
		if err != nil {
			errs = append(errs, usage("%w", err))
		}
		o.facts = append(o.facts, f)
	}
	if o.format != "" && !slices.Contains(documentFormats, o.format) {
		errs = append(errs, usage("unknown output format %q: want %s", o.format, strings.Join(documentFormats, ", ")))
	}
	return errors.Join(errs...)
}

func (o *replayOptions) run(ctx context.Context) (err error) {
	g, err := o.sources.gather(ctx, &o.scope, &progress{w: o.env.Streams.ErrOut})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	s := g.Snapshot()
	pod, err := o.scope.find("replay", s)
	if err != nil {
		return errors.Join(err, g.Err)
	}
	r, err := replay.Pod(s, pod, o.kubelet, o.facts)
	if errors.Is(err, sim.ErrNoContainer) {
		return usage("%w", err)
	}
	if err != nil {
		return hint(err, "--kubelet names the version that decides")
	}
	return o.print(r)
}

func (o *replayOptions) print(r *replay.Result) error {
	value := struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		*replay.Result
	}{report.APIVersion, "Replay", r}
	return o.env.document(o.format, value, present.Replay(replayPage(r)))
}

// replayPage is the decision as people read it.
func replayPage(r *replay.Result) *report.Replay {
	out := &report.Replay{
		Namespace: r.Namespace, Pod: r.Pod, Extrapolated: r.Extrapolated,
		Refused: r.Stage == decide.StageRejected, KillPod: r.KillPod, CreateSandbox: r.CreateSandbox,
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
	for _, k := range r.Kill {
		out.Kill = append(out.Kill, report.ReplayKill{Container: k.Container, Message: k.Message})
	}
	for _, s := range r.Start {
		out.Start = append(out.Start, report.ReplayStart{Container: s.Container,
			Kind: s.Kind, RestartCount: s.RestartCount, NotBefore: s.NotBefore})
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
