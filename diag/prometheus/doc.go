// Package prometheus queries what a monitoring system remembers about restarts: Prometheus, or a server with the same
// API (Thanos, Mimir, VictoriaMetrics), directly or through the API server's service proxy.
//
// It holds the queries, the file of their answers (metrics/prometheus.json in a bundle: the shape of the HTTP API) and
// its reader. The series are those of kube-state-metrics, of kubelets (/metrics, /metrics/probes, /metrics/cadvisor)
// and of node-exporter. It may import diag/evidence, diag/internal/cgroup (whose paths name pods and containers),
// diag/internal/nodefile, diag/internal/pace and diag/safetext. It sends GET through the API server, and GET or POST of
// queries to a given address.
//
// Whole series would be gigabytes: 10 000 pods, 14 days, two samples a minute. So the queries return only where a
// series changes ("X unless X == X offset STEP"), and only for containers whose restart count rose. Every answer is
// aggregated by the labels that are used: no other label is ever received. The pitfalls:
//
//   - the UID of the pod: a series without one counts only if one pod had its name in all of the time;
//   - a count that falls was reset: that is not a restart;
//   - replicas: the highest value counts, since a count only rises; if they differ for long, the container is left out.
package prometheus

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Kind is the source kind of this package.
const Kind = evidence.SourceMetrics

// Path is the file in a bundle.
const Path = "metrics/prometheus.json"

const (
	// maxContainers is for how many containers with a rising count details are queried, those with the largest increase
	// first.
	maxContainers = 1000
	// maxSteps is how many points of a series one query may request; Prometheus refuses more than 11 000.
	maxSteps = 10_900
	// maxChunks is into how many consecutive queries one series is split; beyond that, the steps become wider.
	maxChunks = 4
	// maxBytes limits all answers together, in bytes on the wire.
	maxBytes = 24 << 20
	// maxSeries limits the series of one answer.
	maxSeries = 20_000
	// nodeStep is the smallest step for values that are timestamps themselves: boots and starts of kubelets. A series
	// is still visible 5 minutes after its last sample.
	nodeStep = 2 * time.Minute
	// usualInterval is the scrape interval assumed where the server does not show it.
	usualInterval = 30 * time.Second
)
