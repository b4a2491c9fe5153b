package pane

import "testing"

func TestRowsShowTheCursorWhereverItGoes(t *testing.T) {
	for name, tt := range map[string]struct {
		rows, height int
		moves        []int
		cursor, top  int
	}{
		"the top stays until the cursor leaves":   {100, 10, []int{9}, 9, 0},
		"one below the window scrolls one":        {100, 10, []int{10}, 10, 1},
		"back up scrolls back":                    {100, 10, []int{50, 20}, 20, 20},
		"past the end is the end":                 {100, 10, []int{1000}, 99, 90},
		"before the start is the start":           {100, 10, []int{50, -7}, 0, 0},
		"a list shorter than its window stays":    {3, 10, []int{2}, 2, 0},
		"an empty list has its cursor at 0":       {0, 10, []int{5}, 0, 0},
		"a window of one line follows exactly":    {5, 1, []int{3}, 3, 3},
		"up inside the window does not scroll it": {100, 10, []int{50, 45}, 45, 41},
	} {
		l := Rows{}
		l.Set(tt.rows, tt.height)
		for _, m := range tt.moves {
			l.To(m)
		}
		if l.Cursor != tt.cursor || l.Top != tt.top {
			t.Errorf("%s: cursor %d top %d, want %d and %d", name, l.Cursor, l.Top, tt.cursor, tt.top)
		}
	}
}
