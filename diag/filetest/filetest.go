// Package filetest makes trees of files for tests, reads what a source would store, and keeps golden files.
//
// Only tests import it.
package filetest

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Plant makes a directory of files, which ends with the test.
func Plant[T string | []byte](t testing.TB, files map[string]T) string {
	t.Helper()
	root := t.TempDir()
	Into(t, root, files)
	return root
}

// Into writes files below a directory: their content by their path. A path that ends in a slash is an empty directory,
// a content "-> x" a link to x.
func Into[T string | []byte](t testing.TB, root string, files map[string]T) {
	t.Helper()
	for name, data := range files {
		p := filepath.Join(root, filepath.FromSlash(name))
		below := filepath.Dir(p)
		if strings.HasSuffix(name, "/") {
			below = p
		}
		err := os.MkdirAll(below, 0o755)
		if target, link := strings.CutPrefix(string(data), "-> "); err == nil && link {
			err = os.Symlink(target, p)
		} else if err == nil && below != p {
			err = os.WriteFile(p, []byte(data), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Date says when the files below a directory were last written.
func Date(t testing.TB, root string, at time.Time) {
	t.Helper()
	if err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		return os.Chtimes(p, at, at)
	}); err != nil {
		t.Fatal(err)
	}
}

// Of returns the files of evidence, by path.
func Of(t testing.TB, p evidence.RawEvidence) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range p.Files() {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || int64(len(data)) != f.Size {
			t.Fatalf("%s: %v, %d of %d bytes", f.Path, err, len(data), f.Size)
		}
		out[f.Path] = string(data)
	}
	return out
}

// Content returns the content of the files of evidence.
func Content(t testing.TB, pieces ...evidence.RawEvidence) (all string) {
	t.Helper()
	for _, p := range pieces {
		for _, f := range p.Files() {
			all += Of(t, p)[f.Path]
		}
	}
	return all
}

// Observed returns what pieces of evidence say, read at a time, and the content of their files.
func Observed(t testing.TB, at time.Time, pieces []evidence.RawEvidence) (s *evidence.Snapshot, content string) {
	t.Helper()
	b := evidence.NewBuilder(at)
	for _, p := range pieces {
		p.Observe(b)
	}
	return b.Build(), Content(t, pieces...)
}
