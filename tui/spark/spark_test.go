package spark

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

var levels = [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

func TestBarsAreAsHighAsTheirShare(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []int64
		cells  int
		want   string
	}{
		{"all levels", []int64{1, 2, 3, 4, 5, 6, 7, 8}, 8, "▁▂▃▄▅▆▇█"},
		{"nothing is empty", []int64{0, 4, 0, 8}, 4, " ▄ █"},
		{"a little can be seen beside a lot", []int64{1, 1_000_000}, 2, "▁█"},
		{"all the same is high", []int64{3, 3}, 2, "██"},
		{"only nothing", []int64{0, 0, 0}, 3, "   "},
		{"less than nothing is nothing", []int64{-5, 5}, 2, " █"},
		{"values that share a cell show the greatest", []int64{1, 8, 2, 4}, 2, "█▄"},
		{"uneven shares lose none", []int64{8, 1, 1, 1, 8}, 2, "██"},
		{"fewer values than cells", []int64{8, 4}, 10, "█▄"},
		{"no value", nil, 5, ""},
		{"no cell", []int64{1}, 0, ""},
		{"less than no cell", []int64{1}, -3, ""},
		{"the largest numbers", []int64{math.MaxInt64, math.MaxInt64 / 2, math.MinInt64}, 3, "█▄ "},
		{"memory that grows until it is killed", []int64{4 << 20, 8 << 20, 12 << 20,
			16 << 20, 20 << 20, 24 << 20, 0, 4 << 20}, 8, "▁▂▄▅▆█ ▁"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Line(levels, c.values, c.cells); got != c.want {
				t.Errorf("drawn as %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzALineFitsAndShowsItsPeak(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 255, 255, 255, 255, 255}, 4)
	f.Fuzz(func(t *testing.T, data []byte, cells int) {
		var values []int64
		more := false
		for ; len(data) >= 8; data = data[8:] {
			v := int64(binary.BigEndian.Uint64(data))
			values = append(values, v)
			more = more || v > 0
		}
		got := Line(levels, values, cells)
		if n := utf8.RuneCountInString(got); n > max(cells, 0) || n > len(values) {
			t.Fatalf("%d cells of %d for %d values", n, cells, len(values))
		}
		if more && cells > 0 && !strings.Contains(got, levels[7]) {
			t.Fatalf("the greatest value is not the highest bar: %q", got)
		}
	})
}
