package screen

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

const (
	// previewFrom is the height from which a list always leaves room for a preview of the row under the cursor.
	previewFrom = 28
	// spare is how many empty lines below a short list are better used for a preview.
	spare = 8
	// SentenceLines is the height of the preview if the list needs the room.
	SentenceLines = 2
)

// PreviewHeight is the height of the preview below a list of so many rows that begins below so many lines.
func (f *Frame) PreviewHeight(above, rows int) int {
	free := f.Body - above - rows - 1 // 1 is the rule between the two
	switch {
	case f.Height >= previewFrom:
		return max((f.Body-2)/2, free)
	case free >= spare-1:
		return free
	}
	return SentenceLines
}

// ListHeight is how many rows of a list fit below that many other lines.
func (f *Frame) ListHeight(above, rows int) int {
	return max(f.Body-above-f.PreviewHeight(above, rows)-1, 1)
}

// Below puts a preview of the row under the cursor below a list, with a legend between the two: height lines in all.
func (f *Frame) Below(lines []string, height, room int, legend string, look []string) []string {
	g := f.Look.Glyphs
	if len(look) == 0 {
		return pane.Fill(lines, height)
	}
	rule := strings.Repeat(g.Rule, pane.Gutter) + legend
	rule += strings.Repeat(g.Rule, max(f.Width-layout.Cells(rule), 0))
	lines = append(pane.Fill(lines, height-room-1), f.Look.Muted.Render(rule))
	if len(look) > room && room > SentenceLines {
		look = append(slices.Clone(look[:room-1]), "  "+f.Look.Muted.Render(g.Ellipsis+" enter shows all"))
	}
	return pane.Fill(append(lines, look...), height)
}
