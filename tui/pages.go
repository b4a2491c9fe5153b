package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// pageKind is what a page of text is about.
type pageKind int

const (
	pageHelp pageKind = iota
	pageGaps
	pageFirst
	pageCause
)

// pageScreen is a text to read: help, what is missing, a page of the catalogue.
type pageScreen struct {
	reading
	kind   pageKind
	cause  string
	source string // the page of the cause, in Markdown
}

func (s *pageScreen) title(*frame) string {
	return map[pageKind]string{pageHelp: "help", pageGaps: "what is missing",
		pageFirst: "what to fix first", pageCause: "cause " + s.cause}[s.kind]
}

func (s *pageScreen) lay(f *frame) {
	switch s.kind {
	case pageHelp:
		s.text.show(f, f.helpPage())
	case pageGaps:
		s.text.show(f, f.gapsPage())
	case pageFirst:
		s.text.show(f, f.firstPage())
	case pageCause:
		s.text.show(f, present.Page(s.source))
	}
}

func (s *pageScreen) press(f *frame, msg tea.KeyPressMsg) asks {
	if key.Matches(msg, f.keys.Open, f.keys.Right) {
		return asks{} // a page leads nowhere
	}
	return s.text.press(f, msg, nil)
}

func (s *pageScreen) here(f *frame) place {
	switch s.kind {
	case pageFirst:
		if demo(&f.ds.report.Scope) {
			return place{}
		}
		return place{command: "kubectl restartwhy top" + scopeFlag(f.ds.report.Scope) + source(&f.ds.report.Scope)}
	case pageCause:
		command := "kubectl restartwhy explain " + report.Quote(s.cause)
		return place{copied: s.source, called: "the page", command: command}
	}
	return place{}
}

// helpPage lists every key, and what the words mean.
func (f *frame) helpPage() []document.Block {
	var out []document.Block
	add := func(title string, entries ...document.ListItem) {
		out = append(out, document.Title(2, title), document.List{Kind: document.Fields, Entries: entries})
	}
	filter := "Every word must occur in namespace, pod, container, node, cause, confidence or summary; " +
		"!word must not. Where a word occurs nowhere, names " +
		"that have its letters in this order are listed."
	if f.preflight != nil {
		out = preflightpage.Glossary()
		filter = "Every word must occur in a row or in one of its containers: namespace, pod, container, node, " +
			"prediction, rule or because; !word must not."
	} else {
		var words []document.ListItem
		for n, c := range present.Confidences() {
			meaning := [...]string{
				"decisive evidence names this container and this moment, and every other cause is ruled out",
				"the evidence fits this cause clearly better than any other, but a decisive piece is missing",
				"several causes fit", "the evidence does not decide; see what would",
			}[n]
			words = append(words, document.ListItem{Label: document.Word(string(c)), Text: document.Say(meaning)})
		}
		add("Confidence", words...)
	}
	for _, group := range f.keys.Groups() {
		var keys []document.ListItem
		for _, b := range group.Bindings {
			if b.Enabled() {
				h := b.Help()
				keys = append(keys, document.ListItem{Label: document.In(document.Strong, h.Key), Text: document.Say(h.Desc)})
			}
		}
		if len(keys) > 0 {
			add(group.Title, keys...)
		}
	}
	return append(out,
		document.Title(2, "Filter"), document.Para(filter),
		document.Title(2, "Mouse"),
		document.Para("M lets the wheel scroll and a click choose; "+
			"a second click on the same row opens it. The terminal's own selection then needs shift."))
}

func (f *frame) firstPage() []document.Block {
	from, until := f.ds.report.Span()
	return present.Top(report.NewTop(f.ds.report, from, until), 0)
}

// gapsPage lists what is being read and what could not be.
func (f *frame) gapsPage() []document.Block {
	out := f.blocks()
	if f.preflight != nil {
		out = append(out, present.AssumedEverywhere(f.preflight.Report)...)
	}
	return append(out, present.Missing(f.ds.report)...)
}
