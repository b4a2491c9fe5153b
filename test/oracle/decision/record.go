package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/cases"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// recorder keeps, per release, the cases that took a path no other case took. A nil recorder keeps none.
type recorder struct {
	dir   string
	limit int // vectors per release
	seen  map[string]bool
	kept  map[string][]cases.Vector
}

func newRecorder(dir string, limit int) *recorder {
	return &recorder{dir, limit, map[string]bool{}, map[string][]cases.Vector{}}
}

func (r *recorder) add(release, path string, line []byte, a *cases.Answer) {
	if r == nil || len(r.kept[release]) >= r.limit || r.seen[release+path] {
		return
	}
	r.seen[release+path] = true
	r.kept[release] = append(r.kept[release], cases.Vector{Case: json.RawMessage(line), Answer: *a})
}

// write writes one file for each release and returns their size in bytes.
func (r *recorder) write() (size int, err error) {
	for release, vectors := range r.kept {
		packed, err := peer.Pack(vectors)
		if err != nil {
			return 0, fmt.Errorf("record vectors of %s: %w", release, err)
		}
		size += len(packed)
		if err := os.WriteFile(filepath.Join(r.dir, release+cases.VectorSuffix), packed, 0o644); err != nil {
			return 0, fmt.Errorf("record vectors of %s: %w", release, err)
		}
	}
	return size, nil
}
