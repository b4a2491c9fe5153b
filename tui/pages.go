package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// pageKind is what a page of text tells.
type pageKind int

const (
	pageHelp pageKind = iota
	pageGaps
	pageCause
)

// pageScreen is a text to read: help, what is missing, a page of the catalogue.
type pageScreen struct {
	single
	kind   pageKind
	cause  string
	source string // the page of the cause, in Markdown
	text   pager.Pager
}

func (s *pageScreen) title(*model) string {
	return map[pageKind]string{pageHelp: "help", pageGaps: "what is missing", pageCause: "cause " + s.cause}[s.kind]
}

func (s *pageScreen) position() string { return s.text.Position() }

func (s *pageScreen) page() *pager.Pager { return &s.text }

func (s *pageScreen) lay(m *model) {
	switch s.kind {
	case pageHelp:
		m.show(&s.text, m.helpPage())
	case pageGaps:
		m.show(&s.text, m.gapsPage())
	case pageCause:
		m.show(&s.text, present.Page(s.source))
	}
}

// show puts blocks into a pager that fills the body.
func (m *model) show(p *pager.Pager, blocks []document.Block) {
	p.Show(m.look, m.layout.text, m.layout.body, blocks)
}

// draw lays blocks out without a cursor.
func (m *model) draw(blocks ...document.Block) []string {
	return pager.Draw(blocks, &m.look, m.layout.text)
}

// note is a line that is neither here nor there: what is being read, what is missing.
func note(text string) document.Block {
	return document.Paragraph{Text: document.In(document.Faint, text)}
}

func (s *pageScreen) body(*model) []string { return s.text.Lines() }

func (s *pageScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if key.Matches(msg, m.keys.Open, m.keys.Right) {
		return nil, true // a page leads nowhere
	}
	return m.pressPager(&s.text, msg, m.ds.find)
}

func (s *pageScreen) here(*model) place {
	if s.kind == pageCause {
		return place{copied: s.source, called: "the page", command: "kubectl restartwhy explain " + report.Quote(s.cause)}
	}
	return place{}
}

// helpPage lists every key, and what the words mean.
func (m *model) helpPage() []document.Block {
	var out []document.Block
	add := func(title string, entries ...document.Entry) {
		out = append(out, document.Heading{Level: 2, Text: document.Say(title)}, document.List{Kind: document.Fields, Entries: entries})
	}
	filter := "Every word must occur in namespace, pod, container, node, cause, confidence or summary; !word must not. Where a word occurs nowhere, names that have its letters in this order are listed."
	if m.preflight != nil {
		out = present.PreflightWords()
		filter = "Every word must occur in a row or in one of its containers: namespace, pod, container, node, prediction, rule or because; !word must not."
	} else {
		var words []document.Entry
		for n, c := range present.Confidences() {
			meaning := [...]string{
				"decisive evidence names this container and this moment, and every other cause is ruled out",
				"the evidence fits this cause clearly better than any other, but a decisive piece is missing",
				"several causes fit", "the evidence does not tell; see what would decide it",
			}[n]
			words = append(words, document.Entry{Label: document.Word(string(c)), Text: document.Say(meaning)})
		}
		add("Confidence", words...)
	}
	for _, group := range m.keys.Groups() {
		var keys []document.Entry
		for _, b := range group.Bindings {
			if b.Enabled() {
				keys = append(keys, document.Entry{Label: document.In(document.Strong, b.Help().Key), Text: document.Say(b.Help().Desc)})
			}
		}
		if len(keys) > 0 {
			add(group.Title, keys...)
		}
	}
	return append(out,
		document.Heading{Level: 2, Text: document.Say("Filter")}, document.Paragraph{Text: document.Say(filter)},
		document.Heading{Level: 2, Text: document.Say("Mouse")},
		document.Paragraph{Text: document.Say("M lets the wheel scroll and a click choose; a second click on the same row opens it. The terminal's own selection then needs shift.")})
}

// gapsPage lists what is being read and what could not be.
func (m *model) gapsPage() []document.Block {
	out := m.progressBlocks()
	if m.preflight != nil {
		out = append(out, present.AssumedEverywhere(m.preflight.Report)...)
	}
	return append(out, present.Missing(m.ds.report)...)
}
