package collect

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Recordings are bundles, and directories and files of logs.
type Recordings struct {
	// Names are paths, "-" for standard input, or names of Builtin.
	Names []string
	// Node is the node of log files that do not name it.
	Node  string
	Stdin io.Reader
	Now   time.Time
	// Once: the input is read, judged and printed, and then the program exits.
	Once bool
	// Builtin returns a bundle that is embedded in the program, nil if there is none with that name.
	Builtin func(name string) []byte
	Hashing
}

// Read reads the recordings. One that cannot be read fails the run, because the user named it. The error comes from
// package bundle or foreign.
func (r *Recordings) Read(p Listener) (*Collected, error) {
	g := &Collected{}
	var all []*bundle.Bundle
	end := func() {}
	g.Close = func() error {
		end()
		var errs []error
		for _, b := range all {
			errs = append(errs, b.Close())
		}
		return errors.Join(errs...)
	}
	o := bundle.Options{Stdin: r.Stdin, Now: r.Now}
	for _, name := range r.Names {
		p.Step(name, false)
		b, report, err := r.open(name, o)
		p.Step(name, true)
		if err != nil {
			return nil, errors.Join(err, g.Close())
		}
		if b.Foreign {
			p.Note(safetext.Ident(name) + ": " + safetext.Clean(report.String()).String())
		}
		g.note(name, report)
		all = append(all, b)
		if b.Manifest.CollectedAt.After(g.CollectedAt) {
			g.CollectedAt = b.Manifest.CollectedAt
		}
	}
	hasher := apiobject.Hasher{Present: r.Present, Near: r.Near}
	if r.Once {
		end = g.growHeapFreely(all)
		if !ofNodes(all) {
			hasher = apiobject.Hasher{}
		}
	}
	g.Collection = diag.LoadAll(all, hasher)
	return g, nil
}

func (r *Recordings) open(name string, o bundle.Options) (*bundle.Bundle, foreign.Conversion, error) {
	if recording := r.Builtin(name); recording != nil {
		b, err := bundle.Read(name, bytes.NewReader(recording), o)
		return b, foreign.Conversion{}, err
	}
	return foreign.Open(name, r.Node, o)
}

// ofNodes reports whether anything from a node was recorded: only nodes have stored hashes to compare those of the
// specs with.
func ofNodes(all []*bundle.Bundle) bool {
	return slices.ContainsFunc(all, func(b *bundle.Bundle) bool {
		return slices.ContainsFunc(b.Files, func(f evidence.File) bool { return strings.HasPrefix(f.Path, "nodes/") })
	})
}
