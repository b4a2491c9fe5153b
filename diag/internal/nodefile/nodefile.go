// Package nodefile is the shape that the small JSON files of a node share in a bundle: one file per source,
// nodes/<node>/<name>.json.
//
// It names, writes and reads such a file within a byte limit, and turns it into a piece of evidence. It may import
// diag/evidence, diag/internal/secrets and the standard library. The content of a file is up to its source.
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

// MaxBytes limits how much of one file is read. A node with 500 pods needs less than 2 MiB.
const MaxBytes = 32 << 20

// Path returns the place of a node's file in a bundle. Characters of a node's name that could leave the directory are
// replaced.
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

// Encode writes v as the file at p: indented JSON, so that a person can read it and two collections can be compared
// line by line.
func Encode(p string, v any) (evidence.File, error) {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return evidence.File{}, fmt.Errorf("write %s: %w", p, err)
	}
	return evidence.Bytes(p, append(withoutSecrets(data), '\n')), nil
}

// withoutSecrets removes the secrets from every string of a JSON text.
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

// Store returns what a node's source collected at one time: its piece, with the gaps so far.
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

// Each decodes a list element by element: an element that cannot be read costs only itself. The error, if any, says how
// many were lost and why the first one was.
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

// Piece is a piece of evidence in one file. The live and the offline path both use it.
type Piece struct {
	kind evidence.SourceKind
	node string
	file evidence.File
	read func(*evidence.Builder, []byte) error
}

// New returns the piece of a file. read puts the content's facts into the builder. An error becomes a gap, even if read
// observed some facts before.
func New(kind evidence.SourceKind, node string, f evidence.File, read func(*evidence.Builder, []byte) error) *Piece {
	return &Piece{kind: kind, node: node, file: f, read: read}
}

// Of returns the piece of a file whose content is a T in JSON.
func Of[T any](kind evidence.SourceKind, node string, f evidence.File, read func(Observer, *T) error) *Piece {
	return New(kind, node, f, func(b *evidence.Builder, data []byte) error {
		content := new(T)
		if err := json.Unmarshal(data, content); err != nil {
			return err
		}
		return read(Observer{b, evidence.Source{Kind: kind, Node: node, Where: f.Path}}, content)
	})
}

// ErrUnlikely is the error for a file that decodes, but has not what every writer puts there.
var ErrUnlikely = errors.New("the file is damaged or was edited")

// Observer observes what one file says about its node.
type Observer struct {
	*evidence.Builder
	Source evidence.Source
}

// Observe completes the source and the subject.
func (b Observer) Observe(o evidence.Observation) {
	o.Source, o.Subject.Node = b.Source, b.Source.Node
	b.Builder.Observe(o)
}

// Files implements evidence.RawEvidence.
func (p *Piece) Files() []evidence.File { return []evidence.File{p.file} }

// Observe implements evidence.RawEvidence.
func (p *Piece) Observe(b *evidence.Builder) {
	data, err := Read(p.file)
	if err == nil {
		// Encode removed the secrets from our own files; someone else may have made this one.
		if err = p.read(b, withoutSecrets(data)); err != nil {
			err = fmt.Errorf("read %s: %w", p.file.Path, trim(err))
		}
	}
	if err != nil {
		b.Gap(evidence.Gap{Source: p.kind, Node: p.node, Why: err.Error()})
	}
}

// trim explains json's bare "unexpected end".
func trim(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
	}
	return err
}
