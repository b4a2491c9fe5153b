// Package kubeletapi reads what a kubelet knows about itself, through the API server: which feature gates it was given
// (GET /api/v1/nodes/NODE/proxy/configz) and its counters (…/metrics and …/metrics/probes, as a Prometheus reads them).
// Nothing has to be scraped or installed for that.
//
// It holds the requests, the shapes of the files that a bundle stores, and their readers. It may import diag/kube,
// diag/evidence, diag/internal/nodefile, diag/safetext, the error types of apimachinery and Prometheus' text parser. Of
// the answers it keeps only the gates, the kubelet's start time and version, and the counters of liveness and startup
// probes: no other key and no other series.
package kubeletapi

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

const timeout = 15 * time.Second

// Source asks one node's kubelet one question.
type Source struct {
	question
	get  kube.Getter
	node string
	now  func() time.Time
}

// question is one kind of request.
type question struct {
	kind       evidence.SourceKind
	name, file string // of the source; below nodes/<node>/
	// what is requested, and what is missing without it, for a gap
	what, lack string
	// ask reads the answers at their paths and returns what to store.
	ask   func(at time.Time, answer func(path string, read func(io.Reader) error) error) (any, error)
	piece func(node string, f evidence.File, until time.Time) evidence.RawEvidence
}

// Name returns the name of the source.
func (s *Source) Name() string { return s.name + " of " + s.node }

// Collect makes one request. A kubelet that does not answer causes a gap.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	at := s.now().UTC()
	v, err := s.ask(at, func(path string, read func(io.Reader) error) error {
		r, err := s.get.Get(ctx, "/api/v1/nodes/"+url.PathEscape(s.node)+"/proxy/"+path, nil)
		if err != nil {
			return err
		}
		defer r.Close()
		return read(r)
	})
	if err == nil {
		return nodefile.Store(s.kind, s.node, s.file, v, at, s.piece, nil)
	}
	why := fmt.Sprintf("ask the kubelet %s: %v", s.what, err)
	gap := evidence.Gap{Source: s.kind, Node: s.node, Why: why, Hint: s.lack}
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		gap.Hint = "needs the right to get nodes/proxy"
	}
	return nil, []evidence.Gap{gap}
}
