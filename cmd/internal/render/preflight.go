package render

import (
	"io"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/data"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/text"
)

// PreflightFormats are the values of -o for a preflight report, PreflightWatchFormats those while one is watched.
var (
	PreflightFormats      = []string{"table", "wide", "json", "yaml", "name", "markdown", "html"}
	PreflightWatchFormats = []string{"table", "json"}
)

// How much of a large preflight is in text for people, and in a ticket; -o wide, json and yaml have everything.
var (
	shortPreflight  = preflightpage.Limits{Nodes: 20, Items: 30, Gaps: -1}
	widePreflight   = preflightpage.Limits{Gaps: -1, Proof: true, Stays: true}
	ticketPreflight = preflightpage.Limits{Nodes: 200, Items: 200, Gaps: 100, Proof: true, About: true}
	pagePreflight   = preflightpage.Limits{Nodes: pageRows, Items: pageRows, Gaps: 100, Proof: true, About: true}
)

var preflightLimits = map[string]preflightpage.Limits{"": shortPreflight, "table": shortPreflight,
	"wide": widePreflight, "markdown": ticketPreflight, "html": pagePreflight}

// Preflight writes a preflight report in one of PreflightFormats. width is the terminal's, 0 for no limit.
func Preflight(w io.Writer, r *report.Preflight, format string, width int) error {
	if format == "name" {
		return data.PreflightNames(w, r)
	}
	return Document(w, format, r, func() []document.Block {
		return preflightpage.Page(r, preflightLimits[format]).Blocks
	}, text.Options{Width: width})
}

// PreflightPlain writes all of a preflight as linear text.
func PreflightPlain(w io.Writer, r *report.Preflight) error {
	l := widePreflight
	l.Gaps, l.About = 0, true
	return text.Write(w, preflightpage.Page(r, l).Blocks, text.Options{Open: true})
}

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
