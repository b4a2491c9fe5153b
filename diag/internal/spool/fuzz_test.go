package spool

import (
	"bytes"
	"io"
	"testing"
)

// Whatever is added comes back: its newest part, from the beginning of a record on.
func FuzzBuffer(f *testing.F) {
	f.Add([]byte("a line\n"), 3, int64(1))
	f.Add([]byte("another line, which is longer\n"), 200_000, int64(3<<20))
	f.Add([]byte{}, 5, int64(0))
	f.Fuzz(func(t *testing.T, record []byte, times int, budget int64) {
		times = max(0, min(times, 6<<20/(len(record)+1)))
		b := New(budget)
		for range times {
			b.Add(record)
		}
		file := b.File("x")
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		got, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all := bytes.Repeat(record, times)
		if int64(len(got)) != file.Size || int64(len(got))+b.Dropped() != int64(len(all)) || !bytes.HasSuffix(all, got) {
			t.Fatalf("%d times %d bytes with a budget of %d: %d came back, size %d, dropped %d",
				times, len(record), budget, len(got), file.Size, b.Dropped())
		}
		if len(record) > 0 && len(got)%len(record) != 0 {
			t.Errorf("a record was torn: %d bytes of records of %d", len(got), len(record))
		}
		if int64(len(got)) < min(budget, int64(len(all))) {
			t.Errorf("only %d bytes are kept, with a budget of %d", len(got), budget)
		}
	})
}
