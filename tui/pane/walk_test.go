package pane

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// of makes stops with so many lines each, in a view of some height.
func of(height int, lines ...int) *Walk {
	w, stops, end := Walk{Height: height}, []Range(nil), 0
	for _, n := range lines {
		stops = append(stops, Range{end, end + n})
		end += n
	}
	w.Set(stops, end)
	return &w
}

// view says which lines are seen, as stop.line, and where the cursor is.
func view(w *Walk) string {
	var out []string
	from, to := w.Window()
	for n := from; n < to; n++ {
		stop := slices.IndexFunc(w.stops, func(s Range) bool { return n < s.End })
		mark := "  "
		if n == w.Under().First {
			mark = "❯ "
		}
		out = append(out, fmt.Sprintf("%s%d.%d", mark, stop, n-w.stops[stop].First))
	}
	return strings.Join(out, "\n")
}

func TestTheViewShowsTheCursorWhole(t *testing.T) {
	for _, c := range []struct {
		name    string
		walk    *Walk
		actions []Action
		want    string
	}{
		{"it begins at the first", of(3, 1, 1, 1, 1), nil, "❯ 0.0\n  1.0\n  2.0"},
		{"it scrolls as little as it must", of(3, 1, 1, 1, 1), []Action{Down, Down, Down}, "  1.0\n  2.0\n❯ 3.0"},
		{"an entry of several lines comes into view whole", of(3, 1, 1, 2), []Action{Down, Down}, "  1.0\n❯ 2.0\n  2.1"},
		{"up shows the beginning", of(3, 2, 1, 2), []Action{Down, Down, Up, Up}, "❯ 0.0\n  0.1\n  1.0"},
		{"an entry taller than the view begins at its top", of(2, 1, 4, 1), []Action{Down}, "❯ 1.0\n  1.1"},
		{"and is scrolled through line by line", of(2, 1, 4, 1), []Action{Down, Down}, "  1.1\n  1.2"},
		{"to its end", of(2, 1, 4, 1), []Action{Down, Down, Down}, "  1.2\n  1.3"},
		{"then comes the next", of(2, 1, 4, 1), []Action{Down, Down, Down, Down}, "  1.3\n❯ 2.0"},
		{"and back", of(2, 1, 4, 1), []Action{Down, Down, Up}, "❯ 1.0\n  1.1"},
		{"bottom", of(2, 1, 1, 1), []Action{Bottom}, "  1.0\n❯ 2.0"},
		{"beyond the bottom is the bottom", of(2, 1, 1, 1), []Action{Bottom, Down, PageDown}, "  1.0\n❯ 2.0"},
		{"a page leaves two lines for the eye", of(4, 1, 1, 1, 1, 1, 1, 1), []Action{PageDown}, "❯ 2.0\n  3.0\n  4.0\n  5.0"},
		{"two pages and one back", of(3, 1, 1, 1, 1, 1, 1, 1), []Action{PageDown, PageDown, PageUp}, "❯ 1.0\n  2.0\n  3.0"},
		{"what is shorter than the view ends early", of(3, 1), []Action{Down}, "❯ 0.0"},
		{"nothing is nothing", of(2), []Action{Down, Bottom, PageUp}, ""},
		{"what it does not know changes nothing", of(2, 1, 1), []Action{Toggle, ZoomIn, Fit, Left, Next}, "❯ 0.0\n  1.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, a := range c.actions {
				c.walk.Do(a)
			}
			if d := cmp.Diff(c.want, view(c.walk)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Down visits every line of every entry, whatever their heights.
func TestDownReachesEveryLine(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for n := range 200 {
		heights := make([]int, 1+r.IntN(12))
		want := map[string]bool{}
		for i := range heights {
			heights[i] = 1 + r.IntN(7)
			for j := range heights[i] {
				want[fmt.Sprintf("%d.%d", i, j)] = true
			}
		}
		l := of(1+r.IntN(6), heights...)
		for range 200 {
			for _, line := range strings.Split(view(l), "\n") {
				delete(want, strings.TrimSpace(strings.TrimPrefix(line, "❯")))
			}
			l.Do(Down)
		}
		if len(want) > 0 {
			t.Fatalf("walk %d, heights %v in a view of %d: never seen %v", n, heights, l.Height, want)
		}
		if l.On != len(heights)-1 {
			t.Fatalf("walk %d: the cursor ended at %d of %d", n, l.On, len(heights))
		}
	}
}

func FuzzAWalkStaysWithin(f *testing.F) {
	f.Add([]byte{3, 1, 4, 1, 5}, []byte{1, 1, 4, 200, 7, 9, 11, 0}, 5)
	f.Fuzz(func(t *testing.T, heights, script []byte, height int) {
		var lines []int
		for _, n := range heights[:min(len(heights), 100)] {
			lines = append(lines, int(n)%9)
		}
		w := of(max(min(height, 80), 0), lines...)
		for _, b := range script[:min(len(script), 200)] {
			if b >= 200 {
				w.Height = int(b) - 200
				w.Set(w.stops, w.lines)
				w.Show()
			} else {
				w.Do(Action(b % byte(Actions)))
			}
			if from, to := w.Window(); from < 0 || from > to || to-from != min(w.Height, w.lines) {
				t.Fatalf("lines %d to %d of %d in a view of %d", from, to, w.lines, w.Height)
			}
			if len(lines) > 0 && (w.On < 0 || w.On >= len(lines)) {
				t.Fatalf("the cursor is at %d of %d", w.On, len(lines))
			}
		}
	})
}
