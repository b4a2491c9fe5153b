package entry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
)

// Report analyses the entry as `kubectl restartwhy analyze DIR` would have when it was collected. Evidence that cannot
// be read causes a gap and no item: the program is silent about what it cannot read, and that is counted. The error is
// one of the machine.
func (e *Entry) Report() (*report.Report, error) {
	snap, err := e.Observe()
	if err != nil {
		return nil, err
	}
	return analyzer.Analyze(snap, analyzer.Options{GeneratedAt: e.CollectedAt}), nil
}

// Observe reads the entry's files.
func (e *Entry) Observe() (snap *evidence.Snapshot, err error) {
	dir, err := os.MkdirTemp("", "field")
	if err != nil {
		return nil, fmt.Errorf("unpack entry: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := e.unpack(dir); err != nil {
		return nil, fmt.Errorf("unpack entry: %w", err)
	}
	b, _, err := foreign.Open(dir, "", bundle.Options{Now: e.CollectedAt})
	if err != nil {
		gap := evidence.Gap{Source: bundle.Source, Why: strings.ReplaceAll(err.Error(), dir, e.Name)}
		return diag.Observe(diag.Collection{Gaps: []evidence.Gap{gap}}, e.CollectedAt), nil
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return diag.Observe(diag.Load(b, apiobject.Hasher{Present: forensics.Present}), b.Manifest.CollectedAt), nil
}

// unpack writes the files into a directory, with the time of their collection: a reader uses that as the time up to
// which they report.
func (e *Entry) unpack(dir string) error {
	for p, data := range e.Files {
		name := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
		if err := os.Chtimes(name, e.CollectedAt, e.CollectedAt); err != nil {
			return err
		}
	}
	return nil
}
