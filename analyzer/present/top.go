package present

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Top returns the page of what to fix first, with at most that many rows per table; 0 for all.
func Top(t *report.Top, most int) []document.Block {
	d := document.Doc{}
	d.Add(document.Para(fmt.Sprintf("%s from %s to %s", report.Count(t.Restarts, "restart"),
		t.From.UTC().Format(time.DateTime), t.Until.UTC().Format(time.DateTime))))
	for _, part := range []struct {
		title, head, most string
		rows              []report.TopRow
	}{
		{"Workloads", "WORKLOAD", "MOST OF THEM", t.Workloads},
		{"Nodes", "NODE", "MOST OF THEM", t.Nodes},
		{"Causes", "CAUSE", "MOST IN", t.Causes},
	} {
		in := onlyNamespace(part.rows)
		title := Joined(" in namespace ", part.title, in)
		d.Add(document.Title(2, title), topTable(part.head, part.most, in, part.rows, most))
	}
	return d.Blocks
}

// onlyNamespace returns the namespace of all rows, "" where there are several or none.
func onlyNamespace(rows []report.TopRow) string {
	if len(rows) == 0 ||
		slices.ContainsFunc(rows, func(r report.TopRow) bool { return r.Namespace != rows[0].Namespace }) {
		return ""
	}
	return rows[0].Namespace
}

func topTable(head, mostly, namespace string, rows []report.TopRow, most int) document.Table {
	table := document.Table{Heads: []string{head, "TIMES", mostly, "DOWN", "TREND"}}
	rows, left := First(rows, most)
	if left > 0 {
		table.More = fmt.Sprintf("and %d more", left)
	}
	for i := range rows {
		r := &rows[i]
		name := r.Name
		if r.Namespace != namespace {
			name = r.Namespace + "/" + name
		}
		table.Rows = append(table.Rows, document.Row{Cells: document.Cells(name, strconv.Itoa(r.Restarts),
			fmt.Sprintf("%s (%d)", r.Cause, r.Share), down(r), trend(r))})
	}
	return table
}

// down formats how long containers were down.
func down(r *report.TopRow) string {
	switch text := report.Lasted(time.Duration(r.DownSeconds) * time.Second); {
	case r.DownKnown == 0:
		return "?"
	case r.DownKnown < r.Restarts:
		return "≥" + text
	default:
		return text
	}
}

// trend compares the second half of the period with the first.
func trend(r *report.TopRow) string {
	if r.Older+r.Newer == 0 {
		return "?"
	}
	return fmt.Sprintf("%d, was %d", r.Newer, r.Older)
}
