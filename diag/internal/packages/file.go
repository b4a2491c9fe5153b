package packages

import (
	"encoding/json"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
)

// Kind is the source kind of this package's files.
const Kind evidence.SourceKind = "packages"

// Name is the name of the file below nodes/<node>/.
const Name = "packages.json"

// stored is the content of nodes/<node>/packages.json.
type stored struct {
	CollectedAt time.Time `json:"collectedAt"`
	Entries     []entry   `json:"entries"`
}

// NewPiece returns the piece of a stored packages.json. It needs no until: every record has its own time.
func NewPiece(node string, f evidence.File, _ time.Time) evidence.RawEvidence {
	return nodefile.Of(Kind, node, f, func(b nodefile.Observer, s *struct {
		Entries []json.RawMessage `json:"entries"`
	}) error {
		return nodefile.Each(s.Entries, func(e entry) {
			if o, ok := e.observation(); ok {
				b.Observe(o)
			}
		})
	})
}
