package screens

import (
	"strings"

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
	screen.TextPage
	kind   PageKind
	title  string
	blocks func(f *screen.Frame) []document.Block
	at     screen.Selection // of a page of the catalogue
}

// NewPage returns the page for help, for what is missing, or for what to fix first.
func NewPage(kind PageKind) screen.Screen {
	switch kind {
	case PageGaps:
		return &pageScreen{kind: kind, title: "what is missing", blocks: func(f *screen.Frame) []document.Block {
			return append(f.Collection(), present.Missing(f.Data.Report)...)
		}}
	case PageFirst:
		return &pageScreen{kind: kind, title: "what to fix first", blocks: func(f *screen.Frame) []document.Block {
			from, until := f.Data.Report.Span()
			return present.Top(report.NewTop(f.Data.Report, from, until), 0)
		}}
	}
	return &pageScreen{kind: kind, title: "help", blocks: helpPage}
}

// NewCausePage shows the page of a cause.
func NewCausePage(id, markdown string) screen.Screen {
	blocks := func(*screen.Frame) []document.Block { return present.Page(markdown) }
	return &pageScreen{kind: pageCause, title: "cause " + id, blocks: blocks,
		at: screen.Selection{Copied: markdown, Called: "the page", Command: explaining(id)}}
}

// explaining is the command that explains a cause.
func explaining(cause string) string { return "kubectl restartwhy explain " + report.Quote(cause) }

func (s *pageScreen) Is(kind PageKind) bool      { return s.kind == kind }
func (s *pageScreen) Title(*screen.Frame) string { return s.title }
func (s *pageScreen) Lay(f *screen.Frame)        { s.TextPage.Lay(f, s.blocks(f)) }

func (s *pageScreen) Here(f *screen.Frame) screen.Selection {
	if of := &f.Data.Report.Scope; s.kind == PageFirst && !dataset.FromDemo(of) {
		return screen.Selection{Command: "kubectl restartwhy top" + dataset.ScopeFlag(*of) + dataset.FromFlags(of)}
	}
	return s.at
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
				does := h.Desc[strings.Index(h.Desc, "|")+1:]
				keys = append(keys, document.ListItem{Label: document.In(document.Strong, h.Key), Text: document.Say(does)})
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
