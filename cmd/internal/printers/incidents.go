package printers

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// byIncident returns the printer that shows incidents instead of single restarts, or
// nil where the format holds both: JSON and its like always print the whole report.
func (o Options) byIncident() Printer {
	switch o.Format {
	case "", "table", "wide":
		return o.incidentTable
	case "name":
		return printIncidentNames
	}
	return nil
}

// incidentTable prints a line for each incident, newest first. Wide, an incident that
// went over several nodes is followed by its part on each, in order of time.
func (o Options) incidentTable(w io.Writer, r *report.Report) error {
	wide := o.Format == "wide"
	when := "WHEN"
	if o.Ages {
		when = "AGE"
	}
	head := []string{"INCIDENT", when, "CAUSE", "CONFIDENCE", "NODES", "PODS", "CONTAINERS", "RESTARTS"}
	if wide {
		head = append(head, "LASTED", "NODE")
	}
	rows := [][]string{append(head, "SUMMARY")}
	sure := map[string]map[report.Confidence]int{}
	for i := range r.Items {
		it := &r.Items[i]
		if sure[it.Incident] == nil {
			sure[it.Incident] = map[report.Confidence]int{}
		}
		sure[it.Incident][it.Verdict.Confidence]++
	}
	for i := range r.Incidents {
		in := &r.Incidents[i]
		row := []string{in.ID, o.when(r, in.Start), in.Cause, o.tally(sure[in.ID]), strconv.Itoa(len(in.Nodes)), strconv.Itoa(in.Pods), strconv.Itoa(in.Containers), strconv.Itoa(len(in.Items))}
		if wide {
			row = append(row, lasted(in.Start, in.End), in.Node)
		}
		rows = append(rows, append(row, in.Summary))
		if !wide {
			continue
		}
		for _, p := range in.Parts {
			rows = append(rows, []string{"  " + p.ID, o.when(r, p.Start), "", "", "", strconv.Itoa(p.Pods), strconv.Itoa(p.Containers), strconv.Itoa(len(p.Items)), lasted(p.Start, p.End), p.Node, p.Summary})
		}
	}
	if o.NoHeaders {
		rows = rows[1:]
	}
	limit := o.Width
	if wide {
		limit = 0
	}
	_, err := io.WriteString(w, grid(rows, limit))
	return err
}

func (o Options) when(r *report.Report, t *time.Time) string {
	if o.Ages && t != nil {
		return duration.HumanDuration(r.GeneratedAt.Sub(*t))
	}
	return stamp(t)
}

// tally is one word where all verdicts are as sure, else how many are.
func (o Options) tally(sure map[report.Confidence]int) string {
	var parts []string
	for _, c := range []report.Confidence{report.Proven, report.Likely, report.Possible, report.Unknown} {
		if n := sure[c]; n > 0 && len(sure) == 1 {
			return o.confidence(c)
		} else if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o.confidence(c)))
		}
	}
	return strings.Join(parts, ", ")
}

func lasted(start, end *time.Time) string {
	if start == nil || end == nil {
		return ""
	}
	return duration.HumanDuration(end.Sub(*start))
}

// grid lays rows out in columns. The last column is never padded and, where there is
// a limit, cut at it.
func grid(rows [][]string, limit int) string {
	widths := map[int]int{}
	for _, row := range rows {
		for c, cell := range row {
			widths[c] = max(widths[c], ansi.StringWidth(cell), 1)
		}
	}
	var b strings.Builder
	for _, row := range rows {
		used := 0
		for c, cell := range row {
			if cell == "" {
				cell = "-"
			}
			if c == len(row)-1 {
				if room := limit - used; limit > 0 && room >= 20 {
					cell = ansi.Truncate(cell, room, "…")
				}
				b.WriteString(cell + "\n")
				break
			}
			b.WriteString(cell + strings.Repeat(" ", widths[c]-ansi.StringWidth(cell)) + gutter)
			used += widths[c] + len(gutter)
		}
	}
	return b.String()
}

func printIncidentNames(w io.Writer, r *report.Report) error {
	var b strings.Builder
	for i := range r.Incidents {
		fmt.Fprintf(&b, "incident/%s\n", r.Incidents[i].ID)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Alone says how many items share their root with no other. It belongs on stderr.
func Alone(w io.Writer, r *report.Report) {
	alone := 0
	for i := range r.Items {
		if r.Items[i].Incident == "" {
			alone++
		}
	}
	switch {
	case len(r.Incidents) == 0 && alone == 1:
		fmt.Fprintln(w, "no incident: there is a single restart")
	case len(r.Incidents) == 0:
		fmt.Fprintf(w, "no incident: none of %d restarts is known to share its root with another\n", alone)
	case alone > 0:
		fmt.Fprintf(w, "note: %d more share their root with no other, as far as is known\n", alone)
	}
}
