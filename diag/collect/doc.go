// Package collect reads the evidence for one question: a cluster (the API server first, because it tells which nodes
// are concerned, then their logs or a pod on each), the node that it runs on, or recordings. It keeps the evidence of a
// watched cluster up to date.
//
// It may import diag and every source below it. It parses no flags, prints nothing and never judges what the evidence
// means; who hashes containers is handed in.
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

// The levels. What is not API reads the API server too.
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
	Namespace string // the one to look in: -n, or the context's
	Server    string
	// Deadline is how long the API server may send nothing of what was asked.
	Deadline time.Duration
}

// Hashing computes hashes of containers while their specs are whole. The values that they need are in no evidence.
type Hashing struct {
	// Present are the hashes that every kubelet would store for a container.
	Present func(*corev1.Container) []evidence.SpecHash
	// Near are those of specs near a container's; nil where nobody asks for them, which is mostly.
	Near func(apiobject.Ancestry) []evidence.SpecHash
}

// Listener is told what is being read, by several goroutines.
type Listener interface {
	// Step is called when a source starts and when it is done.
	Step(source string, done bool)
	// Note tells what the reader should know of a source.
	Note(text string)
}

// Reader reads what a question needs. It may be used again for the same question, by one goroutine.
type Reader struct {
	Level Level
	// OnNode says that the node's own logs are read already, so that their absence from the API's part is no gap.
	OnNode bool
	Hashing
	// RestartsOnly: little is kept of pods in which nothing ended; Viewed, that it is for the viewer.
	RestartsOnly, Viewed bool
	// Gates asks kubelets whose logs are read for their feature gates too.
	Gates bool
	// Early, where it is set, gets what the API server told while logs are still to be read.
	Early func(*Collected)
	// Watching, where it is set, remembers from round to round.
	Watching *Watcher
	// Pod is how collector pods are made, for the level Pod.
	Pod collectorpod.Options
	// Age is how far back the pages of a log are turned. What stands on the newest page is kept however old it is.
	Age time.Duration
	// Prometheus is the monitoring system that is asked beside the API server.
	Prometheus Prometheus
	Now        func() time.Time

	specs fullSpecs
}
