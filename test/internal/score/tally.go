package score

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Tally counts judged truths by row: a tier, or a source of evidence.
type Tally struct {
	rows map[string]*Counts
}

// Counts are the results in one row.
type Counts struct {
	Judged   int
	Outcomes [len(outcomeWords)]int
	Words    map[string]Count // by word of confidence, "silent" for none
}

// Count is how often a word of confidence was used, how often rightly, and how often the truth was at least named.
type Count struct{ Said, Right, Named int }

// Add counts one result in a row.
func (t *Tally) Add(row string, j Judged) {
	if t.rows == nil {
		t.rows = map[string]*Counts{}
	}
	if t.rows[row] == nil {
		t.rows[row] = &Counts{}
	}
	t.rows[row].add(j)
}

func (c *Counts) add(j Judged) {
	if c.Words == nil {
		c.Words = map[string]Count{}
	}
	c.Judged++
	c.Outcomes[j.Outcome]++
	word := j.Confidence
	if word == "" {
		word = silentWord
	}
	w := c.Words[word]
	w.Said++
	if j.Outcome == Right {
		w.Right++
	}
	if j.Outcome == Right || j.Named {
		w.Named++
	}
	c.Words[word] = w
}

// Share returns the share of right verdicts, 0 if nothing was judged.
func (c Counts) Share() float64 {
	if c.Judged == 0 {
		return 0
	}
	return float64(c.Outcomes[Right]) / float64(c.Judged)
}

// WrongShare returns the share of "likely" verdicts that are wrong, 0 if there are none.
func (c Counts) WrongShare() float64 {
	said := c.Words["likely"].Said
	if said == 0 {
		return 0
	}
	return float64(c.Outcomes[Wrong]) / float64(said)
}

// Rows returns the names of the rows, in order.
func (t *Tally) Rows() []string { return slices.Sorted(maps.Keys(t.rows)) }

// Row returns the counts of a row.
func (t *Tally) Row(name string) Counts {
	if c := t.rows[name]; c != nil {
		return *c
	}
	return Counts{}
}

// Sum returns the counts of all rows together.
func (t *Tally) Sum() Counts {
	sum := Counts{Words: map[string]Count{}}
	for _, c := range t.rows {
		sum.Judged += c.Judged
		for i, n := range c.Outcomes {
			sum.Outcomes[i] += n
		}
		for word, w := range c.Words {
			s := sum.Words[word]
			sum.Words[word] = Count{Said: s.Said + w.Said, Right: s.Right + w.Right, Named: s.Named + w.Named}
		}
	}
	return sum
}

// Calibration writes how often each word was used in each row, and how often it was right. head is the name of the
// first column.
func (t *Tally) Calibration(w io.Writer, head string) {
	rows := [][]string{append([]string{head, "top-1"}, Words...)}
	for _, name := range t.Rows() {
		c := t.Row(name)
		row := []string{name, fmt.Sprintf("%.1f%%", 100*c.Share())}
		for _, word := range Words {
			cell := ""
			if n := c.Words[word]; n.Said > 0 {
				cell = fmt.Sprintf("%d of %d right", n.Right, n.Said)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	Lay(w, rows)
}

// Outcomes writes how often each outcome occurred in each row.
func (t *Tally) Outcomes(w io.Writer, head string) {
	rows := [][]string{append([]string{head, "truths"}, outcomeWords[:]...)}
	for _, name := range t.Rows() {
		rows = append(rows, append([]string{name}, t.Row(name).Cells()...))
	}
	Lay(w, rows)
}

// Cells returns the columns of a table of outcomes: how many were judged, then how often each outcome occurred.
func (c Counts) Cells() []string {
	cells := []string{fmt.Sprint(c.Judged)}
	for _, n := range c.Outcomes {
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

// Lay writes rows as a Markdown table, with the first one as its header and aligned columns, so that it can be read as
// text too.
func Lay(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, c := range row {
			fmt.Fprintf(&b, "| %-*s ", widths[i], c)
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, width := range widths {
				b.WriteString("|" + strings.Repeat("-", width+2))
			}
			b.WriteString("|\n")
		}
	}
	_, _ = io.WriteString(w, b.String()) // to a terminal or a buffer
}
