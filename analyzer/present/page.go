package present

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// Page parses a page of the catalogue: headings, paragraphs, lists, code and tables. It supports no more Markdown than
// the pages use; anything else stays as it is.
func Page(source string) []document.Block {
	var out []document.Block
	var para []string
	flush := func() {
		if len(para) > 0 {
			out = append(out, document.Paragraph{Text: marked(strings.Join(para, " "))})
			para = nil
		}
	}
	code := false
	for _, line := range strings.Split(source, "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r")
		text := strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(text, "```"):
			flush()
			code = !code
		case code:
			out = append(out, document.Paragraph{Text: document.Text{{Text: "    "}, {Style: document.Code, Text: line}}})
		case text == "":
			if flush(); len(out) > 0 {
				out = append(out, document.Paragraph{})
			}
		case strings.HasPrefix(text, "#"):
			flush()
			title := strings.TrimLeft(text, "#")
			out = append(out, document.Heading{Level: min(len(text)-len(title), 6), Text: marked(strings.TrimSpace(title))})
		case strings.HasPrefix(text, "- "), strings.HasPrefix(text, "* "):
			flush()
			entry := document.ListItem{Text: marked(text[2:])}
			if list, ok := last(out).(document.List); ok {
				list.Entries = append(list.Entries, entry)
				out[len(out)-1] = list
				continue
			}
			out = append(out, document.List{Entries: []document.ListItem{entry}})
		case strings.HasPrefix(text, "|"):
			flush()
			out = tableRow(out, text)
		case strings.HasPrefix(line, "  ") && len(para) == 0 && isList(last(out)):
			list := last(out).(document.List)
			e := &list.Entries[len(list.Entries)-1]
			e.Text = append(append(e.Text, document.Run{Text: " "}), marked(text)...)
		default:
			para = append(para, text)
		}
	}
	flush()
	return out
}

func last(all []document.Block) document.Block {
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

func isList(b document.Block) bool {
	_, ok := b.(document.List)
	return ok
}

func tableRow(out []document.Block, text string) []document.Block {
	if strings.Trim(text, "|-: ") == "" {
		return out // the line below the heads
	}
	var cells []document.Text
	var heads []string
	for _, c := range strings.Split(strings.Trim(text, "| "), "|") {
		cells = append(cells, marked(strings.TrimSpace(c)))
		heads = append(heads, cells[len(cells)-1].String())
	}
	t, ok := last(out).(document.Table)
	if !ok {
		return append(out, document.Table{Heads: heads, Prose: true})
	}
	for len(cells) < len(t.Heads) {
		cells = append(cells, nil)
	}
	t.Rows = append(t.Rows, document.Row{Cells: cells[:len(t.Heads)]})
	out[len(out)-1] = t
	return out
}

// marked parses the marks of code and emphasis within a line.
func marked(s string) document.Text {
	var out document.Text
	for s != "" {
		at := strings.IndexAny(s, "`*[")
		if at < 0 {
			return append(out, document.Say(s)...)
		}
		out = append(out, document.Say(s[:at])...)
		s = s[at:]
		found := false
		for _, m := range []struct {
			mark  string
			style document.Style
		}{{"`", document.Code}, {"**", document.Strong}, {"*", document.Strong}} {
			rest, ok := strings.CutPrefix(s, m.mark)
			if !ok {
				continue
			}
			if text, after, closed := strings.Cut(rest, m.mark); closed && text != "" &&
				(m.style == document.Code || text[0] != ' ') {
				out, s, found = append(out, document.In(m.style, text)...), after, true
				break
			}
		}
		if text, after, link := strings.Cut(s, "]("); !found && link && s[0] == '[' {
			if _, after, closed := strings.Cut(after, ")"); closed && !strings.Contains(text, "\n") {
				out, s, found = append(out, document.Say(text[1:])...), after, true
			}
		}
		if !found {
			out, s = append(out, document.Say(s[:1])...), s[1:]
		}
	}
	return out
}
