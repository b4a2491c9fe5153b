package printers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// noItems is how printJSON writes the items of a preflight that has none. No text of a report looks like it: line breaks
// within JSON strings are escaped.
const noItems = "\n    \"items\": [],"

// preflightJSON writes the bytes that printJSON would, item by item: those of a large cluster are hundreds of megabytes,
// which printJSON holds several times.
func preflightJSON(w io.Writer, r *report.Preflight) error {
	r.Normalise()
	frame := *r
	frame.Items = []report.PreflightItem{}
	var buf bytes.Buffer
	if err := printJSON(&buf, &frame); err != nil {
		return err
	}
	before, after, found := bytes.Cut(buf.Bytes(), []byte(noItems))
	if len(r.Items) == 0 || !found {
		return printJSON(w, r)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	out.Write(before) // bufio keeps the first error for Flush
	out.WriteString("\n    \"items\": [")
	var one bytes.Buffer
	e := json.NewEncoder(&one)
	e.SetEscapeHTML(false)
	e.SetIndent("        ", "    ")
	for i := range r.Items {
		one.Reset()
		if err := e.Encode(&r.Items[i]); err != nil {
			return fmt.Errorf("encode report: %w", err)
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n        ")
		out.Write(bytes.TrimSuffix(one.Bytes(), []byte("\n")))
	}
	out.WriteString("\n    ],")
	out.Write(after)
	return out.Flush()
}
