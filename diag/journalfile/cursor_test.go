package journalfile

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

func TestAWindowReadsOnlyTheWindow(t *testing.T) {
	o := plain()
	o.Buckets = 60_000
	w := journalfiletest.New(o)
	const n = 40_000
	for i := range n {
		w.Add(nth(i))
	}
	b := w.Bytes()
	s := setOf(t, b)
	got := messages(t, s, Query{Since: second(n - 10)})
	if len(got) != 10 || got[0] != "message 39990" {
		t.Fatalf("%q", got)
	}
	if read := s.BytesRead(); read > 64*windowSize || read > int64(len(b))/3 {
		t.Errorf("%d KiB read of %d", read>>10, len(b)>>10)
	}
	before := s.BytesRead()
	if got := messages(t, s, Query{Any: [][]Match{{{"MESSAGE", "message 39999"}}}}); len(got) != 1 ||
		s.BytesRead()-before > 8*windowSize {
		t.Errorf("%q for %d KiB", got, (s.BytesRead()-before)>>10)
	}
	if got := messages(t, s, Query{Since: time.UnixMicro(t0).Add(n * time.Second)}); got != nil {
		t.Errorf("%q", got)
	}
}
