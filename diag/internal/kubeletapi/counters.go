package kubeletapi

import (
	"fmt"
	"io"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// CountersName is the file of a node below nodes/<node>/.
const CountersName = "kubelet-metrics.json"

// counters is the content of the file.
type counters struct {
	CollectedAt time.Time `json:"collectedAt"`
	// StartedAt is when the kubelet's process was started (process_start_time_seconds), by the node's clock.
	StartedAt time.Time    `json:"startedAt"`
	Version   string       `json:"version,omitempty"` // kubernetes_build_info
	Probes    []probeCount `json:"probes"`            // ordered by their names
}

// probeCount is how often the liveness and the startup probe of a container ran since the kubelet was started or got
// the pod (prober_probe_total, kubelet prober/prober_manager.go). The kubelet drops the counters of a pod that is gone,
// and of a container that it will not start again.
type probeCount struct {
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	UID       string `json:"uid"`
	Container string `json:"container"`
	Liveness  runs   `json:"liveness"`
	Startup   runs   `json:"startup"`
}

// runs counts the results of one probe.
type runs struct {
	Failed    int `json:"failed"`
	Succeeded int `json:"succeeded"`
}

// Counters returns the source of a kubelet's own counters.
func Counters(get kube.Getter, node string, now func() time.Time) *Source {
	return &Source{question{
		kind: evidence.SourceMetrics, name: "counters", file: CountersName, piece: NewCountersPiece, what: "what it counted",
		lack: "when it was started and how often probes failed is not known from it",
		ask: func(at time.Time, answer func(string, func(io.Reader) error) error) (any, error) {
			c := counters{CollectedAt: at}
			err := answer("metrics", c.process)
			if err == nil {
				err = answer("metrics/probes", c.probes)
			}
			return &c, err
		},
	}, get, node, now}
}

// NewCountersPiece returns the piece of a stored kubelet-metrics.json.
func NewCountersPiece(node string, f evidence.File, _ time.Time) evidence.RawEvidence {
	return nodefile.Of(evidence.SourceMetrics, node, f, func(b nodefile.Observer, c *counters) error {
		if c.CollectedAt.IsZero() || c.StartedAt.IsZero() || c.StartedAt.After(c.CollectedAt.Add(time.Hour)) ||
			len(c.Probes) > maxProbes {
			return nodefile.ErrUnlikely
		}
		c.observe(b)
		return nil
	})
}

func (c *counters) observe(b nodefile.Observer) {
	put := func(at time.Time, about evidence.Subject, fact evidence.Fact, text string) {
		b.Observe(evidence.Observation{Time: at, Subject: about, Fact: fact, Text: safetext.Clean(text)})
	}
	version := safetext.Ident(c.Version)
	put(c.StartedAt, evidence.Subject{}, evidence.KubeletStarted{Version: version}, fmt.Sprintf(
		"process_start_time_seconds of the kubelet: %s; kubernetes_build_info: %s",
		c.StartedAt.UTC().Format(time.RFC3339), version))
	for _, p := range c.Probes {
		l, s := p.Liveness.sane(), p.Startup.sane()
		if p.UID == "" || p.Container == "" || l == (runs{}) && s == (runs{}) {
			continue
		}
		about := evidence.Subject{Namespace: safetext.Ident(p.Namespace), Pod: safetext.Ident(p.Pod),
			PodUID: safetext.Ident(p.UID), Container: safetext.Ident(p.Container)}
		put(c.CollectedAt, about, evidence.ProbeTotals{Since: c.StartedAt, Liveness: l.Failed, Startup: s.Failed},
			fmt.Sprintf("prober_probe_total of %s/%s, container %s: liveness failed %d, succeeded %d; startup failed %d, "+
				"succeeded %d", about.Namespace, about.Pod, about.Container, l.Failed, l.Succeeded, s.Failed, s.Succeeded))
	}
}

// most is the largest plausible counter: a probe each second for thirty years.
const most = 1e9

// sane drops implausible counters.
func (r runs) sane() runs {
	if r.Failed < 0 || r.Succeeded < 0 || r.Failed > most || r.Succeeded > most {
		return runs{}
	}
	return r
}
