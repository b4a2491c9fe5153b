package journalfile

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

func TestBootsAreListedFromTheIndex(t *testing.T) {
	one, two := ID128(journalfiletest.ID("boot one")), ID128(journalfiletest.ID("boot two"))
	for _, items := range []int{1, 3, 50} {
		for _, compact := range []bool{false, true} {
			o := plain()
			o.ArrayItems, o.Compact, o.Buckets = items, compact, 1 // all in one chain
			got, err := setOf(t, write(o, 0, 10).Bytes()).Boots()
			if diff := cmp.Diff([]Boot{{one, second(0), second(4)}, {two, second(5), second(9)}}, got); diff != "" ||
				err != nil {
				t.Errorf("arrays of %d, compact %t: %s %v", items, compact, diff, err)
			}
		}
	}
	// One boot in several files is one, whichever comes first.
	got, err := setOf(t, write(plain(), 3, 4).Bytes(), write(plain(), 0, 1).Bytes(), write(plain(), 2, 3).Bytes()).Boots()
	if diff := cmp.Diff([]Boot{{one, second(0), second(3)}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestABrokenListOfBootsIsSaid(t *testing.T) {
	w := write(plain(), 0, 10)
	base, field := w.Bytes(), w.Fields["_BOOT_ID"]
	two := w.Data["_BOOT_ID=626f6f742074776f0000000000000000"]
	for name, b := range map[string][]byte{
		"a list that loops":                     put(base, two+32, uint64(two)),
		"a list that leads out":                 put(base, two+32, 1<<50),
		"other data in the list":                put(base, field+32, uint64(w.Data["_HOSTNAME=n1"])),
		"the field leads out":                   put(base, field+32, 1<<50),
		"the field is no field":                 flag(base, field, 9),
		"no table of fields":                    put(base, 120, 0),
		"a table of fields that is no multiple": put(base, 128, 17),
		"a table of fields outside":             put(base, 120, 1<<62),
	} {
		s := setOf(t, b)
		got, err := s.Boots()
		if err == nil || len(got) > 1 {
			t.Errorf("%s: %v %v", name, got, err)
		}
		// The entries are there all the same.
		if got := messages(t, s, Query{}); len(got) != 10 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A search through a large file reads a few windows, and a time in the middle
// does not read what lies before it.
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
	got := messages(t, s, Query{Since: second(n / 2), Until: second(n/2 + 9)})
	if len(got) != 10 || got[0] != "message 20000" {
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
