package evidence

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestAnInterruptEndsTheReadingOfALog(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var m Meter
	m.Until(ctx)
	b := NewBuilder(time.Time{})
	b.Watch(&m, 8)
	r := b.Metered(io.MultiReader(strings.NewReader("one\n"), strings.NewReader("two\n")))
	if got, err := io.ReadAll(io.LimitReader(r, 4)); string(got) != "one\n" || err != nil {
		t.Fatalf("read %q: %v", got, err)
	}
	cancel()
	if got, err := io.ReadAll(r); len(got) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("read %q: %v", got, err)
	}
	if p := m.Progress(); p.Bytes != 4 || p.Lines != 1 {
		t.Errorf("progress %+v", p)
	}
}

// What a dense beginning promises of a large archive is no reason to make room for more than is ever held.
func TestRoomIsMadeForWhatIsHeldAtMost(t *testing.T) {
	var m Meter
	b := NewBuilder(time.Time{})
	b.Watch(&m, 20<<30)
	m.bytes.Store(settled + 1<<20)
	b.snap.Observations = make([]Observation, 150_000)
	b.grow()
	if got := cap(b.snap.Observations); got < 150_000 || got > most+most/8 {
		t.Errorf("room for %d observations", got)
	}
}
