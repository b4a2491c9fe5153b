package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/demo"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// tourSteps guide through the viewer of the recording: a key each, and what it opens.
var tourSteps = []struct{ key, opens string }{
	{"enter", "The incident. One upgrade of one kubelet is behind ten restarts that look unrelated."},
	{"enter", "One of these restarts and its verdict: the cause, what to do, what happened, and how certain it is."},
	{"enter", "One line of the evidence among its neighbours, as the log has it. esc goes back to the verdict."},
	{"esc tab", "The timeline: kubelet, runtime, kernel and pod side by side. + and - zoom."},
	{"tab", "The kubelet's decision, replayed branch by branch with the rules of its version."},
	{"tab", "The hashes: which kubelet version, from which spec, computed the stored one. This is the proof."},
}

func tour() []document.Block {
	steps := document.List{Kind: document.Fields}
	for i, s := range tourSteps {
		steps.Entries = append(steps.Entries, document.ListItem{
			Label: document.In(document.Strong, fmt.Sprintf("%d  %s", i+1, s.key)), Text: document.Say(s.opens)})
	}
	return []document.Block{
		document.Para("Run 'kubectl restartwhy demo' on a terminal and press, one after the other:"),
		steps,
		document.Para("esc goes back, ? shows all keys, q quits. A second recording is an upgrade to v1.37: " +
			"'kubectl restartwhy preflight --to v1.37 --from demo:before' says what will restart, " +
			"'kubectl restartwhy demo --upgrade' what did. Then try it on your own cluster: kubectl restartwhy"),
	}
}

func newDemo(env command.Env) *cobra.Command {
	o := newListOptions(env)
	var showTour, upgraded bool
	cmd := &cobra.Command{
		Use:   "demo [POD]",
		Short: "Explain a recorded real incident; no cluster needed",
		Long: command.Lines(`
		Explain a real incident that is recorded in this program: a node whose kubelet
		was upgraded in place while pods with problems of their own ran on it. POD narrows
		it to one pod. No cluster is read.

		A second recording is an upgrade to v1.37: demo:before is a file for --from that has
		the node as it was, so that 'preflight' can say what will restart; with --upgrade
		the demo shows what did.`),
		Example: command.Lines(`
		  kubectl restartwhy demo
		  kubectl restartwhy demo --tour
		  kubectl restartwhy demo steady
		  kubectl restartwhy preflight --to v1.37 --from demo:before
		  kubectl restartwhy demo --upgrade
		  kubectl restartwhy demo --cause hash-kubelet-upgrade -o wide`),
		Args: command.Args(0, 1, "demo takes one pod"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if showTour && len(args) > 0 {
				return command.Usage("demo --tour takes no pod, got %s", safetext.Ident(args[0]))
			}
			if showTour {
				return env.Document("table", nil, tour())
			}
			o.sources.Demo = !upgraded
			if upgraded {
				o.sources.From = []string{demo.Upgrade}
			}
			return o.answer(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&upgraded, "upgrade", false, "another recording: a node whose kubelet was upgraded to v1.37 in place")
	cmd.Flags().BoolVar(&showTour, "tour", false, "print six steps through the viewer of this incident, and end")
	o.addFlags(cmd)
	o.addWatch(cmd)
	for _, flag := range []string{"watch", "webhook", "webhook-template"} {
		_ = cmd.Flags().MarkHidden(flag) // it exists, to explain why it does not work here
	}
	cmd.Flags().StringVarP(&o.sources.Conn.Overrides.Context.Namespace, "namespace", "n", "", "only this namespace")
	command.SetUsage(cmd, nil)
	return cmd
}
