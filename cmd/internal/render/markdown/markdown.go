// Package markdown writes a document for a ticket, in the common subset of all dialects, plus tables and <details> as
// GitHub, GitLab and most trackers support them.
//
// It is the one place where text is made safe for Markdown. It may import only analyzer/document, and nothing that
// knows a report.
package markdown

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// Write returns blocks as Markdown.
func Write(blocks []document.Block) string {
	w := writer{}
	w.blocks(blocks)
	return strings.TrimLeft(w.b.String(), "\n")
}

type writer struct{ b strings.Builder }

func (w *writer) blocks(all []document.Block) {
	for _, b := range all {
		switch b := b.(type) {
		case document.Heading:
			fmt.Fprintf(&w.b, "\n%s %s\n", strings.Repeat("#", b.Level), inline(b.Text))
		case document.Paragraph:
			fmt.Fprintf(&w.b, "\n%s\n", inline(b.Text))
		case document.List:
			w.list(&b)
		case document.Table:
			w.table(&b)
		case document.Fold:
			fmt.Fprintf(&w.b, "\n<details><summary>%s</summary>\n", summary(b.Summary))
			w.blocks(b.Blocks)
			w.b.WriteString("\n</details>\n")
		}
	}
}

func (w *writer) list(l *document.List) {
	w.b.WriteByte('\n')
	for n := range l.Entries {
		e := &l.Entries[n]
		mark := "-"
		switch {
		case l.Kind == document.Chain:
			mark = fmt.Sprintf("%d.", n+1)
		case e.Number > 0:
			mark = fmt.Sprintf("%d.", e.Number)
		}
		label := inline(e.Label)
		if l.Kind == document.Chain && label != "" {
			label = "*" + label + "*"
		}
		text := inline(e.Text)
		if label != "" && text != "" {
			label += ": "
		}
		if e.At != "" {
			text += " · " + e.At
		}
		fmt.Fprintf(&w.b, "%s %s%s\n", mark, label, text)
		for _, below := range e.Below {
			fmt.Fprintf(&w.b, "%s %s\n", strings.Repeat(" ", len(mark)), inline(below))
		}
	}
}

func (w *writer) table(t *document.Table) {
	row := func(cells []string) { w.b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	heads := make([]string, len(t.Heads))
	for n, h := range t.Heads {
		heads[n] = h[:1] + strings.ToLower(h[1:])
	}
	w.b.WriteByte('\n')
	row(heads)
	w.b.WriteString(strings.Repeat("|---", len(heads)) + "|\n")
	for _, r := range t.Rows {
		cells := make([]string, len(r.Cells))
		for n, c := range r.Cells {
			cells[n] = cell(inline(c))
		}
		row(cells)
	}
	if t.More != "" {
		fmt.Fprintf(&w.b, "\n*%s*\n", prose(t.More))
	}
}

func inline(t document.Text) string {
	var b strings.Builder
	for n, r := range t {
		switch text := r.Text; {
		case strings.TrimSpace(text) == "":
			b.WriteString(text)
		case r.Style == document.Strong:
			b.WriteString("**" + prose(text) + "**")
		case r.Style == document.Badge:
			b.WriteString("*" + prose(text) + "*")
		case r.Style == document.Code, r.Style == document.Command:
			b.WriteString(code(text))
		case n == 0:
			b.WriteString(prose(text))
		default: // special only at the beginning of a line
			b.WriteString(proseEscapes.Replace(text))
		}
	}
	return b.String()
}

// summary is the title of a fold: HTML, where Markdown has no effect.
func summary(t document.Text) string {
	var b strings.Builder
	for _, r := range t {
		text := htmlEscapes.Replace(r.Text)
		if r.Style == document.Strong {
			text = "<b>" + text + "</b>"
		}
		b.WriteString(text)
	}
	return b.String()
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;",
	"@", "&#64;", "#", "&#35;", "\n", " ", "\r", " ")

// proseEscapes escape the characters that are special within a line. An @ is put into a code span: a tracker would
// notify people named in a log line. A # and a digit would become a link to another ticket.
var proseEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "~", `\~`, "|", `\|`, "$", `\$`, "#", "`#`", "@", "`@`", "\n", " ", "\r", " ")

// lineStarts are special only at the beginning of a line.
const lineStarts = "-+=0123456789"

// prose writes a sentence so that nothing in it acts as Markdown.
func prose(s string) string {
	s = proseEscapes.Replace(s)
	if s != "" && strings.ContainsRune("-+=", rune(s[0])) {
		return `\` + s
	}
	// "1. " would begin a list.
	if digits := strings.TrimLeft(s, lineStarts[3:]); len(digits) < len(s) &&
		(strings.HasPrefix(digits, ".") || strings.HasPrefix(digits, ")")) {
		return s[:len(s)-len(digits)] + `\` + digits
	}
	return s
}

// code writes a text verbatim. The fence is longer than any run of its own character within, as CommonMark requires.
func code(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
	longest, run := 0, 0
	for _, c := range s {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// cell keeps a text within its cell: a bar ends one even in a code span.
func cell(s string) string {
	var b strings.Builder
	for n := range len(s) {
		if s[n] == '|' && (n == 0 || s[n-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(s[n])
	}
	return b.String()
}

// Cut shortens a page to so many characters at the end of a line, says so, and closes open elements.
func Cut(page string, most int) string {
	if r := []rune(page); len(r) > most {
		const note = "\n*The rest is left out because of the size limit of tickets. `-o html` and `-o json` have " +
			"everything.*\n"
		closing := strings.Repeat("\n</details>\n", 4)
		page = string(r[:most-len([]rune(note))-len(closing)])
		page = page[:strings.LastIndex(page, "\n")+1]
		open := strings.Count(page, "<details>") - strings.Count(page, "</details>")
		page += strings.Repeat("\n</details>\n", min(max(open, 0), 4)) + note
	}
	return page
}
