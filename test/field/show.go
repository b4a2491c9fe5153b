package main

import (
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// show writes one entry of the open half in full: its truth, how it was judged, and the report.
func show(w io.Writer, entries []*entry.Entry, name string) error {
	e, err := find(entries, name)
	if err != nil {
		return err
	}
	all, r, err := judge(e)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n%s\n%s\nfiles:\n", e.Title, e.From, e.Settled)
	for _, p := range e.Paths() {
		fmt.Fprintf(w, "  %s, %d bytes\n", p, len(e.Files[p]))
	}
	text, err := yaml.Marshal(struct {
		Items    []report.Item     `json:"items"`
		Evidence []report.Evidence `json:"evidence"`
		Gaps     []report.Gap      `json:"gaps"`
	}{r.Items, r.Evidence, r.Gaps})
	if err != nil {
		return fmt.Errorf("show entry %s: %w", name, err)
	}
	fmt.Fprintf(w, "\n%s\n", text)
	right := 0
	for _, j := range all {
		j.print(w)
		if j.Outcome == score.Right {
			right++
		}
	}
	fmt.Fprintf(w, "\nfield: %s, %d of %d truths right\n", name, right, len(all))
	return nil
}
