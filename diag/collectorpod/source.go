package collectorpod

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Kind is the source kind of the gaps from collector pods.
const Kind evidence.SourceKind = "collector-pod"

// Source reads one node through a pod on it.
type Source struct {
	run

	mu      sync.Mutex // an abandoned Collect may still be running
	bundles []*bundle.Bundle
	read    bool
}

// New returns the source of one node. client has the rights of docs/RBAC.md's
// collector.
func New(client kube.Client, attach Attacher, node string, o Options) *Source {
	return &Source{run: run{client: client, attach: attach, node: node, o: o.withDefaults()}}
}

// Name is the source's name for people.
func (s *Source) Name() string { return "pod on " + s.node }

// Read reports whether the node was read, at least in part. Valid after Collect.
func (s *Source) Read() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read
}

// Close frees the files behind the pieces.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, b := range s.bundles {
		errs = append(errs, b.Close())
	}
	s.bundles = nil
	return errors.Join(errs...)
}

// Collect creates the pod, reads what it sends and removes it. It may take Grace longer than its context, because the
// removal must be certain.
func (s *Source) Collect(ctx context.Context) (pieces []evidence.RawEvidence, gaps []evidence.Gap) {
	gap := func(why, hint string) {
		gaps = append(gaps, evidence.Gap{Source: Kind, Node: s.node, Why: safetext.Clean(why).String(), Hint: hint})
	}
	g := s.collect(ctx)
	if g.err != nil {
		hint := ""
		var t *trouble
		if errors.As(g.err, &t) {
			hint = t.hint
		}
		why := g.err.Error()
		switch {
		case errors.Is(g.err, context.Canceled):
			why = "interrupted"
		case errors.Is(g.err, context.DeadlineExceeded):
			why, hint = fmt.Sprintf("the limit of %s was reached", s.o.Timeout),
				"--collector-timeout allows more; --since asks for less"
		}
		gap(fmt.Sprintf("read the node through a pod: %s", why), hint)
	}
	for _, err := range s.left {
		gap(fmt.Sprintf("remove what was made: %v", err), "kubectl delete job,pod -n "+s.o.Namespace+" -l "+Selector)
	}
	if len(g.missing) > 0 {
		gap("the node has no "+strings.Join(g.missing, ", "),
			"distributions differ in where they keep things; 'collect --local' on the node looks in more places")
	}
	if len(g.guessed) > 0 {
		gap("left out "+strings.Join(g.guessed, ", ")+", because with them the pod did not start: "+g.why,
			"'collect --local' on the node reads them")
	}
	if g.bundle == nil {
		return nil, gaps
	}
	for _, v := range g.denied {
		gap(fmt.Sprintf("%s was not read: %s", v.source, v.without), "--collector-allow "+
			string(v.grant)+" reads it; docs/RBAC.md says what that right allows")
	}
	s.mu.Lock()
	s.bundles, s.read = append(s.bundles, g.bundle), true
	s.mu.Unlock()
	// A node's bundle is accepted for that node only.
	kept := g.bundle.Files[:0]
	for _, f := range g.bundle.Files {
		if strings.HasPrefix(f.Path, "nodes/"+s.node+"/") {
			kept = append(kept, f)
		} else {
			gap("left out "+f.Path+": it is not about this node", "")
		}
	}
	g.bundle.Files = kept
	for i := range g.bundle.Manifest.Gaps {
		g.bundle.Manifest.Gaps[i].Node = s.node
	}
	y := diag.Load(g.bundle, apiobject.Hasher{})
	return y.Pieces, append(gaps, y.Gaps...)
}
