package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
)

// metricsTimeout is how long the monitoring system may take for one answer.
const metricsTimeout = 2 * time.Minute

// prometheusAuto finds the monitoring system among the services.
const prometheusAuto = "auto"

// metricsFlags are where metrics are asked for, and how.
type metricsFlags struct {
	address string // a URL, NAMESPACE/SERVICE:PORT or auto; "" asks nobody
	access  prometheus.Access
	// since is how far back; zero for as far as logs.
	since time.Duration
	// past is what was told already: who watches asks for the past once.
	past *diag.Collection
}

func (m *metricsFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(
		&m.address,
		"prometheus",
		"",
		"also ask a Prometheus, Thanos, Mimir or VictoriaMetrics: URL|NAMESPACE/SERVICE:PORT|auto",
	)
	f.StringVar(&m.access.TokenFile, "prometheus-token-file", "", "with a URL: a file with a bearer token")
	f.StringVar(&m.access.BasicFile, "prometheus-basic-file", "", "with a URL: a file with USER:PASSWORD")
	f.StringVar(&m.access.CAFile, "prometheus-ca-file", "", "with a URL: a file with the certificates to trust (PEM)")
	fixed(cmd, "prometheus", prometheusAuto)
}

func (m *metricsFlags) direct() bool { return strings.Contains(m.address, "://") }

func (m *metricsFlags) validate() error {
	if m.access != (prometheus.Access{}) && !m.direct() {
		return usage(
			"--prometheus-token-file, --prometheus-basic-file and --prometheus-ca-file need --prometheus URL: " +
				"a service is asked through the API server, with its login",
		)
	}
	if m.address != "" && m.address != prometheusAuto && !m.direct() && strings.Count(m.address, "/") != 1 {
		return usage("--prometheus %q: want a URL, NAMESPACE/SERVICE:PORT or auto", m.address)
	}
	return nil
}

// metrics asks the monitoring system, if one was named. What it costs is a gap: the rest is worth having.
func (s *sources) metrics(ctx context.Context, cl *cluster, sc *scope, g *gathered, p *progress) diag.Collection {
	if s.metricsFrom.address == "" {
		return diag.Collection{}
	}
	if s.watching != nil && s.metricsFrom.past != nil {
		return *s.metricsFrom.past
	}
	api, err := s.metricsAPI(ctx, cl)
	if err != nil {
		return diag.Collection{
			Gaps: []evidence.Gap{{Source: prometheus.Kind, Why: fmt.Sprintf("--prometheus %s: %v", s.metricsFrom.address, err)}},
		}
	}
	asked := prometheus.Scope{Namespace: sc.namespace, Nodes: sc.nodes, Since: s.metricsFrom.since}
	if asked.Since == 0 {
		asked.Since = s.env.Now().Sub(s.logReach())
	}
	if len(sc.targets) > 0 || sc.selector != "" {
		asked.Pods = namesOf(sc, g)
		if asked.Pods == "" {
			return diag.Collection{}
		}
	}
	y := diag.Collect(
		ctx,
		[]diag.Source{prometheus.NewSource(api, asked, s.env.Now)},
		diag.Options{Timeout: metricsTimeout, Progress: p.step},
	)
	s.metricsFrom.past = &y
	return y
}

// namesOf is the expression of the pods of a narrow scope: those that were named, and those that the API server gave.
func namesOf(sc *scope, g *gathered) string {
	var names []string
	for _, t := range sc.targets {
		if t.kind == "pod" {
			names = append(names, t.name)
		}
	}
	if len(names) < len(sc.targets) || sc.selector != "" {
		for _, p := range g.snapshot().Pods {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return strings.ReplaceAll(strings.Join(slices.Compact(names), "|"), ".", `\.`)
}

// metricsAPI makes the client.
func (s *sources) metricsAPI(ctx context.Context, cl *cluster) (v1.API, error) {
	if s.metricsFrom.direct() {
		return prometheus.Direct(s.metricsFrom.address, s.metricsFrom.access)
	}
	service := s.metricsFrom.address
	if service == prometheusAuto {
		var err error
		ctx, cancel := context.WithTimeout(ctx, cl.deadline)
		defer cancel()
		if service, err = findPrometheus(ctx, cl.client); err != nil {
			return nil, err
		}
	}
	transport, err := rest.TransportFor(cl.config)
	if err != nil {
		return nil, err
	}
	host, _, err := rest.DefaultServerUrlFor(cl.config)
	if err != nil {
		return nil, err
	}
	return prometheus.Proxied(host.String(), transport, service)
}

// monitors are the labels and names of services that speak the API of Prometheus, and their ports, the best first.
var monitors = []struct{ selector, port string }{
	{"app.kubernetes.io/name in (thanos-query, thanos-query-frontend)", "http"},
	{"app.kubernetes.io/name=vmsingle", "http"},
	{"operated-prometheus=true", "web"},
	{"app.kubernetes.io/name=prometheus,app.kubernetes.io/component in (server, prometheus)", "http"},
	{"app=kube-prometheus-stack-prometheus", "http-web"},
	{"app=prometheus,component=server", "http"},
}

// findPrometheus looks for the service of a monitoring system.
func findPrometheus(ctx context.Context, client kube.Client) (string, error) {
	for _, m := range monitors {
		list, err := kube.List[corev1.ServiceList](
			ctx,
			client,
			kube.Services,
			"",
			metav1.ListOptions{LabelSelector: m.selector, Limit: 50},
		)
		if err != nil {
			return "", fmt.Errorf("list services: %w", err)
		}
		slices.SortFunc(list.Items, func(a, b corev1.Service) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		})
		for i := range list.Items {
			if s := &list.Items[i]; len(s.Spec.Ports) > 0 {
				return s.Namespace + "/" + s.Name + ":" + portOf(s.Spec.Ports, m.port), nil
			}
		}
	}
	return "", errors.New(
		"no service of a Prometheus, Thanos or VictoriaMetrics has the usual labels: name it as NAMESPACE/SERVICE:PORT",
	)
}

// portOf is the port of a name, else the first.
func portOf(ports []corev1.ServicePort, name string) string {
	for _, p := range ports {
		if p.Name == name {
			return strconv.Itoa(int(p.Port))
		}
	}
	return strconv.Itoa(int(ports[0].Port))
}
