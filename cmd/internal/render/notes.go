package render

import (
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Gaps prints what evidence could not be had: one line, or all of it with its
// hints. It belongs on stderr.
func Gaps(w io.Writer, r *report.Report, all bool) {
	for _, g := range r.Gaps {
		more := ""
		if left := len(r.Gaps) - 1; !all && left > 0 {
			more = fmt.Sprintf(" (and %d more: -v lists them)", left)
		}
		fmt.Fprintf(w, "note: evidence is missing: %s%s\n", present.GapLine(g), more)
		if !all {
			return
		}
		if g.Hint != "" {
			fmt.Fprintf(w, "hint: %s\n", g.Hint)
		}
	}
}

// NodeNotes prints what is wrong with nodes, with its hints. It belongs on stderr.
func NodeNotes(w io.Writer, r *report.Report) {
	for _, n := range r.NodeNotes {
		fmt.Fprintf(w, "warning: node %s: %s\n", n.Node, n.Text)
		if n.Hint != "" {
			fmt.Fprintf(w, "hint: %s\n", n.Hint)
		}
	}
}

// Nothing says that there was nothing to explain. It belongs on stderr.
func Nothing(w io.Writer, r *report.Report, looked string) {
	fmt.Fprintln(w, present.Nothing(r, looked))
}

// Alone says how many items have a cause of their own. It belongs on stderr.
func Alone(w io.Writer, r *report.Report) {
	if s := present.Alone(r); s != "" {
		fmt.Fprintln(w, s)
	}
}
