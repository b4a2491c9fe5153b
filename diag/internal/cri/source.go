package cri

import (
	"cmp"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Options say which runtime to ask. The zero value is for the machine we run on.
type Options struct {
	// Node is the node's name in the cluster; it names the file.
	Node string
	// Configured is the kubelet's containerRuntimeEndpoint as the node spells it; "" if unknown. If it does not answer,
	// the first of the usual sockets that has pods is used.
	Configured string
	// Root is where the node's file system is mounted; / if empty.
	Root string
	// Timeout ends the collection if the runtime answers nothing for that long; 30 seconds if zero.
	Timeout time.Duration
	// Now is the clock; clock.Now if nil.
	Now func() time.Time
}

// Source reads the records of this machine's container runtime.
type Source struct{ o Options }

// New returns a source.
func New(o Options) *Source {
	o.Root = cmp.Or(o.Root, "/")
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.Now = clock.Or(o.Now)
	return &Source{o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "cri" }

func (s *Source) gap(why, hint string) evidence.Gap {
	return evidence.Gap{Source: evidence.SourceCRI, Node: s.o.Node, Why: why, Hint: hint}
}
