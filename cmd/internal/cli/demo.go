package cli

import "github.com/spf13/cobra"

func newDemo(env Env) *cobra.Command {
	o := newListOptions(env)
	cmd := &cobra.Command{
		Use:   "demo [POD]",
		Short: "Explain a recorded real incident; no cluster needed",
		Long: lines(`
		Explain a real incident that is recorded in this program: a node whose kubelet
		was upgraded in place while pods with problems of their own ran on it. POD narrows
		it to one pod. No cluster is read.`),
		Example: lines(`
		  kubectl restartwhy demo
		  kubectl restartwhy demo steady
		  kubectl restartwhy demo --cause hash-kubelet-upgrade -o wide`),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("demo takes one pod, got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.sources.demo = true
			if err := o.complete(args); err != nil {
				return err
			}
			if err := o.validate(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	o.addFlags(cmd)
	o.addWatch(cmd)
	_ = cmd.Flags().MarkHidden("watch") // the flag is there; it says why it does not go
	cmd.Flags().StringVarP(&o.sources.conn.overrides.Context.Namespace, "namespace", "n", "", "only this namespace")
	setUsage(cmd, nil)
	return cmd
}
