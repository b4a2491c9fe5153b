package entry

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
)

// Load reads the corpus: the written and the recorded entries of a directory, and the worked examples of the causes'
// pages.
func Load(dir string, pages []analyzer.Cause) ([]*Entry, error) {
	var all []*Entry
	written, err := filepath.Glob(filepath.Join(dir, "written", "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, name := range written {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read corpus: %w", err)
		}
		e, err := Parse(strings.TrimSuffix(filepath.Base(name), ".txtar"), text)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	recorded, err := filepath.Glob(filepath.Join(dir, "recorded", "*.tar.zst"))
	if err != nil {
		return nil, err
	}
	for _, name := range recorded {
		e, err := record(name)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	for _, page := range pages {
		if page.Example == "" {
			continue
		}
		e, err := Parse("page "+page.ID, []byte(page.Example))
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Entry) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// record reads a recorded bundle; the truth of NAME.tar.zst is in NAME.yaml.
func record(name string) (*Entry, error) {
	e := &Entry{Name: strings.TrimSuffix(filepath.Base(name), ".tar.zst"), Files: map[string][]byte{}}
	head, err := os.ReadFile(strings.TrimSuffix(name, ".tar.zst") + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("read entry %s: its truth: %w", e.Name, err)
	}
	if err := yaml.UnmarshalStrict(head, e); err != nil {
		return nil, fmt.Errorf("read entry %s: its truth: %w", e.Name, err)
	}
	// Now is later than every recording: the bundle's own time counts.
	b, err := bundle.Open(name, bundle.Options{Now: time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return nil, fmt.Errorf("read entry %s: %w", e.Name, err)
	}
	defer func() { _ = b.Close() }() // its temporary files only
	e.CollectedAt = b.Manifest.CollectedAt
	for _, f := range b.Files {
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("read entry %s: %w", e.Name, err)
		}
		data, err := io.ReadAll(r)
		if closing := r.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return nil, fmt.Errorf("read entry %s: %s: %w", e.Name, f.Path, err)
		}
		e.Files[f.Path] = data
	}
	return e, e.check()
}
