package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// incidents writes the page that lists the open half by cause, without the blind half.
func incidents(w io.Writer, entries []*entry.Entry) {
	fmt.Fprint(w,
		"# Incidents\n\nPublic incidents of [the field corpus](../test/field), by what ended the containers, as the page that is linked established it. "+
			"The other half of the corpus is blind and not listed. `make generate` writes this page.\n")
	type line struct{ cause, text string }
	var all []line
	for _, e := range entries {
		if e.Blind() {
			continue
		}
		for _, t := range e.Truths {
			l := line{t.Cause, fmt.Sprintf("- [%s](%s)", e.Title, e.From)}
			if !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	slices.SortFunc(all, func(a, b line) int { return cmp.Or(cmp.Compare(a.cause, b.cause), cmp.Compare(a.text, b.text)) })
	last := ""
	for _, l := range all {
		if l.cause != last {
			last = l.cause
			if l.cause == "none" {
				fmt.Fprint(w, "\n## Nothing restarted\n\n")
			} else {
				fmt.Fprintf(w, "\n## [%s](causes/%s.md)\n\n", l.cause, l.cause)
			}
		}
		fmt.Fprintln(w, l.text)
	}
}
