// Package printers turns a report into what a person or a script reads: the
// table, the wide table, the full view of one restart, JSON, YAML, names,
// Markdown for a ticket, one HTML file, metrics for Prometheus, and kubectl's
// jsonpath and go-template.
//
// Of the project it imports analyzer/report and nothing else: it never computes
// a verdict and never reads evidence. Every string of a report is safe text, so a
// terminal needs no escaping here; Markdown, HTML and metrics each escape what
// means something to them, at one place. Colour repeats what a word says already.
package printers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Formats are the values of -o that this package prints by itself, for help
// texts; the templates of kubectl come on top.
const Formats = "table|wide|json|yaml|name|markdown|html|prometheus|jsonpath=…|go-template=…"

// Options say how to print.
type Options struct {
	// Format is a value of -o; "" is the table.
	Format    string
	NoHeaders bool
	Color     bool
	// Width is the number of columns of the terminal; 0 means no limit.
	Width int
	// Ages prints ages instead of times: right for a live cluster, wrong for a
	// recording.
	Ages bool
	// Detail adds the newest item in full below the table.
	Detail bool
	// Incidents shows what restarts share instead of each one.
	Incidents bool
	// Teller tells the stories that the HTML page draws; nil where there is none.
	Teller report.Teller
	// Template is the template of a format that names none itself. StrictKeys fails
	// on a field that is not there, instead of printing nothing.
	Template   string
	StrictKeys bool
}

// Printer writes one report.
type Printer func(w io.Writer, r *report.Report) error

// New returns the printer for a format, or an error that names the formats.
func New(o Options) (Printer, error) {
	if o.Incidents {
		if p := o.byIncident(); p != nil {
			return p, nil
		}
	}
	switch o.Format {
	case "", "table":
		return o.text, nil
	case "wide":
		return o.wide, nil
	case "json":
		return reportJSON, nil
	case "yaml":
		return printYAML[*report.Report], nil
	case "name":
		return printNames, nil
	case "markdown":
		return o.markdown, nil
	case "html":
		return o.html, nil
	case "prometheus":
		return printPrometheus, nil
	}
	p, err := o.templated()
	if errors.Is(err, errNoFormat) {
		return nil, fmt.Errorf("unknown output format %q: want %s", o.Format, Formats)
	}
	return p, err
}

// Text tells whether a format is for people: then an empty report is said in
// words and not printed.
func Text(format string) bool { return format == "" || format == "table" || format == "wide" }

// normal is a report whose lists are lists, after it was asked to see to that.
type normal interface{ Normalise() }

func printJSON[R normal](w io.Writer, r R) error {
	r.Normalise()
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", "    ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err := w.Write(buf.Bytes())
	return err
}

func printYAML[R normal](w io.Writer, r R) error {
	r.Normalise()
	data, err := yaml.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err = w.Write(data)
	return err
}

// printNames prints each pod once, as kubectl -o name does, newest item first.
func printNames(w io.Writer, r *report.Report) error {
	var b strings.Builder
	seen := map[string]bool{}
	for _, i := range r.Items {
		if key := i.Namespace + "/" + i.Pod; i.Pod != "" && !seen[key] {
			seen[key] = true
			fmt.Fprintf(&b, "pod/%s\n", i.Pod)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// stamp prints a time to the second, in UTC.
func stamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}
