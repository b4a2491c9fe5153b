package mention

import (
	"regexp"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// nearest holds the last names before a line: in its own block, or in the one directly before it, such as a heading or
// the sentence above an output. Blank lines and fences end a block.
type nearest struct {
	last          naming.Names
	block, lastIn int
	blank         bool // the previous line ended a block
	ofInit        int  // the block of the last line that says that an init container's output follows, 0 for none
}

func (n *nearest) line(l *line) {
	if (l.blanks > 0 || l.fence) && !n.blank {
		n.block++
	}
	n.blank = l.fence
}

// names stores the names in a line, unless it is a table row or a log line, which are independent of each other.
func (n *nearest) names(of naming.Names, line string) {
	if of.Pod != "" && !readyColumn.MatchString(line) && !textkind.Stamped(line) {
		n.last, n.lastIn = of, n.block
	}
	switch {
	case textkind.Stamped(line):
	case ofInit.MatchString(line):
		n.ofInit = n.block + 1
	case ofMain.MatchString(line):
		n.ofInit = 0
	}
}

// ofMain matches a line that says that another container's output follows.
var ofMain = regexp.MustCompile(`(?i)\b(?:main|app\w*|other|second) container\b|^\W*(?:pod|container)s?\b.*:$|\blogs?\b.*:$`)

// init reports whether a line is an init container's, by what stands above it.
func (n *nearest) init() bool { return n.ofInit > 0 && n.block-(n.ofInit-1) <= 1 }

// now returns the names that apply to a line from before it.
func (n *nearest) now(line string) naming.Names {
	if n.block-n.lastIn > 1 || textkind.Stamped(line) {
		return naming.Names{}
	}
	return n.last
}
