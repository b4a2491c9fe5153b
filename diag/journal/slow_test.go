package journal

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// A journal that is read ten times slower than its whole limit is read to the end, as long as entries come.
func TestASlowJournalIsReadToTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		elapsed := clock.Stopwatch()
		_, pieces, gaps := collect(t, Options{Timeout: time.Minute},
			func(ctx context.Context, _ []string, out io.Writer) error {
				for range 300 {
					time.Sleep(2 * time.Second)
					if _, err := io.WriteString(out, kubeletEntry); err != nil {
						return err
					}
					if ctx.Err() != nil { // as journalctl is killed then
						return ctx.Err()
					}
				}
				return nil
			})
		if took := elapsed(); took < 3*10*time.Minute || len(gaps) != 0 || len(pieces) != 3 {
			t.Fatalf("after %s: %d pieces, gaps %+v", took, len(pieces), gaps)
		}
		for _, p := range pieces {
			if n := strings.Count(filetest.Content(t, p), "MESSAGE="); n != 300 {
				t.Errorf("%s: %d entries", p.Files()[0].Path, n)
			}
		}
	})
}

// One that hangs ends with a gap that says which it was and how far it came.
func TestAJournalThatHangsIsAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, pieces, gaps := collect(t, Options{Timeout: time.Minute},
			func(ctx context.Context, _ []string, out io.Writer) error {
				if _, err := io.WriteString(out, strings.Repeat(kubeletEntry, 100)); err != nil {
					return err
				}
				<-ctx.Done()
				return ctx.Err()
			})
		if len(pieces) != 3 || len(gaps) != 3 ||
			!strings.Contains(gaps[0].Why, "read the kubelet journal: stopped at the entry of 2026-11-21T") {
			t.Errorf("%d pieces, gaps %+v", len(pieces), gaps)
		}
	})
}
