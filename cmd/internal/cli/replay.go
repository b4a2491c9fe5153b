package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/replay"
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
	facts   []replay.Fact
}

func newReplay(env Env) *cobra.Command {
	o := &replayOptions{env: env, sources: newSources(env)}
	cmd := &cobra.Command{
		Use:   "replay POD",
		Short: "Take the kubelet's decision about a pod, branch by branch",
		Long: lines(`
		Take the kubelet's decision about a pod as it is now, and say at every branch of its
		code what was asked, what decided, and what followed.

		--kubelet takes the decision as another version would: what an upgrade in place does.
		--suppose changes a fact before: what would happen if. Facts are taken in their order:
		`) + "\n" + strings.TrimRight(replay.Explained(), "\n"),
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
	f.StringVar(&o.version, "kubelet", "", "the kubelet version that decides, such as v1.31 (default: that of the pod's node)")
	f.StringArrayVar(&o.supposed, "suppose", nil, "a fact to suppose; may be repeated")
	f.StringVarP(&o.format, "output", "o", "", "output format: json|yaml")
	fixed(cmd, "output", "json", "yaml")
	fixed(cmd, "suppose", replay.Facts()...)
	o.sources.level = evidenceAPI
	o.sources.addFrom(cmd)
	o.sources.conn.addFlags(cmd)
	return cmd
}

// complete reads pod, version and facts; all that is wrong is said at once.
func (o *replayOptions) complete(args []string) error {
	errs := []error{o.scope.complete(o.sources.conn, args)}
	if !o.scope.onePod() && errs[0] == nil {
		errs = append(errs, usage("replay takes a pod, not %s", args[0]))
	}
	if o.version != "" {
		v, err := kubelet.ParseVersion(o.version)
		if err == nil {
			_, err = kubelet.ProfileFor(v)
		}
		if err != nil {
			errs = append(errs, usage("--kubelet: %w", err))
		}
		o.kubelet = v
	}
	for _, text := range o.supposed {
		f, err := replay.ParseFact(text)
		if err != nil {
			errs = append(errs, usage("%w", err))
		}
		o.facts = append(o.facts, f)
	}
	if o.format != "" && o.format != "json" && o.format != "yaml" {
		errs = append(errs, usage("unknown output format %q: want json or yaml", o.format))
	}
	return errors.Join(errs...)
}

func (o *replayOptions) run(ctx context.Context) (err error) {
	g, err := o.sources.gather(ctx, &o.scope, &progress{w: o.env.Streams.ErrOut})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	s := g.snapshot()
	pod, err := o.scope.find("replay", s)
	if err != nil {
		return errors.Join(err, g.err)
	}
	r, err := replay.Pod(s, pod, o.kubelet, o.facts)
	if errors.Is(err, replay.ErrNoContainer) {
		return usage("%w", err)
	}
	if err != nil {
		return hint(err, "--kubelet names the version that decides")
	}
	return o.print(o.env.Streams.Out, r)
}

func (o *replayOptions) print(w io.Writer, r *replay.Result) error {
	if o.format == "" {
		_, err := io.WriteString(w, replayText(r))
		return err
	}
	raw, err := json.MarshalIndent(struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		*replay.Result
	}{"restartwhy.dev/v1alpha1", "Replay", r}, "", "  ")
	if err == nil && o.format == "yaml" {
		raw, err = yaml.JSONToYAML(raw)
	}
	if err != nil {
		return fmt.Errorf("print replay of pod %s: %w", r.Pod, err)
	}
	_, err = fmt.Fprintln(w, strings.TrimRight(string(raw), "\n"))
	return err
}

// replayText tells the decision: first what comes of it, then the way there.
func replayText(r *replay.Result) string {
	var b strings.Builder
	as := ""
	if r.Extrapolated {
		as = " (taken for " + r.ModelledAs + ", the newest that is known)"
	}
	fmt.Fprintf(&b, "Pod %s/%s, decided by kubelet %s%s\n", r.Namespace, r.Pod, r.Kubelet, as)
	for _, f := range r.Supposed {
		fmt.Fprintf(&b, "  supposed: %s\n", f)
	}
	for _, a := range r.Assumed {
		fmt.Fprintf(&b, "  assumed:  %s\n", a)
	}
	b.WriteString("\nOutcome\n")
	for _, line := range outcome(r) {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	writeReadiness(&b, r.Readiness)
	b.WriteString("\nThe way there (+ the branch was taken, - it was not)\n")
	function := ""
	for _, s := range r.Trace {
		if s.Function != function {
			function = s.Function
			fmt.Fprintf(&b, "  %s, %s\n", function, s.Minor)
		}
		mark := "-"
		if s.Taken {
			mark = "+"
		}
		fmt.Fprintf(&b, "  %s %s %s: %s.", mark, s.Question, yesNo(s.Taken), s.Fact)
		if s.Then != "" {
			fmt.Fprintf(&b, " %s", s.Then)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// writeReadiness tells what the status says after a kubelet restart. No container is restarted by it.
func writeReadiness(b *strings.Builder, all []replay.Readiness) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\nWhat the status says after the kubelet's start (the containers run on)\n")
	for _, r := range all {
		for _, c := range r.Courses {
			fmt.Fprintf(b, "  %s", r.Container)
			if c.Race != "" {
				fmt.Fprintf(b, ", if %s", c.Race)
			}
			b.WriteString(":\n")
			for _, s := range c.Status {
				word := "not ready"
				if s.Ready {
					word = "ready"
				}
				if !s.Started {
					word = "not started, " + word
				}
				fmt.Fprintf(b, "    %s: %s (%s)\n", s.When, word, s.Why)
			}
		}
	}
}

func outcome(r *replay.Result) (out []string) {
	switch {
	case r.Stage == decide.StageRejected:
		out = append(out, "the pod is refused: it fails, what runs in it is killed, and nothing is started again")
	case r.KillPod && r.CreateSandbox:
		out = append(out, "the whole pod is killed and gets a new sandbox")
	case r.KillPod:
		out = append(out, "the whole pod is killed and gets no new sandbox")
	case r.Stage == decide.StageNetwork:
		out = append(out, "nothing is started and nothing is stopped")
	}
	for _, k := range r.Kill {
		out = append(out, fmt.Sprintf("kill %s: %s", k.Container, k.Message))
	}
	for _, s := range r.Start {
		line := fmt.Sprintf("start %s %s", s.Kind, s.Container)
		if s.RestartCount != nil {
			line += fmt.Sprintf(", restart count %d", *s.RestartCount)
		}
		if s.NotBefore != nil {
			line += ", not before " + s.NotBefore.Format("2006-01-02T15:04:05Z")
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		out = append(out, "nothing: every container is left as it is")
	}
	return out
}

func yesNo(yes bool) string {
	if yes {
		return "Yes"
	}
	return "No"
}
