package diag

import (
	"path"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/systemd"
)

// reader makes the piece of one file of a node. until is the end of the
// collection.
type reader func(node string, f evidence.File, until time.Time) evidence.Piece

// readers are the files of a node by their path below nodes/<node>/.
var readers = map[string]reader{
	"cri.json":    cri.NewPiece,
	"cgroup.json": cgroup.NewPiece,
	"units.json":  systemd.NewPiece,
	"host.json":   hostfiles.NewPiece,
}

// Intake turns the files of a bundle back into pieces, and passes on the gaps of
// its collection and of its reading. hash serves objects that no collection of
// this tool has hashed, as `kubectl get -o json` prints them; it may be nil.
func Intake(b *bundle.Bundle, hash apiserver.Hasher) Yield {
	y := Yield{Gaps: append(append([]evidence.Gap{}, b.Manifest.Gaps...), b.Gaps...)}
	var cluster []evidence.File
	for _, f := range b.Files {
		if strings.HasPrefix(f.Path, "cluster/") {
			cluster = append(cluster, f)
			continue
		}
		if p := nodePiece(f, b.Manifest.CollectedAt); p != nil {
			y.Pieces = append(y.Pieces, p)
			continue
		}
		y.Gaps = append(y.Gaps, evidence.Gap{Source: bundle.Source, Why: f.Path + " is no file of a bundle that this version knows"})
	}
	if len(cluster) > 0 {
		// The objects come first: what others say is attached to them.
		y.Pieces = append([]evidence.Piece{apiserver.Decode(cluster, hash)}, y.Pieces...)
	}
	return y
}

// nodePiece makes the piece of a file below nodes/<node>/, nil for a path that
// no source writes.
func nodePiece(f evidence.File, until time.Time) evidence.Piece {
	rest, ok := strings.CutPrefix(f.Path, "nodes/")
	node, name, slash := strings.Cut(rest, "/")
	if !ok || !slash || node == "" || name == "" {
		return nil
	}
	if read := readers[name]; read != nil {
		return read(node, f, until)
	}
	if read := folders[path.Dir(name)]; read != nil {
		return read(node, f, until)
	}
	return nil
}
