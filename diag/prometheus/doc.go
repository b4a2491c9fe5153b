// Package prometheus asks a monitoring system what it remembers of restarts: Prometheus, or what speaks as one
// (Thanos, Mimir, VictoriaMetrics), directly or through the API server's service proxy.
//
// It holds the queries, the file of their answers (metrics/prometheus.json in a bundle: the shape of the HTTP API)
// and its reader. The series are those of kube-state-metrics, of kubelets (/metrics, /metrics/probes,
// /metrics/cadvisor) and of node-exporter. It may import diag/evidence, diag/internal/cgroup (whose paths name pods and
// containers), diag/internal/nodefile, diag/internal/pace and diag/safetext. It sends GET through the API server, and
// GET or POST of queries to an address that was given.
//
// Whole series would be gigabytes: 10 000 pods, 14 days, two samples a minute. So the server is asked where a series
// changes ("X unless X == X offset STEP"), and of the containers alone whose restart count rose. Every answer is
// aggregated by the labels that are read: no other label of anybody's ever enters. What is kept apart:
//
//   - the UID of the pod: a series without one counts only where its name was borne by one pod in all the time;
//   - a count that falls was begun again: it is no restart;
//   - replicas: the highest value counts, since a count only rises; where they differ for long, the container is left
//     out.
package prometheus

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Kind is the source kind of what is read here.
const Kind = evidence.SourceMetrics

// Path is the file of a bundle.
const Path = "metrics/prometheus.json"

const (
	// maxContainers is how many containers are asked about whose count rose, the ones that it rose most of first.
	maxContainers = 1000
	// maxSteps is how many points of a series one query may ask for; Prometheus refuses more than 11 000.
	maxSteps = 10_900
	// maxChunks is how many queries ask for one series, one behind the other: with more, the steps become wider.
	maxChunks = 4
	// maxBytes bounds all answers together, as they come over the wire.
	maxBytes = 24 << 20
	// maxSeries bounds the series of one answer.
	maxSeries = 20_000
	// nodeStep is the least step for what dates itself: boots and starts of kubelets. A series is still seen 5 minutes
	// after its last sample.
	nodeStep = 2 * time.Minute
	// usualInterval is the scrape interval where the server does not show it.
	usualInterval = 30 * time.Second
)
