package printers

import (
	"bytes"
	"html"
	"strconv"
)

// markup writes HTML and SVG. Names of elements and attributes are the program's
// own words; every value and every text is escaped, so that what a cluster says
// cannot become markup. html/template does the same for templates; these pages are
// built in Go, and need neither its parser nor its reflection.
type markup struct{ b bytes.Buffer }

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
		m.b.WriteString(html.EscapeString(attrs[i+1]))
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

func (m *markup) text(s string) { m.b.WriteString(html.EscapeString(s)) }

// el writes an element that holds nothing but text.
func (m *markup) el(name, text string, attrs ...string) {
	m.open(name, attrs...)
	m.text(text)
	m.close(name)
}

// px is a length in the user's units of a drawing.
func px(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
