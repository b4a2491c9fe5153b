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
	return nodefile.Of(Kind, node, f, func(b nodefile.Observer, s *struct {
		stored
		Checkpoints []json.RawMessage `json:"checkpoints"`
		Manifests   []json.RawMessage `json:"manifests"`
		Logs        []json.RawMessage `json:"logs"`
		Sandboxes   []json.RawMessage `json:"sandboxes"`
	}) error {
		observe := func(o evidence.Observation) {
			o.Time = cmp.Or(s.CollectedAt, until)
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
