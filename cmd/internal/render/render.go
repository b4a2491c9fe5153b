// Package render turns a report into output for a person or a script, by the value of -o: it chooses the page
// (analyzer/present), how much of it, and the form (text, markdown, html, data).
//
// It never computes a verdict and never reads evidence; the wording is present's.
package render

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/data"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/html"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/markdown"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/text"
)

// Formats are the values of -o, for help texts.
const Formats = "table|wide|brief|json|yaml|name|markdown|html|prometheus|custom-columns=…|jsonpath=…|go-template=…"

// Options configure printing.
type Options struct {
	// Format is a value of -o; "" is the table, or a single item in full.
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
	// Verbose shows what is folded: what is ruled out, and why.
	Verbose bool
	// Incidents shows what restarts have in common instead of each one.
	Incidents bool
	// Details provides the timelines that the HTML page draws; nil if there are none.
	Details report.DetailProvider
	// Template is the template for a format that contains none itself. StrictKeys fails on a missing field instead of
	// printing nothing.
	Template   string
	StrictKeys bool
}

// Printer writes one report.
type Printer func(w io.Writer, r *report.Report) error

// New returns the printer for a format, or an error that names the formats.
func New(o Options) (Printer, error) {
	switch {
	case o.Format == "", o.Format == "brief", slices.Contains(DocumentFormats, o.Format):
		return func(w io.Writer, r *report.Report) error {
			return Document(w, o.Format, r, func() []document.Block { return o.page(r) },
				text.Options{Width: o.Width, Color: o.Color, Open: o.Verbose, NoHeads: o.NoHeaders})
		}, nil
	case o.Format == "name" && o.Incidents:
		return data.IncidentNames, nil
	case o.Format == "name":
		return data.Names, nil
	case o.Format == "prometheus":
		return data.Prometheus, nil
	}
	if columns, found := strings.CutPrefix(o.Format, "custom-columns="); found {
		p, err := data.Columns(columns, !o.NoHeaders)
		return p, err
	}
	p, err := data.Template(o.Format, o.Template, o.StrictKeys)
	if errors.Is(err, data.ErrNoFormat) {
		return nil, fmt.Errorf("unknown output format %q: want %s", o.Format, Formats)
	}
	return p, err
}

// DocumentFormats are the values of -o for a page that is no report.
var DocumentFormats = []string{"table", "wide", "json", "yaml", "markdown", "html"}

// Document writes an answer in one of DocumentFormats: its page for people, the value behind it for programs.
func Document(w io.Writer, format string, value any, page func() []document.Block, o text.Options) error {
	switch format {
	case "json":
		return data.JSON(w, value)
	case "yaml":
		return data.YAML(w, value)
	case "markdown":
		_, err := io.WriteString(w, markdown.Cut(markdown.Write(page()), ticketSize))
		return err
	case "html":
		return html.Write(w, document.Doc{Blocks: page()})
	case "wide", "brief":
		o.Width = 0
	}
	return text.Write(w, page(), o)
}

// Text reports whether a format is for people at a terminal: then an empty report is described instead of printed.
func Text(format string) bool {
	return format == "" || format == "table" || format == "wide" || format == "brief"
}

// page is what a person reads of a report in a format.
func (o Options) page(r *report.Report) []document.Block {
	switch {
	case o.Format == "markdown":
		return o.ticket(r)
	case o.Format == "html":
		r.Normalise()
		l := present.Limits{Full: pageFull, Rows: pageRows, Listed: pageListed, Timelines: true}
		return present.Report(r, l, stories(o.Details)).Blocks
	case o.Format == "brief":
		return o.brief(r)
	case o.Incidents:
		return []document.Block{present.IncidentTable(r, present.TableOptions{Wide: o.Format == "wide", Ages: o.Ages})}
	}
	return o.table(r)
}

// manyItems is the minimum number of items for an incident to appear above the table.
const manyItems = 3

