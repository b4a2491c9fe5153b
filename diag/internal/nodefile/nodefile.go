// Package nodefile is the shape that the small JSON files of a node share in a
// bundle: one file per source, nodes/<node>/<name>.json.
//
// It holds how such a file is named, written, read back within a byte limit and
// turned into a piece of evidence. It may import diag/evidence, diag/internal/secrets and the
// standard library. What stands in a file is its source's business, never decided here.
package nodefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
)

// MaxBytes is the most that is read of one file. A node with 500 pods needs less
// than 2 MiB.
const MaxBytes = 32 << 20

// Path is the place of a node's file in a bundle. What could leave the directory
// in a node's name is replaced.
func Path(node, name string) string {
	safe := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, node)
	if strings.Trim(safe, ".") == "" {
		safe = "_" + safe
	}
	return path.Join("nodes", safe, name)
}

// Encode writes v as the file at p: indented JSON, so that a person can read it
// and two collections can be compared line by line.
func Encode(p string, v any) (evidence.File, error) {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return evidence.File{}, fmt.Errorf("write %s: %w", p, err)
	}
	return evidence.Bytes(p, append(withoutSecrets(data), '\n')), nil
}

// withoutSecrets takes the secrets out of every string of a JSON text.
func withoutSecrets(data []byte) []byte {
	out, changed := make([]byte, 0, len(data)), false
	for i := 0; i < len(data); {
		if data[i] != '"' {
			out = append(out, data[i])
			i++
			continue
		}
		end := i + 1
		for end < len(data) && data[end] != '"' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(data))
		raw := data[i:end]
		i = end
		var s string
		if json.Unmarshal(raw, &s) == nil {
			if clear := secrets.Text(s); clear != s {
				if again, err := json.Marshal(clear); err == nil {
					raw, changed = again, true
				}
			}
		}
		out = append(out, raw...)
	}
	if !changed {
		return data
	}
	return out
}

// Store is what a source of a node hands on: the piece of what it read at a time, with the gaps that there are already.
func Store(kind evidence.SourceKind, node, name string, v any, at time.Time,
	piece func(node string, f evidence.File, at time.Time) evidence.RawEvidence, gaps []evidence.Gap,
) ([]evidence.RawEvidence, []evidence.Gap) {
	f, err := Encode(Path(node, name), v)
	if err != nil {
		return nil, append(gaps, evidence.Gap{Source: kind, Node: node, Why: err.Error()})
	}
	return []evidence.RawEvidence{piece(node, f, at)}, gaps
}

// Read returns the whole content of f, or an error if it is longer than MaxBytes.
func Read(f evidence.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Path, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Path, err)
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("read %s: longer than %d MiB", f.Path, MaxBytes>>20)
	}
	return data, nil
}

// Each decodes a list element by element: one that cannot be read costs only
// itself. The error, if any, tells how many were lost and why the first one was.
func Each[T any](raw []json.RawMessage, use func(T)) error {
	var first error
	lost := 0
	for i, r := range raw {
		var v T
		if err := json.Unmarshal(r, &v); err != nil {
			if lost++; first == nil {
				first = fmt.Errorf("entry %d: %w", i, err)
			}
			continue
		}
		use(v)
	}
	if lost > 0 {
		return fmt.Errorf("%d of %d entries unreadable: %w", lost, len(raw), first)
	}
	return nil
}

// Piece is a piece of evidence in one file. The live path and the offline path
// both go through it.
type Piece struct {
	kind evidence.SourceKind
	node string
	file evidence.File
	read func(*evidence.Builder, []byte) error
}

// New returns the piece of a file. read puts the content's facts into the
// builder; an error that it returns becomes a gap, also after it observed some.
func New(kind evidence.SourceKind, node string, f evidence.File, read func(*evidence.Builder, []byte) error) *Piece {
	return &Piece{kind: kind, node: node, file: f, read: read}
}

// Files implements evidence.RawEvidence.
func (p *Piece) Files() []evidence.File { return []evidence.File{p.file} }

// Observe implements evidence.RawEvidence.
func (p *Piece) Observe(b *evidence.Builder) {
	data, err := Read(p.file)
	if err == nil {
		// Encode took the secrets out of ours; someone else may have made this one.
		if err = p.read(b, withoutSecrets(data)); err != nil {
			err = fmt.Errorf("read %s: %w", p.file.Path, trim(err))
		}
	}
	if err != nil {
		b.Gap(evidence.Gap{Source: p.kind, Node: p.node, Why: err.Error()})
	}
}

// trim turns json's bare "unexpected end" into words.
func trim(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
	}
	return err
}
