package packages

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// A log that takes longer than the limit as a whole is read to the end, and one that stops is a gap.
func TestASlowLogIsReadToTheEnd(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "var/log"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "var/log/x.log"), []byte(strings.Repeat("line\n", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		for wait, want := range map[time.Duration]int{700 * time.Millisecond: 10, 1500 * time.Millisecond: 1} {
			ctx, cancel := pace.Within(t.Context(), time.Second)
			r := reader{ctx: ctx, o: Options{Root: root}}
			r.lines("/var/log/x.log", func(string, *time.Location, time.Time) (entry, bool) {
				time.Sleep(wait)
				return entry{}, true
			})
			if len(r.entries) != want || (len(r.gaps) == 0) != (want == 10) {
				t.Errorf("a line in %s: %d entries, gaps %+v", wait, len(r.entries), r.gaps)
			}
			cancel()
		}
	})
}

// What was not looked at because the time was over is told.
func TestNothingIsPassedOverSilently(t *testing.T) {
	root := filetest.Plant(t, map[string]string{"var/log/dpkg.log": "2026-11-21 06:00:00 upgrade kubelet:amd64 1 2\n"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, gaps := New(Options{Node: "n1", Root: root, Since: time.Unix(1, 0)}).Collect(ctx)
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "time is over") {
		t.Errorf("gaps %+v", gaps)
	}
}
