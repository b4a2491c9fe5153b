package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func content(t *testing.T, b *Buffer) string {
	t.Helper()
	f := b.File("nodes/n1/x.log")
	var first string
	for range 2 { // a file can be opened again
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if first != "" && first != string(data) {
			t.Fatal("the second reading differs from the first")
		}
		first = string(data)
	}
	if f.Size != int64(len(first)) {
		t.Errorf("size %d of %d bytes", f.Size, len(first))
	}
	return first
}

func TestWhatFitsComesBackWhole(t *testing.T) {
	b := New(1 << 30)
	var want bytes.Buffer
	for i := range 200_000 {
		record := fmt.Appendf(nil, "line %d of a log that repeats itself\n", i)
		b.Add(record)
		want.Write(record)
	}
	if got := content(t, b); got != want.String() {
		t.Errorf("%d bytes came back of %d", len(got), want.Len())
	}
	if b.Dropped() != 0 {
		t.Errorf("%d bytes dropped within the budget", b.Dropped())
	}
}

func TestTheOldestIsDroppedAtARecordBoundary(t *testing.T) {
	const budget = 3 << 20
	b := New(budget)
	total := 0
	for i := range 400_000 {
		record := fmt.Appendf(nil, "line %06d of a log that is longer than its budget\n", i)
		total += len(record)
		b.Add(record)
	}
	got := content(t, b)
	if len(got) < budget || len(got) > budget+2*chunkSize {
		t.Errorf("kept %d bytes of a budget of %d", len(got), budget)
	}
	if !strings.HasPrefix(got, "line ") ||
		!strings.HasSuffix(got, "line 399999 of a log that is longer than its budget\n") {
		t.Errorf("kept %q … %q", got[:20], got[len(got)-60:])
	}
	if int(b.Dropped())+len(got) != total {
		t.Errorf("%d dropped and %d kept are not %d", b.Dropped(), len(got), total)
	}
}

func TestNothingIsAnEmptyFile(t *testing.T) {
	if got := content(t, New(10)); got != "" {
		t.Errorf("%q", got)
	}
}

// What memory has no room for goes to the disk, and is read from there as from memory.
func TestWhatMemoryCannotHoldIsOnDisk(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	d := NewDisk(1000, func() (*os.File, error) { return file, nil })
	b := OnDisk(d)
	var want bytes.Buffer
	for i := range 400_000 {
		line := fmt.Sprintf("%d line %x\n", i, i*7919)
		want.WriteString(line)
		b.Add([]byte(line))
	}
	if got := content(t, b); got != want.String() {
		t.Fatalf("%d bytes of %d", len(got), want.Len())
	}
	if d.free < 0 || d.written == 0 {
		t.Errorf("%d bytes free in memory, %d on disk", d.free, d.written)
	}
	r, err := b.File("x").Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int64{5_000_000, 3, int64(want.Len()) - 10, 2_097_150} {
		got := make([]byte, 10)
		if _, err := r.(io.ReaderAt).ReadAt(got, at); err != nil || string(got) != want.String()[at:at+10] {
			t.Errorf("at %d: %q, %v", at, got, err)
		}
	}
}

func TestADiskThatIsFullIsSaid(t *testing.T) {
	b := OnDisk(NewDisk(0, func() (*os.File, error) { return nil, errors.New("no space left") }))
	for range 3 {
		b.Add(make([]byte, chunkSize))
	}
	if b.Err() == nil || b.File("x").Size != 0 {
		t.Errorf("%v, %d bytes", b.Err(), b.File("x").Size)
	}
}
