package mention

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// nearest are the names that stand last before a line: in its own block, or in the one right before it, as a heading or
// the sentence above an output does. Blank lines and fences end a block.
type nearest struct {
	last          naming.Names
	block, lastIn int
	blank         bool // the line before ended a block
}

func (n *nearest) line(l *line) {
	if (l.blanks > 0 || l.fence) && !n.blank {
		n.block++
	}
	n.blank = l.fence
}

// names takes those of a line, unless it is one of the rows of a table or one of the lines of a log: each of these is
// of its own.
func (n *nearest) names(of naming.Names, line string) {
	if of.Pod != "" && !readyColumn.MatchString(line) && !stampedLine.MatchString(line) {
		n.last, n.lastIn = of, n.block
	}
}

// now are those that a line has from before it.
func (n *nearest) now(line string) naming.Names {
	if n.block-n.lastIn > 1 || stampedLine.MatchString(line) {
		return naming.Names{}
	}
	return n.last
}
