package printers

import (
	"fmt"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Gaps prints what evidence could not be had: one line, or all of it with its
// hints. It belongs on stderr.
func Gaps(w io.Writer, r *report.Report, all bool) {
	if len(r.Gaps) == 0 {
		return
	}
	if !all {
		first, more := gapLine(r.Gaps[0]), ""
		if n := len(r.Gaps) - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more: -v lists them)", n)
		}
		fmt.Fprintf(w, "note: evidence is missing: %s%s\n", first, more)
		return
	}
	for _, g := range r.Gaps {
		fmt.Fprintf(w, "note: evidence is missing: %s\n", gapLine(g))
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

func gapLine(g report.Gap) string {
	from := g.Source
	if g.Node != "" {
		from += " of " + g.Node
	}
	return from + ": " + g.Why
}

// Nothing says that there was nothing to explain, where, and what was looked
// at ("14 pods, 3 nodes"). It belongs on stderr.
func Nothing(w io.Writer, r *report.Report, looked string) {
	s := r.Scope
	var in []string
	switch {
	case len(s.Targets) > 0 && s.Namespace != "":
		in = append(in, fmt.Sprintf("%s in namespace %s", strings.Join(s.Targets, ", "), s.Namespace))
	case len(s.Targets) > 0:
		in = append(in, strings.Join(s.Targets, ", "))
	case len(s.Nodes) > 0:
		in = append(in, strings.Join(s.Nodes, ", "))
	case len(s.From) > 0:
		in = append(in, strings.Join(s.From, ", "))
	case s.AllNamespaces:
		in = append(in, "all namespaces")
	case s.Namespace != "":
		in = append(in, "namespace "+s.Namespace)
	}
	for _, f := range []struct{ what, value string }{{"selector", s.Selector}, {"container", s.Container}, {"cause", s.Cause}, {"since", s.Since}} {
		if f.value != "" {
			in = append(in, f.what+" "+f.value)
		}
	}
	if looked != "" {
		looked = "; looked at " + looked
	}
	fmt.Fprintf(w, "no restarts found in %s%s\n", strings.Join(in, ", "), looked)
}
