package screens

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// PageKind is the topic of a page of text.
type PageKind int

// The pages that a key opens on top of any screen, and that of a cause.
const (
	PageHelp PageKind = iota
	PageGaps
	PageFirst
	pageCause
)

// pageScreen is a text to read: help, what is missing, a page of the catalogue.
type pageScreen struct {
	screen.Reading
	kind   PageKind
	cause  string
	source string // the page of the cause, in Markdown
}

// NewPage returns the page for help, for what is missing, or for what to fix first.
func NewPage(kind PageKind) screen.Screen { return &pageScreen{kind: kind} }

// NewCausePage shows the page of a cause.
func NewCausePage(id, markdown string) screen.Screen {
	return &pageScreen{kind: pageCause, cause: id, source: markdown}
}

func (s *pageScreen) Is(kind PageKind) bool { return s.kind == kind }

func (s *pageScreen) Title(*screen.Frame) string {
	return map[PageKind]string{PageHelp: "help", PageGaps: "what is missing",
		PageFirst: "what to fix first", pageCause: "cause " + s.cause}[s.kind]
}

func (s *pageScreen) Lay(f *screen.Frame) {
	switch s.kind {
	case PageHelp:
		s.Text.Lay(f, helpPage(f))
	case PageGaps:
		s.Text.Lay(f, append(f.Collection(), present.Missing(f.Data.Report)...))
	case PageFirst:
		from, until := f.Data.Report.Span()
		s.Text.Lay(f, present.Top(report.NewTop(f.Data.Report, from, until), 0))
	case pageCause:
		s.Text.Lay(f, present.Page(s.source))
	}
}

func (s *pageScreen) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	if key.Matches(msg, f.Keys.Open, f.Keys.Right) {
		return screen.Asks{} // a page has no links
	}
	return s.Text.Press(f, msg, nil)
}

func (s *pageScreen) Here(f *screen.Frame) screen.Selection {
	switch s.kind {
	case PageFirst:
		if dataset.FromDemo(&f.Data.Report.Scope) {
			return screen.Selection{}
		}
		of := &f.Data.Report.Scope
		return screen.Selection{Command: "kubectl restartwhy top" + dataset.ScopeFlag(*of) + dataset.FromFlags(of)}
	case pageCause:
		command := "kubectl restartwhy explain " + report.Quote(s.cause)
		return screen.Selection{Copied: s.source, Called: "the page", Command: command}
	}
	return screen.Selection{}
}

// helpPage lists every key, and the meaning of terms.
func helpPage(f *screen.Frame) []document.Block {
	var out []document.Block
	add := func(title string, entries ...document.ListItem) {
		out = append(out, document.Title(2, title), document.List{Kind: document.Fields, Entries: entries})
	}
	title, filter := "Filter", "Every word must occur in namespace, pod, container, node, cause, confidence or summary; "+
		"!word must not."
	if f.Preflight {
		out = preflightpage.Glossary()
		title, filter = "Search", "/ searches the page, and opens the nodes that have what it looks for."
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
	for _, group := range f.Keys.Groups() {
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
		document.Title(2, title), document.Para(filter),
		document.Title(2, "Mouse"),
		document.Para("M lets the wheel scroll and a click choose; "+
			"a second click on the same row opens it. The terminal's own selection then needs shift."))
}
