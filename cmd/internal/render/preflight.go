package render

import (
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/data"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/html"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/markdown"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/text"
)

// PreflightFormats are the values of -o for a preflight report, PreflightWatchFormats
// those while one is watched.
const (
	PreflightFormats      = "table|wide|json|yaml|name|markdown|html"
	PreflightWatchFormats = "table|json"
)

// How much of a large preflight is in text for people, and in a ticket; -o wide, json and yaml have everything.
var (
	shortPreflight  = preflightpage.Limits{Nodes: 20, Items: 30, Gaps: -1}
	widePreflight   = preflightpage.Limits{Gaps: -1, Proof: true, Stays: true}
	ticketPreflight = preflightpage.Limits{Nodes: 200, Items: 200, Gaps: 100, Proof: true, About: true}
	pagePreflight   = preflightpage.Limits{Nodes: pageRows, Items: pageRows, Gaps: 100, Proof: true, About: true}
)

// PreflightPrinter writes one preflight report.
type PreflightPrinter func(w io.Writer, r *report.Preflight) error

// NewPreflight returns the printer for a format, or an error that names the formats. width is the terminal's, 0 for no
// limit.
func NewPreflight(format string, width int) (PreflightPrinter, error) {
	plain := func(l preflightpage.Limits) PreflightPrinter {
		return func(w io.Writer, r *report.Preflight) error {
			return text.Write(w, preflightpage.Page(r, l).Blocks, text.Options{Width: width})
		}
	}
	switch format {
	case "", "table":
		return plain(shortPreflight), nil
	case "wide":
		width = 0
		return plain(widePreflight), nil
	case "json":
		return data.JSON[*report.Preflight], nil
	case "yaml":
		return data.YAML[*report.Preflight], nil
	case "name":
		return data.PreflightNames, nil
	case "markdown":
		return func(w io.Writer, r *report.Preflight) error {
			_, err := io.WriteString(w, markdown.Cut(markdown.Write(preflightpage.Page(r, ticketPreflight).Blocks), ticketSize))
			return err
		}, nil
	case "html":
		return func(w io.Writer, r *report.Preflight) error {
			return html.Write(w, preflightpage.Page(r, pagePreflight))
		}, nil
	}
	return nil, fmt.Errorf("unknown output format %q: want %s", format, PreflightFormats)
}

// PreflightPlain writes all of a preflight as linear text.
func PreflightPlain(w io.Writer, r *report.Preflight) error {
	l := widePreflight
	l.Gaps, l.About = 0, true
	return text.Write(w, preflightpage.Page(r, l).Blocks, text.Options{Open: true})
}

// PreflightLine writes a prediction as one line of JSON, before the lines of the
// outcomes.
func PreflightLine(w io.Writer, r *report.Preflight) error { return data.Line(w, r) }

// Outcomes writes outcomes as they come: text for people, or one line of JSON each.
func Outcomes(w io.Writer, format string, outcomes []report.PreflightOutcome) error {
	for i := range outcomes {
		var err error
		if format == "json" {
			err = data.Line(w, &outcomes[i])
		} else {
			err = text.Write(w, preflightpage.Outcome(&outcomes[i]), text.Options{})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Watched writes the summary of a watched preflight.
func Watched(w io.Writer, s report.PreflightWatched) error {
	words := document.Say(preflightpage.Watched(s))
	return text.Write(w, []document.Block{document.Paragraph{Text: words}}, text.Options{})
}