// table is what people want first: the table, or the only restart in full. With -o table it is always just a table.
func (o Options) table(r *report.Report) []document.Block {
	full := o.Format == "" && !o.NoHeaders
	var d document.Doc
	if len(r.Items) != 1 || !full {
		if above := present.Incidents(r, manyItems); len(above) > 0 && !o.NoHeaders {
			d.Add(above...)
			d.Add(document.Paragraph{})
		}
		d.Add(present.Table(r, present.TableOptions{Wide: o.Format == "wide", Ages: o.Ages, Loops: full}))
		if len(present.Rows(r, full)) < len(r.Items) {
			d.Add(document.Paragraph{},
				document.Para("TIMES counts the restarts of one container for one cause; -o table lists each"))
		}
	}
	if full && (len(r.Items) == 1 || o.Detail && len(r.Items) > 0) {
		if len(r.Items) > 1 {
			d.Add(document.Paragraph{}, document.Para("the newest in full:"))
		}
		d.Add(document.Title(1, present.Headline(&r.Items[0])))
		d.Add(present.Item(&r.Items[0], present.Index(r), present.ItemOptions{Level: 2})...)
	}
	return d.Blocks
}

// briefly is the length limit for one restart, in characters: it fits a chat message.
const briefly = 1500

func (o Options) brief(r *report.Report) []document.Block {
	find := present.Index(r)
	var d document.Doc
	for n, row := range present.Rows(r, true) {
		var blocks []document.Block
		for _, lines := range []int{3, 1, 0} { // long evidence is dropped in favour of the answer
			var b strings.Builder
			blocks = present.Brief(&r.Items[row.Item], find, row.Times, lines)
			if text.Write(&b, blocks, text.Options{}) != nil || len([]rune(b.String())) < briefly {
				break
			}
		}
		if n > 0 {
			d.Add(document.Paragraph{})
		}
		d.Add(blocks...)
	}
	return d.Blocks
}

// ticketSize is the limit of a ticket, in characters: trackers refuse more than 32 767.
const ticketSize = 30_000

// ticket is as much of a report as a tracker accepts: fewer restarts in full, then fewer rows and shorter evidence.
func (o Options) ticket(r *report.Report) (page []document.Block) {
	r.Normalise()
	for _, l := range []present.Limits{
		{Full: 10, Rows: 60, Listed: 20}, {Full: 5, Rows: 50, Listed: 20}, {Full: 3, Rows: 40, Listed: 12},
		{Full: 1, Rows: 30, Listed: 8}, {Full: 1, Rows: 10, Listed: 3},
	} {
		l.Item.Evidence, l.Item.Text = 6+l.Full*2, 300
		if len(r.Items) == 1 {
			l.Item.Evidence, l.Item.Text = 6*l.Full, 60*l.Full+200
		}
		if page = present.Report(r, l, nil).Blocks; len([]rune(markdown.Write(page))) <= ticketSize {
			break
		}
	}
	return page
}

// How much of a large report is on one page. A browser handles this easily; the page says what is left out, and JSON
// has everything.
const (
	pageFull   = 250
	pageRows   = 5000
	pageListed = 24
)

// Gaps prints what is missing of the evidence, or was assumed: one line, or all of it with its hints. It belongs on
// stderr.
func Gaps(w io.Writer, gaps []report.Gap, all bool) {
	for _, g := range gaps {
		more := ""
		if left := len(gaps) - 1; !all && left > 0 {
			more = fmt.Sprintf(" (and %d more: -v lists them)", left)
		}
		fmt.Fprintf(w, "note: about the evidence: %s%s\n", present.GapLine(g), more)
		if !all {
			return
		}
		hint(w, g.Hint)
	}
}

// NodeNotes prints what is wrong with nodes, with hints. It belongs on stderr.
func NodeNotes(w io.Writer, r *report.Report) {
	for _, n := range r.NodeNotes {
		fmt.Fprintf(w, "warning: node %s: %s\n", n.Node, n.Text)
		hint(w, n.Hint)
	}
}

func hint(w io.Writer, text string) {
	if text != "" {
		fmt.Fprintf(w, "hint: %s\n", text)
	}
}
