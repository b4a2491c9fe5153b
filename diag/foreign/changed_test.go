package foreign_test

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/foreign"
)

// Ages count from when their own table was saved, and not from when the last file of the directory was.
func TestATableIsAsOldAsItsFile(t *testing.T) {
	saved := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	const table = "LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n" +
		"5m          Warning   BackOff   pod/web-0   Back-off restarting failed container app in pod web-0_shop(u1)\n"
	files := map[string]time.Time{"events.txt": saved, "nodes.txt": saved.Add(40 * time.Minute)}
	content := map[string]string{"events.txt": table, "nodes.txt": "NAME   STATUS   ROLES    AGE   VERSION\n" +
		"n1     Ready    <none>   9d    v1.31.0\n"}
	dir := t.TempDir()
	archive := filepath.Join(t.TempDir(), "all.tar")
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for name, at := range files {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(content[name]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
		h := &tar.Header{Name: name, Mode: 0o600, Size: int64(len(content[name])), ModTime: at}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{dir, archive} {
		b, _, err := foreign.Open(from, "", bundle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		var all strings.Builder
		for _, f := range b.Files {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(&all, r); err != nil {
				t.Fatal(err)
			}
			_ = r.Close()
		}
		if want := `"lastTimestamp":"2026-11-20T07:55:00Z"`; !strings.Contains(all.String(), want) {
			t.Errorf("%s: no %s in %s", filepath.Base(from), want, all.String())
		}
	}
}
