// Package spark draws a row of numbers, such as restarts per minute or bytes in
// use, as a line of bars one cell high. It imports nothing of the project. What
// never enters: times, units, styles.
package spark

import "strings"

// Line draws values in so many cells, as bars of the levels, lowest first. Several
// values that share a cell show the greatest of them; fewer values than cells are
// drawn one to a cell. Nothing and less than nothing is an empty cell, the greatest
// of all values the highest bar, and whatever is more than nothing can be seen.
func Line(levels [8]string, values []int64, cells int) string {
	if cells <= 0 {
		return ""
	}
	cells = min(cells, len(values))
	bars, peak := make([]int64, cells), int64(0)
	for i, v := range values {
		cell := i * cells / len(values)
		bars[cell] = max(bars[cell], v)
		peak = max(peak, v)
	}
	var b strings.Builder
	for _, v := range bars {
		if v == 0 {
			b.WriteByte(' ')
			continue
		}
		// In floating point, since eight times a number of bytes can be too large.
		level := int(float64(v) / float64(peak) * float64(len(levels)))
		b.WriteString(levels[max(min(level, len(levels))-1, 0)])
	}
	return b.String()
}
