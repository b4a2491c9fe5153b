package cli

import "github.com/spf13/cobra"

func newAnalyze(env Env) *cobra.Command {
	o := newListOptions(env)
	cmd := &cobra.Command{
		Use:   "analyze PATH...",
		Short: "Analyse recorded evidence: bundles, logs, directories of them",
		Long: lines(`
		Analyse recorded evidence without a cluster. PATH is a bundle of 'collect'
		(.tar.zst, .tar.gz, .tar, or a directory of the same shape), a directory, archive
		or single file of logs of kubelet, container runtime and kernel (systemd's
		journal files, journal export format, journalctl's text, klog text or JSON,
		compressed or not), or - for standard input. What is damaged is left out and
		said.`),
		Example: lines(`
		  kubectl restartwhy analyze bundle.tar.zst
		  kubectl restartwhy analyze kubelet.log --node worker-3
		  kubectl restartwhy analyze /var/log/journal
		  journalctl -u kubelet -o export | kubectl restartwhy analyze -`),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("analyze needs a path, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.sources.from = args
			if err := o.complete(nil); err != nil {
				return err
			}
			if err := o.validate(); err != nil {
				return err
			}
			return o.run(cmd.Context())
		},
	}
	o.addFlags(cmd)
	cmd.Flags().StringVarP(o.sources.conn.flags.Namespace, "namespace", "n", "", "only this namespace")
	cmd.Flags().BoolVarP(&o.scope.allNamespaces, "all-namespaces", "A", false, "all namespaces: the default here")
	o.sources.addNode(cmd)
	setUsage(cmd, nil)
	return cmd
}
