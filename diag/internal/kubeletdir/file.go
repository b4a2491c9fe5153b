package kubeletdir

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
)

// Kind is the source kind of what is read here.
const Kind evidence.SourceKind = "kubelet-dir"

// Name is the name of the file below nodes/<node>/.
const Name = "kubelet.json"

// stored is the content of nodes/<node>/kubelet.json.
type stored struct {
	CollectedAt time.Time       `json:"collectedAt"`
	RootDir     string          `json:"rootDir"`
	Checkpoints []checkpoint    `json:"checkpoints"`
	Manifests   []manifest      `json:"manifests"`
	Logs        []logs          `json:"logs"`
	Sandboxes   []sandboxRecord `json:"sandboxes,omitempty"`
}

// NewPiece returns the piece of a stored kubelet.json. until is used as the time of collection if the file has none.
func NewPiece(node string, f evidence.File, until time.Time) evidence.RawEvidence {
	return nodefile.New(Kind, node, f, func(b *evidence.Builder, data []byte) error {
		var s struct {
			stored
			Checkpoints []json.RawMessage `json:"checkpoints"`
			Manifests   []json.RawMessage `json:"manifests"`
			Logs        []json.RawMessage `json:"logs"`
			Sandboxes   []json.RawMessage `json:"sandboxes"`
		}
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		at := s.CollectedAt
		if at.IsZero() {
			at = until
		}
		observe := func(o evidence.Observation) {
			o.Time, o.Subject.Node = at, node
			o.Source = evidence.Source{Kind: Kind, Node: node, Where: f.Path}
			b.Observe(o)
		}
		return cmp.Or(
			nodefile.Each(s.Checkpoints, func(c checkpoint) { c.observe(observe) }),
			nodefile.Each(s.Manifests, func(m manifest) { m.observe(node, observe) }),
			nodefile.Each(s.Logs, func(l logs) { l.observe(observe) }),
			nodefile.Each(s.Sandboxes, func(x sandboxRecord) { x.observe(observe) }),
		)
	})
}
