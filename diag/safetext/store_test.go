package safetext

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestWhatIsKeptComesBack(t *testing.T) {
	s := NewStore()
	var want []string
	var kept []Text
	for i := range 5000 {
		text := fmt.Sprintf("line %d %s", i, strings.Repeat("x", i%300))
		want, kept = append(want, text), append(kept, s.Keep(Clean(text)))
	}
	check := func() {
		for _, i := range []int{0, 4999, 7, 2500, 2501, 1} {
			if got := kept[i].String(); got != want[i] {
				t.Errorf("%d: %q", i, got)
			}
		}
	}
	check() // the last block is not packed yet
	if got := Strings([]Text{kept[4999], {}, kept[0], Clean("plain"), kept[4998], kept[1]}); !slices.Equal(got,
		[]string{want[4999], "", want[0], "plain", want[4998], want[1]}) {
		t.Errorf("together: %q", got)
	}
	s.Close()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(check)
	}
	wg.Wait()
	if kept[3].Empty() || !s.Keep(Text{}).Empty() || s.Keep(kept[3]) != kept[3] {
		t.Error("an empty text, or one that is kept twice")
	}
}

func FuzzStore(f *testing.F) {
	f.Add("plain", "\x1b[31m")
	f.Add("", "ü")
	f.Fuzz(func(t *testing.T, a, b string) {
		s := NewStore()
		x, y := Clean(a), Clean(b)
		kx, ky := s.Keep(x), s.Keep(y)
		s.Close()
		if kx.String() != x.String() || ky.String() != y.String() {
			t.Errorf("%q and %q became %q and %q", x.String(), y.String(), kx.String(), ky.String())
		}
	})
}
