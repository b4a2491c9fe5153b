package document

import "strings"

// Style is what a piece of text is. Whoever draws decides what that looks like.
type Style uint8

// The styles.
const (
	Plain   Style = iota
	Strong        // what a hurried reader reads
	Faint         // where and when, beside what
	Code          // a name or a message, as a program wrote it
	Command       // what a reader types
	Badge         // a word with a colour that repeats it; Class is the word
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

// Text is runs, one behind the other.
type Text []Run

// Say is plain text; an empty string is no text.
func Say(s string) Text { return In(Plain, s) }

// In is text of one style; an empty string is no text.
func In(style Style, s string) Text {
	if s == "" {
		return nil
	}
	return Text{{Style: style, Text: s}}
}

// Para is a paragraph of plain text.
func Para(s string) Paragraph { return Paragraph{Text: Say(s)} }

// Note is a paragraph that stands back.
func Note(s string) Paragraph { return Paragraph{Text: In(Faint, s)} }

// Title is a heading that leads nowhere.
func Title(level int, s string) Heading { return Heading{Level: level, Text: Say(s)} }

// Entry is one of a list, that leads nowhere.
func Entry(s string) ListItem { return ListItem{Text: Say(s)} }

// Field is a named entry of a list, that leads nowhere.
func Field(label, s string) ListItem { return ListItem{Label: Say(label), Text: Say(s)} }

// Word is a badge: a confidence, a prediction, the level of a finding.
func Word(w string) Text { return Text{{Style: Badge, Text: w, Class: w}} }

// Join puts a separator between those texts that are not empty.
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

// String is the text without its styles.
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
