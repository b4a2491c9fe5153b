package html

import (
	"bytes"
	stdhtml "html"
	"strconv"
	"strings"
)

// markup writes HTML and SVG. Names of elements and attributes come from the program; every value and every text is
// escaped, so that a cluster's text cannot become markup. html/template does the same for templates; these pages are
// built in Go, and need neither its parser nor its reflection.
type markup struct {
	b    bytes.Buffer
	cell bool // text goes into a table's cell, where long words may be broken
}

// open begins an element. attrs are alternating names and values; an attribute with the value "" is left out.
func (m *markup) open(name string, attrs ...string) {
	m.b.WriteString("<" + name)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			m.b.WriteString(" " + attrs[i] + `="` + stdhtml.EscapeString(attrs[i+1]) + `"`)
		}
	}
	m.b.WriteByte('>')
}

func (m *markup) close(name string) { m.b.WriteString("</" + name + ">") }

// end closes an element at the end of a line.
func (m *markup) end(name string) {
	m.close(name)
	m.b.WriteByte('\n')
}

// flag adds an attribute without a value to the element opened last.
func (m *markup) flag(name string) {
	m.b.Truncate(m.b.Len() - 1)
	m.b.WriteString(" " + name + ">")
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

// whole is how many characters of a word stay unbroken in a column.
const whole = 12

// breakable writes a word of a cell: the browser may break it where it is longer than a column may need, as it does
// after a hyphen anyway. Short words stay whole, which a cell's style alone cannot express.
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

// el writes an element that holds only text.
func (m *markup) el(name, text string, attrs ...string) {
	m.open(name, attrs...)
	m.text(text)
	m.close(name)
}

// px formats a length in the drawing's units, rounded: fractions are invisible.
func px(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }
