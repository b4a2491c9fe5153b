//go:build sdjournal && linux && cgo

package journal

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// libsystemd must find the same entries in the same file.
func TestLibsystemdStoresTheSame(t *testing.T) {
	root := node(t, map[string][]byte{system: usual().Bytes()})
	o := NewSource("n3", Options{Root: root, Dirs: []string{"/var/log/journal"},
		Since: now.Add(-time.Hour), Now: func() time.Time { return now }}).o
	f, bad := openFiles(&o)
	if f == nil || bad != nil {
		t.Fatal(bad)
	}
	defer f.close()
	for _, kind := range kinds() {
		var got [2][]evidence.Entry
		for i, w := range []way{f, libsystemd(&o)} {
			r := newRecorder(t.Context(), 1<<20)
			until, err := w.record(context.Background(), kind, r)
			if err != nil || !until.Equal(now) {
				t.Fatalf("%s: %v %v", kind, until, err)
			}
			got[i], _, err = readAll(t, content(t, NewPiece("n3", kind, r.buf.File("f"), now)))
			if err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" || kind == "kubelet" && len(got[0]) != 3 {
			t.Errorf("%s: %d entries: %s", kind, len(got[0]), diff)
		}
	}
}

func TestLibsystemdWithoutFilesSaysSo(t *testing.T) {
	o := NewSource("n3", Options{Root: t.TempDir(), Now: func() time.Time { return now }}).o
	if _, err := libsystemd(&o).record(context.Background(), "kubelet", newRecorder(t.Context(), 1)); err == nil {
		t.Error("no error")
	}
}
