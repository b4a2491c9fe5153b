package document

import "strings"

// Style is what a piece of text is. The renderers decide what that looks like.
type Style uint8

// The styles.
const (
	Plain   Style = iota
	Strong        // what a hurried reader reads
	Faint         // where and when, next to what
	Code          // a name or a message, as a program wrote it
	Command       // what a reader types
	Badge         // a word, coloured by its meaning; Class is the word
	Cite          // the number of evidence; To is its address on the page
)

// Run is a piece of text in one style. The texts of a report are safe already: they
// hold no control characters and no secrets.
type Run struct {
	Style Style
	Text  string
	Class string
	To    string
}

// Text is a sequence of runs.
type Text []Run

// Say returns plain text; an empty string is no text.
func Say(s string) Text { return In(Plain, s) }

// In returns text of one style; an empty string is no text.
func In(style Style, s string) Text {
	if s == "" {
		return nil
	}
	return Text{{Style: style, Text: s}}
}

// Para returns a paragraph of plain text.
func Para(s string) Paragraph { return Paragraph{Text: Say(s)} }

// Note returns a paragraph in the background.
func Note(s string) Paragraph { return Paragraph{Text: In(Faint, s)} }

// Title returns a heading.
func Title(level int, s string) Heading { return Heading{Level: level, Text: Say(s)} }

// Entry returns an entry of a list, without a link.
func Entry(s string) ListItem { return ListItem{Text: Say(s)} }

// Field returns a named entry of a list, without a link.
func Field(label, s string) ListItem { return ListItem{Label: Say(label), Text: Say(s)} }

// FieldsOf returns the entries of alternating labels and texts; one with an empty text is left out.
func FieldsOf(all ...string) (entries []ListItem) {
	for i := 0; i+1 < len(all); i += 2 {
		if all[i+1] != "" {
			entries = append(entries, Field(all[i], all[i+1]))
		}
	}
	return entries
}

// Cells returns the plain cells of a row.
func Cells(texts ...string) []Text {
	cells := make([]Text, len(texts))
	for n, t := range texts {
		cells[n] = Say(t)
	}
	return cells
}

// Word returns a badge: a confidence, a prediction, the level of a finding.
func Word(w string) Text { return Text{{Style: Badge, Text: w, Class: w}} }

// Join joins the texts that are not empty with a separator.
func Join(separator string, parts ...Text) Text {
	var out Text
	for _, p := range parts {
		if len(p) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, Run{Text: separator})
		}
		out = append(out, p...)
	}
	return out
}

// String returns the text without its styles.
func (t Text) String() string {
	if len(t) == 1 {
		return t[0].Text
	}
	var b strings.Builder
	for _, r := range t {
		b.WriteString(r.Text)
	}
	return b.String()
}

// Shorten cuts a text to a number of characters, the last of which marks the cut; 0 keeps it whole.
func Shorten(s string, most int) string {
	if r := []rune(s); most > 0 && len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
