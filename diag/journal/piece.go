package journal

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// Path is the path in a bundle of a node's journal of one kind (kubelet, runtime, kernel).
func Path(node, kind string) string {
	return nodefile.Path(node, "journal/"+kind+".export")
}

// sourceOf is the source for a kind of file.
func sourceOf(kind string) evidence.SourceKind {
	switch kind {
	case "runtime":
		return evidence.SourceRuntimeLog
	case "kernel":
		return evidence.SourceKernelLog
	}
	return evidence.SourceKubeletLog
}

// NewPiece returns the piece of a file in export format. kind is kubelet, runtime or kernel, or "" when unknown. until
// is up to when the journal was read, zero if unknown: then the last entry is the end.
func NewPiece(node, kind string, f evidence.File, until time.Time) evidence.RawEvidence {
	return &piece{node: node, kind: kind, file: f, until: until}
}

type piece struct {
	node, kind string
	file       evidence.File
	until      time.Time
}

func (p *piece) Files() []evidence.File { return []evidence.File{p.file} }

// Observe streams the file through the statement router.
func (p *piece) Observe(b *evidence.Builder) {
	gap := func(why string) { b.Gap(evidence.Gap{Source: sourceOf(p.kind), Node: p.node, Why: why}) }
	r, err := p.file.Open()
	if err != nil {
		gap(fmt.Sprintf("open %s: %v", p.file.Path, err))
		return
	}
	defer r.Close()
	o := statement.Options{Node: p.node, Where: p.file.Path, Until: p.until}
	Observe(ReadExport, b, r, o, gap)
}

// Reader is one of ReadExport, ReadRecords, ReadVerbose.
type Reader func(io.Reader, func(evidence.Entry) error, func(Bad)) error

// Observe reads a stream into b and reports what it could not read.
func Observe(read Reader, b *evidence.Builder, r io.Reader, o statement.Options, gap func(why string)) {
	router := statement.NewRouter(b, o)
	var broken, missing tally
	err := read(r, func(e evidence.Entry) error {
		router.Add(e)
		return nil
	}, func(bad Bad) {
		router.Hole() // its message may be the one that matters
		if bad.Missing {
			missing.add(bad.Why)
		} else {
			broken.add(bad.Why)
		}
	})
	if broken.n > 0 {
		gap(fmt.Sprintf("read %s: %d entries unreadable, the first: %s", o.Where, broken.n, broken.first))
	}
	missing.tell(o.Where, gap)
	switch {
	case errors.Is(err, ErrCut):
		// Entries after the cut may exist: the log's coverage ends at its last one.
		router.Cut()
		gap(fmt.Sprintf("read %s: %v", o.Where, err))
	case err != nil:
		router.Cut()
		gap(err.Error())
	}
	router.Close()
}

// tally counts similar failures and keeps the first reason.
type tally struct {
	n           int
	first, last string
}

// add counts a reason. Immediate repetitions count once.
func (t *tally) add(why string) {
	if t.n == 0 {
		t.first = why
	}
	if t.n == 0 || why != t.last {
		t.n++
	}
	t.last = why
}

// tell reports where a journal is incomplete.
func (t *tally) tell(where string, gap func(why string)) {
	switch {
	case t.n == 1:
		gap(fmt.Sprintf("read %s: entries are missing: %s", where, t.first))
	case t.n > 1:
		gap(fmt.Sprintf("read %s: entries are missing in %d places, the first: %s", where, t.n, t.first))
	}
}
