package layout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// leastCell is the least width of a table's last column; a table that leaves less is stacked.
const leastCell = 40

// grid is where the cells of a table's rows are.
type grid struct {
	widths []int // of the columns; the last has the rest
	breaks []int // the columns that begin a line; only 0 unless the table is stacked
	margin int
	prose  bool
}

func (l *layouter) table(t *document.Table) {
	rows := t.Rows
	if !l.NoHeads {
		heads := make([]document.Text, len(t.Heads))
		for n, h := range t.Heads {
			heads[n] = document.Say(h)
		}
		rows = append([]document.Row{{Cells: heads}}, rows...)
	}
	g := l.grid(rows, len(t.Heads))
	g.prose = t.Prose
	for n := range rows {
		l.stop(rows[n].Anchor, -1, func() { l.row(&rows[n], &g) })
	}
	if t.More != "" {
		l.line(append(document.Say(strings.Repeat(" ", indent*l.inside)), document.In(document.Faint, t.More)...))
	}
}

// grid measures a table. If it is too wide for the lines, a row takes several: as many columns as there is room for on
// each, and the last, which is running text, below them.
func (l *layouter) grid(rows []document.Row, columns int) grid {
	g := grid{widths: make([]int, columns), breaks: []int{0}, margin: indent * l.inside}
	longest := 0
	for _, r := range rows {
		last := max(len(r.Cells)-1, 0)
		for n, c := range r.Cells[:last] { // the last is never padded
			g.widths[n] = max(g.widths[n], Width(c), 1)
		}
		if last < len(r.Cells) {
			longest = max(longest, Width(r.Cells[last]))
		}
	}
	used := g.margin
	for _, w := range g.widths[:max(columns-1, 0)] {
		used += w + Gutter
	}
	if l.Width == 0 || columns < 2 || l.Width-used >= min(longest, leastCell) {
		return g
	}
	used = g.margin
	for n, w := range g.widths[:columns-1] {
		if n > 0 && used+w > l.Width {
			g.breaks = append(g.breaks, n)
			used = g.margin + indent
		}
		used += w + Gutter
	}
	g.breaks = append(g.breaks, columns-1)
	return g
}

func (l *layouter) row(r *document.Row, g *grid) {
	margin := g.margin // tables start at the margin, unless they are part of a fold
	for n, first := range g.breaks {
		end := len(r.Cells)
		if n+1 < len(g.breaks) {
			end = min(end, g.breaks[n+1])
		}
		if first >= end {
			break
		}
		if n > 0 {
			margin = g.margin + indent
		}
		cells := r.Cells[first:end]
		if n > 0 && first == len(g.widths)-1 {
			l.hang(nil, margin, orDash(cells[0]))
			continue
		}
		l.cells(cells, g, first, margin)
	}
}

// cells writes some cells of a row in one line. Names stay whole where lines may be longer than their width; running
// text, the last column, does not.
func (l *layouter) cells(cells []document.Text, g *grid, first, margin int) {
	widths, last := g.widths[first:], first+len(cells) == len(g.widths)
	line := l.scratch[:0]
	if margin > 0 {
		line = append(line, document.Run{Text: strings.Repeat(" ", margin)})
	}
	used := margin
	for n, cell := range cells {
		cell = orDash(cell)
		if n < len(cells)-1 {
			line = append(append(line, cell...), document.Run{Text: strings.Repeat(" ", widths[n]-Width(cell)+Gutter)})
			used += widths[n] + Gutter
			continue
		}
		if last && g.prose {
			l.scratch = line
			l.hang(line, used, cell)
			return
		}
		if l.Width > 0 && (last || !l.Whole) {
			cell = Cut(cell, max(l.Width-used, ansi.StringWidth(l.Ellipsis)+1), l.Ellipsis)
		}
		line = append(line, cell...)
	}
	l.scratch = line
	l.line(line)
}

func orDash(cell document.Text) document.Text {
	if len(cell) == 0 {
		return document.Say("-")
	}
	return cell
}
