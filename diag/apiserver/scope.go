package apiserver

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// Scope says which pods to collect. Names win over Nodes; Selector and
// Namespace narrow a list. The zero Scope is the whole cluster.
type Scope struct {
	Namespace string // "" means all namespaces
	Selector  string // label selector, as kubectl's -l
	Names     []PodRef
	Nodes     []string
}

// PodRef names one pod.
type PodRef struct{ Namespace, Name string }

// whole reports whether the scope is every pod of the cluster.
func (s *Scope) whole() bool {
	return s.Namespace == "" && s.Selector == "" && len(s.Names) == 0 && len(s.Nodes) == 0
}

// picks reports whether the scope is a subset of the pods in its namespaces, so that a namespace's events must be
// filtered.
func (s *Scope) picks() bool { return s.Selector != "" || len(s.Names) > 0 || len(s.Nodes) > 0 }

// Options bound a collection. Zero values mean the defaults.
type Options struct {
	Timeout  time.Duration // how long without progress; 30 s by default
	PageSize int64         // objects per page; 500 by default
	MaxBytes int64         // of objects read, as encoded by the API; 1 GiB by default
	History  bool          // also read the revisions of the pods' workloads, for the images and templates that they had
	// Quiet is what is kept of pods in which nothing ended and that have no events. An analysis of restarts needs
	// little of them; a bundle has them whole.
	Quiet  Keeping
	Denied []string         // "events", "nodes": not read; the caller has reported why
	Now    func() time.Time // clock.Now by default
}

// Keeping is how much of a quiet pod is kept.
type Keeping int

// The values, from most to least.
const (
	KeepWhole   Keeping = iota
	KeepOutline         // its identity and what runs in it: logs of nodes may name it
	KeepCount           // nothing, except one per controller and the longest-running one on each node
)

const (
	defaultTimeout  = 30 * time.Second
	defaultPageSize = 500
	defaultMaxBytes = 1 << 30
	// eachAtMost is up to how many objects are read one by one; beyond that, they are listed.
	eachAtMost = 16
	// parallel is how many requests run at a time.
	parallel = 8
	// eventsLive is how long events live by default (kube-apiserver --event-ttl).
	eventsLive = time.Hour
)

// NewSource returns a source that reads through client. A hasher without
// functions computes nothing.
func NewSource(client kube.Client, scope Scope, hash apiobject.Hasher, o Options) *Source {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.PageSize <= 0 {
		o.PageSize = defaultPageSize
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	o.Now = clock.Or(o.Now)
	return &Source{client: client, scope: scope, hash: hash, o: o}
}
