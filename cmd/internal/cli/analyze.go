package cli

import (
	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

func newAnalyze(env command.Env) *cobra.Command {
	o := newListOptions(env)
	cmd := &cobra.Command{
		Use:   "analyze PATH...",
		Short: "Analyse recorded evidence: bundles, what other tools collected, logs",
		Long: command.Lines(`
		Analyse recorded evidence without a cluster. PATH is one of

		  a bundle of 'collect' (.tar.zst, or a directory of the same shape)
		  must-gather, sos report, EKS log collector, kind export logs,
		    kubectl cluster-info dump
		  kubectl get pods,events,nodes -o json|yaml
		  crictl ps|pods|inspect|inspectp -o json, docker inspect
		  kubectl describe pod, kubectl get events, minikube logs
		  logs of kubelet, container runtime and kernel (systemd's journal files,
		    journal export format, journalctl's text, klog text or JSON, dmesg)
		  the same out of a log store: JSON, CSV or YAML of Cloud Logging, CloudWatch,
		    Loki, Elasticsearch, OpenSearch, Azure Monitor, Datadog, Splunk, Fluent Bit

		as a directory, an archive (tar or zip; gzip, zstd, xz or bzip2; one inside
		another), a single file, or - for standard input. Files are recognized by their
		content. Container logs are never read. Damaged parts are skipped and reported.`),
		Example: command.Lines(`
		  kubectl restartwhy analyze bundle.tar.zst
		  kubectl restartwhy web-0 --from bundle.tar.zst # one pod of it
		  kubectl restartwhy analyze kubelet.log --node worker-3
		  kubectl restartwhy analyze /var/log/journal
		  kubectl restartwhy analyze must-gather.tar.gz sosreport-n1.tar.xz
		  journalctl -u kubelet -o export | kubectl restartwhy analyze -
		  logcli query '{unit="kubelet.service"}' -o jsonl | kubectl restartwhy analyze -`),
		Args: command.Args(1, many, "analyze needs a path, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.sources.From = args
			return o.answer(cmd.Context(), nil)
		},
	}
	o.addFlags(cmd)
	cmd.Flags().StringVarP(&o.sources.Conn.Overrides.Context.Namespace, "namespace", "n", "", "only this namespace")
	cmd.Flags().BoolVarP(&o.scope.AllNamespaces, "all-namespaces", "A", false, "all namespaces: the default here")
	o.sources.AddNode(cmd)
	command.SetUsage(cmd, nil)
	return cmd
}
