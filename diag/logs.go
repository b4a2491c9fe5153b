package diag

import (
	"path"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
)

// folders are the directories of a node's logs, below nodes/<node>/.
var folders = map[string]reader{
	"journal": func(node string, f evidence.File, until time.Time) evidence.Piece {
		return journal.NewPiece(node, strings.TrimSuffix(path.Base(f.Path), ".export"), f, until)
	},
}

func NodeOf(evidence.File) string { return "" }
