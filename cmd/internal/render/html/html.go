// Package html writes a document as one self-contained file: no script, no font, no request; light, dark, and on a
// phone.
//
// It is the one place where text is made safe for HTML (markup). It may import only analyzer/document, and nothing that
// knows a report.
package html

import (
	_ "embed"
	"io"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

//go:embed page.css
var css string

// Write writes a page.
func Write(w io.Writer, d document.Doc) error {
	p := page{}
	p.b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	// Nothing is ever fetched or run, whatever the report contains.
	p.b.WriteString("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
		"'unsafe-inline'\">\n")
	p.b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta " +
		"name=\"color-scheme\" content=\"light dark\">\n")
	title := "restartwhy"
	for _, b := range d.Blocks {
		if h, ok := b.(document.Heading); ok && h.Level == 1 {
			title = h.Text.String()
			break
		}
	}
	p.el("title", title)
	p.b.WriteString("\n<style>\n" + css + "</style>\n</head>\n<body>\n<main>\n")
	p.blocks(d.Blocks)
	p.b.WriteString("</main>\n</body>\n</html>\n")
	_, err := w.Write(p.b.Bytes())
	return err
}

type page struct{ markup }

func (p *page) blocks(all []document.Block) {
	for _, b := range all {
		switch b := b.(type) {
		case document.Heading:
			name := "h" + strconv.Itoa(b.Level)
			p.open(name)
			p.inline(b.Text)
			p.end(name)
		case document.Paragraph:
			p.open("p", "id", b.Anchor.ID)
			p.inline(b.Text)
			p.end("p")
		case document.List:
			p.list(&b)
		case document.Table:
			p.table(&b)
		case document.Fold:
			p.fold(&b)
		case document.Timeline:
			p.open("figure")
			(&picture{b}).draw(&p.markup)
			p.el("figcaption", b.Caption, "class", "faint")
			p.end("figure")
		}
	}
}

func (p *page) list(l *document.List) {
	if l.Kind == document.Fields {
		p.open("dl")
		for n := range l.Entries {
			p.open("dt")
			p.inline(l.Entries[n].Label)
			p.close("dt")
			p.open("dd")
			p.inline(l.Entries[n].Text)
			p.end("dd")
		}
		p.end("dl")
		return
	}
	name, class, start := "ul", "", ""
	switch l.Kind {
	case document.Chain:
		name, class = "ol", "chain"
	case document.Numbered:
		name, class = "ol", "evidence"
		if first := l.Entries[0].Number; first > 1 {
			start = strconv.Itoa(first)
		}
	}
	p.open(name, "class", class, "start", start)
	for n := range l.Entries {
		p.entry(l.Kind, &l.Entries[n])
	}
	p.end(name)
}

func (p *page) entry(kind document.ListKind, e *document.ListItem) {
	p.open("li", "id", e.Anchor.ID)
	if kind == document.Chain {
		p.el("span", e.Label.String(), "class", "role")
		p.text(" ")
	} else {
		p.inline(e.Label)
		if len(e.Label) > 0 && len(e.Text) > 0 {
			p.text(": ")
		}
	}
	p.inline(e.Text)
	if e.At != "" {
		p.text(" ")
		p.el("time", e.At)
	}
	for _, below := range e.Below {
		if len(below) > 0 && below[0].Style == document.Command {
			p.el("pre", below.String())
			continue
		}
		p.open("div")
		p.inline(below)
		p.close("div")
	}
	p.end("li")
}

// table repeats the column's head in every cell: on a phone each row is shown separately.
func (p *page) table(t *document.Table) {
	class := ""
	if len(t.Heads) > onPaper {
		class = "many"
	}
	p.open("div", "class", "wide")
	p.open("table", "class", class)
	p.open("tr")
	for _, h := range t.Heads {
		p.el("th", h)
	}
	p.end("tr")
	for _, r := range t.Rows {
		p.open("tr")
		for n, c := range r.Cells {
			p.open("td", "data-of", t.Heads[n])
			p.cell = true
			p.inline(c)
			p.cell = false
			p.close("td")
		}
		p.end("tr")
	}
	p.end("table")
	p.end("div")
	if t.More != "" {
		p.el("p", t.More, "class", "faint")
	}
}

// onPaper is how many columns fit on a sheet of paper.
const onPaper = 7

// fold is a heading that opens: a screen reader jumps to it, and it can be opened with a key.
func (p *page) fold(f *document.Fold) {
	p.open("details", "class", "fold")
	if f.Open {
		p.flag("open")
	}
	p.open("summary", "id", f.Anchor.ID)
	name := "span"
	if f.Level > 0 {
		name = "h" + strconv.Itoa(f.Level)
	}
	p.open(name)
	p.inline(f.Summary)
	p.close(name)
	p.end("summary")
	p.blocks(f.Blocks)
	p.end("details")
}

func (p *page) inline(t document.Text) {
	for _, r := range t {
		switch {
		case r.Style == document.Cite:
			p.el("a", r.Text, "href", "#"+r.To, "class", "cite")
		case r.To != "":
			p.el("a", r.Text, "href", "#"+r.To)
		case r.Style == document.Strong:
			p.el("strong", r.Text)
		case r.Style == document.Faint:
			p.el("span", r.Text, "class", "faint")
		case r.Style == document.Code, r.Style == document.Command:
			p.el("code", r.Text)
		case r.Style == document.Badge:
			p.el("span", r.Text, "class", "badge "+class(r.Class))
		default:
			p.text(r.Text)
		}
	}
}

// class returns a known class of the style sheet: a report's text never becomes one.
func class(word string) string {
	for _, known := range strings.Fields("proven likely possible restarts may stays blocker risk check") {
		if word == known {
			return known
		}
	}
	return "unknown"
}
