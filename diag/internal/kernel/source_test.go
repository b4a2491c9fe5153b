package kernel

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

func TestCollectKeepsTheRecordsThatThereAre(t *testing.T) {
	if _, err := os.Stat("/dev/kmsg"); err != nil {
		t.Skip("no /dev/kmsg here")
	}
	pieces, gaps := NewSource("n1").Collect(context.Background())
	if len(pieces) == 0 {
		t.Skipf("the kernel log cannot be read here: %+v", gaps)
	}
	data := filetest.Content(t, pieces[0])
	head, _, _ := strings.Cut(data, "\n")
	if !strings.HasPrefix(head, "# kmsg boottime=20") {
		t.Errorf("starts with %q", head)
	}
	n := 0
	if _, err := Read(strings.NewReader(data), nil, func(e evidence.Entry) {
		if e.Time.IsZero() || clock.Until(e.Time) > time.Minute {
			t.Errorf("an entry of %v", e.Time)
		}
		n++
	}); err != nil || n == 0 {
		t.Errorf("%d entries, %v", n, err)
	}
}

func TestWhatCannotBeReadIsAGap(t *testing.T) {
	pieces, gaps := (&Source{"n1", filepath.Join(t.TempDir(), "kmsg")}).Collect(context.Background())
	if len(pieces) != 0 || len(gaps) != 1 || gaps[0].Hint == "" || gaps[0].Node != "n1" {
		t.Errorf("%v %+v", pieces, gaps)
	}
}

func TestRecordsStopAtTheBudgetAndTheDeadline(t *testing.T) {
	endless := func(b []byte) (int, error) { return copy(b, "6,1,1,-;x\n"), nil }
	var out strings.Builder
	if err := records(context.Background(), endless, 100, &out); !errors.Is(err, errBudget) || out.Len() != 100 {
		t.Errorf("%v after %d bytes", err, out.Len())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := records(ctx, endless, 100, &out); !errors.Is(err, context.Canceled) {
		t.Errorf("after the deadline: %v", err)
	}
}
