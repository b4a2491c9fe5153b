package printers

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// incidentFrom is how many items an incident needs to get a line of its own
// above the table.
const incidentFrom = 3

// gutter is what stands between two columns, as in kubectl's tables.
const gutter = "   "

// column is one column of the table.
type column struct {
	head string
	cell func(i *report.Item) string
	// times is the column of how many items a row stands for; it has no cell.
	times bool
	// last is the column that is never padded, and cut at the terminal's edge.
	last bool
}

// text prints what a person asks first: the table, or one restart in full if
// there is only one. Whoever asks for a table, or for one without headers, gets
// a table and nothing else.
func (o Options) text(w io.Writer, r *report.Report) error {
	var b strings.Builder
	full := o.Format == "" && !o.NoHeaders
	if len(r.Items) != 1 || !full {
		o.incidents(&b, r)
		rows, cols := unfolded(r), o.columns(r, false)
		if full {
			rows = folded(r)
			cols = withTimes(cols, rows)
		}
		o.table(&b, rows, cols, o.Width)
		if n := len(r.Items) - len(rows); n > 0 {
			fmt.Fprintf(&b, "\n%d earlier ones of the same container and cause are counted in TIMES; -o table prints each\n", n)
		}
	}
	if full && (len(r.Items) == 1 || o.Detail && len(r.Items) > 0) {
		if len(r.Items) > 1 {
			fmt.Fprintf(&b, "\nthe newest in full:\n\n")
		}
		o.item(&b, r, &r.Items[0])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (o Options) wide(w io.Writer, r *report.Report) error {
	var b strings.Builder
	o.incidents(&b, r)
	o.table(&b, unfolded(r), o.columns(r, true), 0)
	_, err := io.WriteString(w, b.String())
	return err
}

// incidents prints one line for each incident that is large enough.
func (o Options) incidents(b *strings.Builder, r *report.Report) {
	if o.NoHeaders {
		return
	}
	n, by := 0, tallies(r)
	for _, i := range r.Incidents {
		if len(i.Items) < incidentFrom {
			continue
		}
		n++
		fmt.Fprintf(b, "%s (%s, %s)\n", o.bold(i.Summary), i.Cause, by.of(i.Items))
	}
	if n > 0 {
		b.WriteByte('\n')
	}
}

// confidenceOrder is the order in which confidences are counted.
var confidenceOrder = [...]report.Confidence{report.Proven, report.Likely, report.Possible, report.Unknown}

// tallied is the confidence of every item, by its id.
type tallied map[string]report.Confidence

func tallies(r *report.Report) tallied {
	t := make(tallied, len(r.Items))
	for i := range r.Items {
		t[r.Items[i].ID] = r.Items[i].Verdict.Confidence
	}
	return t
}

// of sums up those of several items: "proven", or "10 proven, 2 likely".
func (t tallied) of(ids []string) string {
	counts := map[report.Confidence]int{}
	seen := map[string]bool{}
	for _, id := range ids {
		if c, ok := t[id]; ok && !seen[id] {
			seen[id] = true
			counts[c]++
		}
	}
	var parts []string
	for _, c := range confidenceOrder {
		if counts[c] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[c], c))
		}
	}
	if len(parts) == 1 {
		_, word, _ := strings.Cut(parts[0], " ")
		return word
	}
	return strings.Join(parts, ", ")
}

