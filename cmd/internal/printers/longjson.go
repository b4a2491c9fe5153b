package printers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// long is a list of a report that is written element by element: those of a large
// cluster are gigabytes as JSON, which an encoder of the whole would hold several times.
type long struct {
	name string
	n    int
	at   func(i int) any
}

// reportJSON writes the bytes that printJSON would, element by element.
func reportJSON(w io.Writer, r *report.Report) error {
	r.Normalise()
	frame := *r
	frame.Items, frame.Evidence = []report.Item{}, []report.Evidence{}
	return longJSON(w, &frame,
		long{"items", len(r.Items), func(i int) any { return &r.Items[i] }},
		long{"evidence", len(r.Evidence), func(i int) any { return &r.Evidence[i] }})
}

// preflightJSON writes the bytes that printJSON would, element by element.
func preflightJSON(w io.Writer, r *report.Preflight) error {
	r.Normalise()
	frame := *r
	frame.Items = []report.PreflightItem{}
	return longJSON(w, &frame, long{"items", len(r.Items), func(i int) any { return &r.Items[i] }})
}

// longJSON writes a report whose long lists were taken out, with these lists in their
// places, in the order of its fields.
func longJSON(w io.Writer, frame normal, lists ...long) error {
	var buf bytes.Buffer
	if err := printJSON(&buf, frame); err != nil {
		return err
	}
	out, rest := bufio.NewWriterSize(w, 64<<10), buf.Bytes()
	var one bytes.Buffer
	e := json.NewEncoder(&one)
	e.SetEscapeHTML(false)
	e.SetIndent("        ", "    ")
	for _, l := range lists {
		// How printJSON writes the list that was emptied. No text of a report looks like it:
		// line breaks within JSON strings are escaped.
		before, after, found := bytes.Cut(rest, []byte("\n    \""+l.name+"\": [],"))
		if !found {
			return fmt.Errorf("encode report: it has no list %q", l.name)
		}
		rest = after
		out.Write(before) // bufio keeps the first error for Flush
		fmt.Fprintf(out, "\n    %q: [", l.name)
		for i := range l.n {
			one.Reset()
			if err := e.Encode(l.at(i)); err != nil {
				return fmt.Errorf("encode report: %w", err)
			}
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString("\n        ")
			if _, err := out.Write(bytes.TrimSuffix(one.Bytes(), []byte("\n"))); err != nil {
				return err // a pipe that was closed takes no more
			}
		}
		if l.n > 0 {
			out.WriteString("\n    ")
		}
		out.WriteString("],")
	}
	out.Write(rest)
	return out.Flush()
}
