package pane

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entry makes an item of n lines.
func entry(key, n int) Item {
	it := Item{Key: key, Stop: key%3 == 0}
	for i := range n {
		var l Line
		l.Add(nil, fmt.Sprintf("%d.%d", key, i))
		it.Lines = append(it.Lines, l)
	}
	return it
}

// of makes a list of entries with so many lines each, in a view of some height.
func of(height int, lines ...int) *List {
	var l List
	l.Resize(height)
	var items []Item
	for i, n := range lines {
		items = append(items, entry(i, n))
	}
	l.Set(items)
	return &l
}

func view(l *List) string { return strings.Join(l.View(plain(), 20), "\n") }

// trimmed returns the view without the cursor's padding.
func trimmed(l *List) string {
	lines := l.View(plain(), 20)
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestTheViewShowsTheCursorWhole(t *testing.T) {
	for _, c := range []struct {
		name    string
		list    *List
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
		{"next stops at what stands out", of(2, 1, 1, 1, 1, 1), []Action{Next}, "  2.0\n❯ 3.0"},
		{"next without another stays", of(2, 1, 1, 1), []Action{Next}, "❯ 0.0\n  1.0"},
		{"previous", of(2, 1, 1, 1, 1), []Action{Bottom, Previous}, "❯ 0.0\n  1.0"},
		{"a page leaves a line for the eye", of(3, 1, 1, 1, 1, 1, 1, 1), []Action{PageDown}, "❯ 2.0\n  3.0\n  4.0"},
		{"two pages and one back", of(3, 1, 1, 1, 1, 1, 1, 1), []Action{PageDown, PageDown, PageUp}, "❯ 2.0\n  3.0\n  4.0"},
		{"a list shorter than the view is filled up", of(3, 1), nil, "❯ 0.0\n\n"},
		{"an empty list is empty lines", of(2), []Action{Down, Next, PageUp}, "\n"},
		{"what it does not know changes nothing", of(2, 1, 1), []Action{Toggle, ZoomIn, Fit, Left}, "❯ 0.0\n  1.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, a := range c.actions {
				c.list.Do(a)
			}
			if d := cmp.Diff(c.want, trimmed(c.list)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestGapsStandBetweenEntriesOnly(t *testing.T) {
	items := []Item{entry(0, 1), entry(1, 1), entry(2, 1)}
	for i := range items {
		items[i].Gap = true
	}
	var l List
	l.Resize(5)
	l.Set(items)
	if d := cmp.Diff("❯ 0.0\n\n  1.0\n\n  2.0", trimmed(&l)); d != "" {
		t.Error(d)
	}
	l.Resize(2)
	l.Do(Bottom)
	if d := cmp.Diff("\n❯ 2.0", trimmed(&l)); d != "" {
		t.Error(d)
	}
	l.Do(Up)
	if d := cmp.Diff("\n❯ 1.0", trimmed(&l)); d != "" {
		t.Errorf("going up, the gap above is not shown: %s", d)
	}
}

func TestTheCursorStaysWithItsEntryWhenOthersCome(t *testing.T) {
	l := of(3, 1, 1, 1, 1, 1)
	l.Select(3)
	if l.Key() != 3 {
		t.Fatalf("selected %d", l.Key())
	}
	before := strings.Count(strings.Split(view(l), "❯")[0], "\n")
	l.Set([]Item{entry(9, 2), entry(8, 2), entry(1, 1), entry(3, 1), entry(4, 1)})
	if l.Key() != 3 {
		t.Errorf("the cursor went to %d", l.Key())
	}
	if after := strings.Count(strings.Split(view(l), "❯")[0], "\n"); after != before {
		t.Errorf("the cursor was in line %d of the view and is in %d", before, after)
	}
	l.Set([]Item{entry(9, 1)})
	if l.Key() != 9 {
		t.Errorf("its entry gone, the cursor is at %d", l.Key())
	}
	l.Set(nil)
	if l.Key() != -1 {
		t.Errorf("without entries the key is %d", l.Key())
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
			for _, line := range l.View(plain(), 20) {
				delete(want, strings.TrimSpace(strings.TrimPrefix(line, "❯")))
			}
			l.Do(Down)
		}
		if len(want) > 0 {
			t.Fatalf("list %d, heights %v in a view of %d: never seen %v", n, heights, l.height, want)
		}
		if l.Key() != len(heights)-1 {
			t.Fatalf("list %d: the cursor ended at %d of %d", n, l.Key(), len(heights))
		}
	}
}

func FuzzAListFits(f *testing.F) {
	f.Add([]byte{3, 1, 4, 1, 5}, []byte{1, 1, 4, 200, 7, 9, 11, 0}, 5)
	f.Fuzz(func(t *testing.T, heights, script []byte, height int) {
		height = max(min(height, 80), -1)
		var items []Item
		for i, n := range heights[:min(len(heights), 100)] {
			it := entry(i, int(n)%9)
			it.Gap = n&1 > 0
			items = append(items, it)
		}
		var l List
		l.Resize(height)
		l.Set(items)
		for _, b := range script[:min(len(script), 200)] {
			if b >= 200 {
				height = int(b) - 200
				l.Resize(height)
			} else {
				l.Do(Action(b % byte(Actions)))
			}
			if got := len(l.View(plain(), 20)); got != max(height, 0) {
				t.Fatalf("%d lines in a view of %d", got, height)
			}
			if len(items) > 0 && (l.Key() < 0 || l.Key() >= len(items)) {
				t.Fatalf("the cursor is at %d of %d", l.Key(), len(items))
			}
		}
	})
}