func (o Options) columns(r *report.Report, wide bool) []column {
	when := column{head: "WHEN", cell: func(i *report.Item) string { return stamp(i.Time) }}
	if o.Ages {
		when = column{head: "AGE", cell: func(i *report.Item) string {
			if i.Time == nil {
				return ""
			}
			return duration.HumanDuration(r.GeneratedAt.Sub(*i.Time))
		}}
	}
	cols := []column{
		{head: "POD", cell: func(i *report.Item) string { return i.Pod }},
		{head: "CONTAINER", cell: func(i *report.Item) string { return i.Container }},
		{head: "KIND", cell: func(i *report.Item) string { return string(i.Kind) }},
		when,
		{head: "CAUSE", cell: func(i *report.Item) string { return i.Verdict.Cause }},
		{head: "CONFIDENCE", cell: func(i *report.Item) string { return o.confidence(i.Verdict.Confidence) }},
	}
	if severalNamespaces(r) {
		cols = append([]column{{head: "NAMESPACE", cell: func(i *report.Item) string { return i.Namespace }}}, cols...)
	}
	if wide && o.Ages {
		cols = append(cols, column{head: "WHEN", cell: func(i *report.Item) string { return stamp(i.Time) }})
	}
	if wide {
		cols = append(cols,
			column{head: "TYPE", cell: func(i *report.Item) string { return i.ContainerKind }},
			column{head: "WORKLOAD", cell: func(i *report.Item) string { return i.WorkloadText() }},
			column{head: "NODE", cell: func(i *report.Item) string { return i.Node }},
			column{head: "MECHANISM", cell: func(i *report.Item) string { return i.Verdict.Mechanism }},
			column{head: "EXIT", cell: func(i *report.Item) string { return exit(i.From) }},
			column{head: "FROM", cell: func(i *report.Item) string { return instance(i.From) }},
			column{head: "TO", cell: func(i *report.Item) string { return instance(i.To) }},
			column{head: "INCIDENT", cell: func(i *report.Item) string { return i.Incident }},
			column{head: "EVIDENCE", cell: func(i *report.Item) string { return strconv.Itoa(len(cited(i))) }},
		)
	}
	return append(cols, column{head: "SUMMARY", cell: func(i *report.Item) string {
		// The container has a column already, and the summary is cut at the edge.
		return strings.TrimPrefix(i.Verdict.Summary, "container "+i.Container+": ")
	}, last: true})
}

// table prints lines in their order.
func (o Options) table(b *strings.Builder, lines []line, cols []column, limit int) {
	rows := make([][]string, 0, len(lines)+1)
	if !o.NoHeaders {
		head := make([]string, len(cols))
		for c := range cols {
			head[c] = cols[c].head
		}
		rows = append(rows, head)
	}
	for _, l := range lines {
		row := make([]string, len(cols))
		for c := range cols {
			if cols[c].times {
				row[c] = strconv.Itoa(l.times)
			} else if row[c] = cols[c].cell(l.item); row[c] == "" {
				row[c] = "-"
			}
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(cols))
	for _, row := range rows {
		for c, cell := range row {
			if !cols[c].last {
				widths[c] = max(widths[c], width(cell))
			}
		}
	}
	for _, row := range rows {
		used := 0
		for c, cell := range row {
			if cols[c].last {
				// A summary of a few letters helps nobody: then the line wraps.
				if room := limit - used; limit > 0 && room >= 20 {
					cell = ansi.Truncate(cell, room, "…")
				}
				b.WriteString(cell)
				break
			}
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", widths[c]-width(cell)))
			b.WriteString(gutter)
			used += widths[c] + len(gutter)
		}
		b.WriteByte('\n')
	}
}

// width is how many columns of a terminal a cell takes. Nearly all are ASCII: what joins letters is not asked.
func width(cell string) int {
	for i := range len(cell) {
		if cell[i] < ' ' || cell[i] > '~' {
			return ansi.StringWidth(cell)
		}
	}
	return len(cell)
}

func severalNamespaces(r *report.Report) bool {
	if r.Scope.AllNamespaces {
		return true
	}
	for i := range r.Items {
		if r.Items[i].Namespace != r.Items[0].Namespace {
			return true
		}
	}
	return false
}

// exit is the end of an instance in a few letters: "137 OOMKilled".
func exit(i *report.Instance) string {
	if i == nil {
		return ""
	}
	var parts []string
	if i.ExitCode != nil {
		parts = append(parts, strconv.Itoa(int(*i.ExitCode)))
	}
	if i.Signal != 0 {
		parts = append(parts, fmt.Sprintf("signal %d", i.Signal))
	}
	if i.Reason != "" {
		parts = append(parts, i.Reason)
	}
	return strings.Join(parts, " ")
}

// instance is the short id of an instance, as crictl prints it, and its attempt.
func instance(i *report.Instance) string {
	if i == nil {
		return ""
	}
	id := i.ContainerID
	if len(id) > 12 {
		id = id[:12]
	}
	if i.Attempt != nil {
		return strings.TrimPrefix(fmt.Sprintf("%s#%d", id, *i.Attempt), " ")
	}
	return id
}
