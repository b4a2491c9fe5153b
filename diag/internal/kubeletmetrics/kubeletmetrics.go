// Package kubeletmetrics asks a kubelet what it counted, through the API server: GET
// /api/v1/nodes/NODE/proxy/metrics and …/metrics/probes, as a Prometheus would. Nothing
// has to be scraped or installed for that.
//
// It holds the requests, the shape of the file that a bundle stores, and its reader. It
// may import diag/kube, diag/evidence, diag/internal/nodefile, diag/safetext, the error types of apimachinery
// and Prometheus' text parser. Of the answers only when the kubelet was started, its
// version and the counters of liveness and startup probes are kept; no other series ever
// enters.
package kubeletmetrics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Name is the file of a node below nodes/<node>/.
const Name = "kubelet-metrics.json"

// Counters is the content of the file.
type Counters struct {
	CollectedAt time.Time `json:"collectedAt"`
	// StartedAt is when the kubelet's process was started (process_start_time_seconds), by the node's clock.
	StartedAt time.Time    `json:"startedAt"`
	Version   string       `json:"version,omitempty"` // kubernetes_build_info
	Probes    []ProbeCount `json:"probes"`            // in the order of their names
}

// ProbeCount is how often the liveness and the startup probe of a container ran since the kubelet was started, or the
// pod came to it (prober_probe_total, kubelet prober/prober_manager.go). The kubelet forgets the counters of a pod
// that is gone, and of a container that it will not start again.
type ProbeCount struct {
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	UID       string `json:"uid"`
	Container string `json:"container"`
	Liveness  Runs   `json:"liveness"`
	Startup   Runs   `json:"startup"`
}

// Runs of a probe.
type Runs struct {
	Failed    int `json:"failed"`
	Succeeded int `json:"succeeded"`
}

const timeout = 15 * time.Second

// Source asks one node.
type Source struct {
	get  kube.Getter
	node string
	now  func() time.Time
}

// NewSource returns the source of one node.
func NewSource(get kube.Getter, node string, now func() time.Time) *Source {
	return &Source{get, node, now}
}

// Name names the source.
func (s *Source) Name() string { return "counters of " + s.node }

// Collect asks once. A kubelet that does not answer costs a gap.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c := Counters{CollectedAt: s.now().UTC()}
	err := s.ask(ctx, "", c.process)
	if err == nil {
		err = s.ask(ctx, "/probes", c.probes)
	}
	if err == nil {
		var f evidence.File
		if f, err = nodefile.Encode(nodefile.Path(s.node, Name), c); err == nil {
			return []evidence.RawEvidence{NewPiece(s.node, f, c.CollectedAt)}, nil
		}
	}
	gap := evidence.Gap{Source: evidence.SourceMetrics, Node: s.node,
		Why:  fmt.Sprintf("ask the kubelet what it counted: %v", err),
		Hint: "when it was started and how often probes failed is not known from it"}
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		gap.Hint = "needs the right to get nodes/proxy"
	}
	return nil, []evidence.Gap{gap}
}

func (s *Source) ask(ctx context.Context, path string, read func(io.Reader) error) error {
	r, err := s.get.Get(ctx, "/api/v1/nodes/"+url.PathEscape(s.node)+"/proxy/metrics"+path, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	return read(r)
}

// NewPiece returns the piece of a stored kubelet-metrics.json.
func NewPiece(node string, f evidence.File, _ time.Time) evidence.RawEvidence {
	return nodefile.New(evidence.SourceMetrics, node, f, func(b *evidence.Builder, data []byte) error {
		var c Counters
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		if c.CollectedAt.IsZero() || c.StartedAt.IsZero() || c.StartedAt.After(c.CollectedAt.Add(time.Hour)) ||
			len(c.Probes) > maxProbes {
			return errors.New("it is not as it was written")
		}
		c.observe(b, node, f.Path)
		return nil
	})
}

func (c *Counters) observe(b *evidence.Builder, node, where string) {
	put := func(at time.Time, about evidence.Subject, fact evidence.Fact, text string) {
		about.Node = node
		b.Observe(evidence.Observation{Time: at, Subject: about, Fact: fact, Text: safetext.Clean(text),
			Source: evidence.Source{Kind: evidence.SourceMetrics, Node: node, Where: where}})
	}
	version := safetext.Ident(c.Version)
	put(c.StartedAt, evidence.Subject{}, evidence.KubeletStarted{Version: version}, fmt.Sprintf(
		"process_start_time_seconds of the kubelet: %s; kubernetes_build_info: %s",
		c.StartedAt.UTC().Format(time.RFC3339), version))
	for _, p := range c.Probes {
		l, s := p.Liveness.sane(), p.Startup.sane()
		if p.UID == "" || p.Container == "" || l == (Runs{}) && s == (Runs{}) {
			continue
		}
		about := evidence.Subject{Namespace: safetext.Ident(p.Namespace), Pod: safetext.Ident(p.Pod),
			PodUID: safetext.Ident(p.UID), Container: safetext.Ident(p.Container)}
		put(c.CollectedAt, about, evidence.ProbeTotals{Since: c.StartedAt, Liveness: l.Failed, Startup: s.Failed},
			fmt.Sprintf("prober_probe_total of %s/%s, container %s: liveness failed %d, succeeded %d; startup failed %d, "+
				"succeeded %d", about.Namespace, about.Pod, about.Container, l.Failed, l.Succeeded, s.Failed, s.Succeeded))
	}
}

// most is what a counter can be at the most: a probe each second for thirty years.
const most = 1e9

// sane drops what no counter can be.
func (r Runs) sane() Runs {
	if r.Failed < 0 || r.Succeeded < 0 || r.Failed > most || r.Succeeded > most {
		return Runs{}
	}
	return r
}
