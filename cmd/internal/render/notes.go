package render

import (
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Gaps prints what is missing of the evidence, or was assumed: one line, or all of it with its hints. It belongs on
// stderr.
func Gaps(w io.Writer, gaps []report.Gap, all bool) {
	for _, g := range gaps {
		more := ""
		if left := len(gaps) - 1; !all && left > 0 {
			more = fmt.Sprintf(" (and %d more: -v lists them)", left)
		}
		fmt.Fprintf(w, "note: about the evidence: %s%s\n", present.GapLine(g), more)
		if !all {
			return
		}
		hint(w, g.Hint)
	}
}

// NodeNotes prints what is wrong with nodes, with hints. It belongs on stderr.
func NodeNotes(w io.Writer, r *report.Report) {
	for _, n := range r.NodeNotes {
		fmt.Fprintf(w, "warning: node %s: %s\n", n.Node, n.Text)
		hint(w, n.Hint)
	}
}

func hint(w io.Writer, text string) {
	if text != "" {
		fmt.Fprintf(w, "hint: %s\n", text)
	}
}
