package printers

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// line is one line of a table: the newest of the items that it stands for.
type line struct {
	item  *report.Item
	times int
}

// unfolded gives every item a line, in the order of the report: newest first.
func unfolded(r *report.Report) []line {
	lines := make([]line, len(r.Items))
	for i := range r.Items {
		lines[i] = line{&r.Items[i], 1}
	}
	return lines
}

// folded gives what happened to one container for the same cause, as surely, one
// line, at the place of the newest. A crash loop of a day is hundreds of rows that
// hide the one restart beside it that had another cause.
func folded(r *report.Report) []line {
	type loop struct {
		podUID, namespace, pod, container, cause string
		kind                                     report.ItemKind
		confidence                               report.Confidence
	}
	var lines []line
	at := make(map[loop]int, len(r.Items))
	for i := range r.Items {
		item := &r.Items[i]
		of := loop{item.PodUID, item.Namespace, item.Pod, item.Container, item.Verdict.Cause, item.Kind, item.Verdict.Confidence}
		if n, ok := at[of]; ok {
			lines[n].times++
			continue
		}
		at[of] = len(lines)
		lines = append(lines, line{item, 1})
	}
	return lines
}

// withTimes adds the column of how often, before the cause, if any line stands for
// several items.
func withTimes(cols []column, lines []line) []column {
	cause := slices.IndexFunc(cols, func(c column) bool { return c.head == "CAUSE" })
	if cause < 0 || !slices.ContainsFunc(lines, func(l line) bool { return l.times > 1 }) {
		return cols
	}
	return slices.Insert(slices.Clone(cols), cause, column{head: "TIMES", times: true})
}
