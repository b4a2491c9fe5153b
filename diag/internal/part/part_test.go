package part_test

import (
	"io"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
)

// A part of parts begins where it should, in files that can seek and in others.
func TestPartsOfParts(t *testing.T) {
	seekable := evidence.Bytes("x", []byte("0123456789"))
	streamed := seekable
	streamed.Open = func() (io.ReadCloser, error) {
		r, err := seekable.Open()
		return struct{ io.ReadCloser }{r}, err
	}
	for name, f := range map[string]evidence.File{"seekable": seekable, "streamed": streamed} {
		kept := part.Of(f, "x", [2]int64{1, 3}, [2]int64{3, 3}, [2]int64{5, 9})
		if got := text(t, kept); got != "125678" {
			t.Errorf("%s: %q", name, got)
		}
		if got := text(t, part.Of(kept, "x", [2]int64{1, 2}, [2]int64{3, 5})); got != "267" {
			t.Errorf("%s, parts of it: %q", name, got)
		}
	}
}

// Many parts are read as fast as few.
func TestManyParts(t *testing.T) {
	keep := make([][2]int64, 200_000)
	for i := range keep {
		keep[i] = [2]int64{int64(i), int64(i) + 1}
	}
	elapsed := clock.Stopwatch()
	text(t, part.Of(evidence.Bytes("x", make([]byte, len(keep))), "x", keep...))
	if took := elapsed(); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

func text(t *testing.T, f evidence.File) string {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }() // read only
	data, err := io.ReadAll(r)
	if err != nil || int64(len(data)) != f.Size {
		t.Fatalf("%d bytes of %d, %v", len(data), f.Size, err)
	}
	return string(data)
}
