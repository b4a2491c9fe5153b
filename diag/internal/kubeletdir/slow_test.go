package kubeletdir

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// A node so slow that all files together take longer than the limit is read to the end.
func TestEveryFileBeginsTheLimitAnew(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := pace.Within(t.Context(), time.Second)
		defer cancel()
		r := reader{ctx: ctx}
		for range 10 {
			time.Sleep(700 * time.Millisecond)
			if _, _, err := r.read(name); err != nil || r.over("read") {
				t.Fatalf("%v, gaps %+v", err, r.gaps)
			}
		}
		time.Sleep(2 * time.Second)
		if !r.over("read") || len(r.gaps) != 1 {
			t.Errorf("nothing ends what is stuck: %+v", r.gaps)
		}
	})
}
