// Package collect reads the evidence for one question: a cluster (the API server first, because it shows which nodes
// matter, then their logs or a pod on each), the node that it runs on, or recordings. It keeps the evidence of a
// watched cluster up to date.
//
// It may import diag and every source below it. It parses no flags, prints nothing and never judges what the evidence
// means; the function that hashes containers is passed in.
package collect

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/collectorpod"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// Level is how far a collection goes for evidence.
type Level string

// The levels. All of them include the API server.
const (
	Auto Level = "auto" // the API server, and node logs where that is cheap and allowed
	API  Level = "api"
	Logs Level = "logs"
	Pod  Level = "pod" // a short-lived pod on each node
)

// Cluster is an open connection.
type Cluster struct {
	Client    *kube.REST
	Config    *rest.Config
	Namespace string // the one to use: -n, or the context's
	Server    string
	// Deadline is how long the API server may make no progress on a request.
	Deadline time.Duration
}

// Hashing computes hashes of containers while their specs are complete. The values that this needs are in no evidence.
type Hashing struct {
	// Present returns the hashes that every kubelet would store for a container.
	Present func(*corev1.Container) []evidence.SpecHash
	// Near returns those of specs similar to a container's; nil, as in most runs, where they are not needed.
	Near func(apiobject.Ancestry) []evidence.SpecHash
}

// Listener is told about the progress, from several goroutines.
type Listener interface {
	// Step is called when a source starts and when it is done.
	Step(source string, done bool)
	// Note passes on what the user should know about a source.
	Note(text string)
}

// Reader reads the evidence for a question. It may be reused for the same question, by one goroutine.
type Reader struct {
	Level Level
	// OnNode says that the node's own logs are read separately, so their absence from the API's part is not a gap.
	OnNode bool
	Hashing
	// RestartsOnly: little is kept of pods in which nothing ended. Viewed: the report is for the viewer.
	RestartsOnly, Viewed bool
	// Gates also requests the feature gates of the kubelets whose logs are read.
	Gates bool
	// Early, if set, is called with the API server's evidence while logs are still to be read.
	Early func(*Collected)
	// Watching, if set, keeps state from round to round.
	Watching *Watcher
	// Pod configures collector pods, for the level Pod.
	Pod collectorpod.Options
	// Age is how far back the pages of a log are read. The newest page is kept whole, however old its lines are.
	Age time.Duration
	// Prometheus is the monitoring system that is queried in addition to the API server.
	Prometheus Prometheus
	Now        func() time.Time

	specs fullSpecs
}
