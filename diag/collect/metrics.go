package collect

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
)

// metricsTimeout is how long the monitoring system may take for one answer.
const metricsTimeout = 2 * time.Minute

// PrometheusAuto as an address finds the monitoring system among the services.
const PrometheusAuto = "auto"

// Prometheus is where and how to query metrics.
type Prometheus struct {
	Address string // a URL, NAMESPACE/SERVICE:PORT or auto; "" for none
	Access  prometheus.Access
	// Since is how far back; zero for the same as logs.
	Since time.Duration
	// past is the earlier result: a watch queries the past only once.
	past *diag.Collection
}

// Direct reports whether it is queried directly rather than through the API server.
func (p *Prometheus) Direct() bool { return strings.Contains(p.Address, "://") }

// metrics queries the monitoring system, if one is configured. A failure is a gap: the rest is still useful.
func (r *Reader) metrics(ctx context.Context, cl *Cluster, sc *Scope, g *Collected, p Listener) diag.Collection {
	if r.Prometheus.Address == "" {
		return diag.Collection{}
	}
	if r.Watching != nil && r.Prometheus.past != nil {
		return *r.Prometheus.past
	}
	api, err := r.metricsAPI(ctx, cl)
	if err != nil {
		return diag.Collection{
			Gaps: []evidence.Gap{{Source: prometheus.Kind, Why: fmt.Sprintf("--prometheus %s: %v", r.Prometheus.Address, err)}},
		}
	}
	asked := prometheus.Scope{Namespace: sc.Namespace, Nodes: sc.Nodes, Since: r.Prometheus.Since}
	if asked.Since == 0 {
		asked.Since = r.Now().Sub(r.logReach())
	}
	if len(sc.Targets) > 0 || sc.Selector != "" {
		asked.Pods = namesOf(sc, g)
		if asked.Pods == "" {
			return diag.Collection{}
		}
	}
	y := diag.Collect(ctx, []diag.Source{prometheus.NewSource(api, asked, r.Now)},
		diag.Options{Timeout: metricsTimeout, Progress: p.Step})
	r.Prometheus.past = &y
	return y
}

// namesOf is the expression for the pods of a narrow scope: those that were named, and those that the API server
// returned.
func namesOf(sc *Scope, g *Collected) string {
	var names []string
	for _, t := range sc.Targets {
		if t.Kind == "pod" {
			names = append(names, t.Name)
		}
	}
	if len(names) < len(sc.Targets) || sc.Selector != "" {
		for _, p := range g.Snapshot().Pods {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return strings.ReplaceAll(strings.Join(slices.Compact(names), "|"), ".", `\.`)
}

// metricsAPI makes the client.
func (r *Reader) metricsAPI(ctx context.Context, cl *Cluster) (v1.API, error) {
	if r.Prometheus.Direct() {
		return prometheus.Direct(r.Prometheus.Address, r.Prometheus.Access)
	}
	service := r.Prometheus.Address
	if service == PrometheusAuto {
		var err error
		ctx, cancel := pace.Within(ctx, cl.Deadline)
		defer cancel()
		if service, err = prometheus.Find(ctx, cl.Client); err != nil {
			return nil, err
		}
	}
	transport, err := rest.TransportFor(cl.Config)
	if err != nil {
		return nil, err
	}
	host, _, err := rest.DefaultServerUrlFor(cl.Config)
	if err != nil {
		return nil, err
	}
	return prometheus.Proxied(host.String(), transport, service)
}
