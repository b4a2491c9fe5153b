package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
)

// prometheusFlags configure where and how to query metrics.
type prometheusFlags struct{ *collect.Prometheus }

func (m prometheusFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&m.Address, "prometheus", "",
		"also ask a Prometheus, Thanos, Mimir or VictoriaMetrics: URL|NAMESPACE/SERVICE:PORT|auto")
	f.StringVar(&m.Access.TokenFile, "prometheus-token-file", "", "with a URL: a file with a bearer token")
	f.StringVar(&m.Access.BasicFile, "prometheus-basic-file", "", "with a URL: a file with USER:PASSWORD")
	f.StringVar(&m.Access.CAFile, "prometheus-ca-file", "", "with a URL: a file with the certificates to trust (PEM)")
	Fixed(cmd, "prometheus", collect.PrometheusAuto)
}

func (m prometheusFlags) validate() error {
	if m.Access != (prometheus.Access{}) && !m.Direct() {
		return Usage("--prometheus-token-file, --prometheus-basic-file and --prometheus-ca-file need --prometheus URL: " +
			"a service is asked through the API server, with its login")
	}
	if m.Address != "" && m.Address != collect.PrometheusAuto && !m.Direct() && strings.Count(m.Address, "/") != 1 {
		return Usage("--prometheus %q: want a URL, NAMESPACE/SERVICE:PORT or auto", m.Address)
	}
	return nil
}
