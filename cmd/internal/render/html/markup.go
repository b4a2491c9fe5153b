package html

import (
	"bytes"
	stdhtml "html"
	"strconv"
	"strings"
)

// markup writes HTML and SVG. Names of elements and attributes are the program's
// own words; every value and every text is escaped, so that what a cluster says
// cannot become markup. html/template does the same for templates; these pages are
// built in Go, and need neither its parser nor its reflection.
type markup struct {
	b    bytes.Buffer
	cell bool // text goes into a table's cell, where long words may be broken
}

// open begins an element. attrs are names and values in turn; an attribute with
// the value "" is left out.
func (m *markup) open(name string, attrs ...string) {
	m.b.WriteByte('<')
	m.b.WriteString(name)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] == "" {
			continue
		}
		m.b.WriteByte(' ')
		m.b.WriteString(attrs[i])
		m.b.WriteString(`="`)
		m.b.WriteString(stdhtml.EscapeString(attrs[i+1]))
		m.b.WriteByte('"')
	}
	m.b.WriteByte('>')
}

func (m *markup) close(name string) {
	m.b.WriteString("</")
	m.b.WriteString(name)
	m.b.WriteByte('>')
}

// end closes an element at the end of a line.
func (m *markup) end(name string) {
	m.close(name)
	m.b.WriteByte('\n')
}

// flag adds an attribute without a value to the element that was opened last.
func (m *markup) flag(name string) {
	m.b.Truncate(m.b.Len() - 1)
	m.b.WriteByte(' ')
	m.b.WriteString(name)
	m.b.WriteByte('>')
}

func (m *markup) text(s string) {
	if !m.cell {
		m.b.WriteString(stdhtml.EscapeString(s))
		return
	}
	for word := range strings.SplitAfterSeq(s, " ") {
		m.breakable(word)
	}
}

// whole is how many characters of a word a column keeps in one line.
const whole = 12

// breakable writes a word of a cell: where it is longer than a column may need, the browser may break it, as it does
// behind a hyphen by itself. Short words stay whole, which no style of a cell alone can say.
func (m *markup) breakable(word string) {
	n := 0
	for _, r := range word {
		if n == whole {
			m.b.WriteString("<wbr/>")
			n = 0
		}
		m.b.WriteString(stdhtml.EscapeString(string(r)))
		if n++; r == '-' {
			n = 0
		}
	}
}

// el writes an element that holds nothing but text.
func (m *markup) el(name, text string, attrs ...string) {
	m.open(name, attrs...)
	m.text(text)
	m.close(name)
}

// px is a length in the user's units of a drawing: whole ones, whose fractions nobody sees.
func px(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }
