// Package style is the look of the viewer: styles by meaning, and the glyphs. The viewer makes one Theme with its
// colours; screens, pages and panes draw with it and define no styles themselves. It may import lipgloss and, for the
// styles of text, analyzer/document. It contains no layout and no data.
package style

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// Theme holds the styles. Colour is never the only indicator: whatever has the style Good, Warn, Bad, Lit or Cursor has
// a glyph or a word as well, so the zero Theme with either set of glyphs is readable.
type Theme struct {
	Title  lipgloss.Style // the title of a screen or section, a key in the footer
	Strong lipgloss.Style // the answer
	Muted  lipgloss.Style // times, sources, ids, hints, names of columns
	Good   lipgloss.Style // proven, ran
	Warn   lipgloss.Style // possible, may, dense
	Bad    lipgloss.Style // unknown, ended badly
	Lit    lipgloss.Style // evidence for the verdict
	Cursor lipgloss.Style // what is under the cursor
	Typed  lipgloss.Style // what a user types
	Likely lipgloss.Style
	Glyphs Glyphs
}

// Of returns the style of a run of a document, nil for plain text.
func (l *Theme) Of(s document.Style, class string) *lipgloss.Style {
	switch s {
	case document.Strong:
		return &l.Strong
	case document.Faint, document.Cite:
		return &l.Muted
	case document.Command:
		return &l.Typed
	case document.Badge:
		return l.word(class)
	}
	return nil
}

// word is the style of a word that has a colour (a confidence, a prediction, the level of a finding), or of a class
// that the viewer uses.
func (l *Theme) word(class string) *lipgloss.Style {
	switch class {
	case "proven", "good":
		return &l.Good
	case "likely":
		return &l.Likely
	case "possible", "may", "risk", "check", "warn":
		return &l.Warn
	case "unknown", "restarts", "blocker", "bad":
		return &l.Bad
	case "strong":
		return &l.Strong
	case "title":
		return &l.Title
	case "lit":
		return &l.Lit
	case "cursor":
		return &l.Cursor
	}
	return &l.Muted
}

// Glyphs are the symbols of the viewer. All are one cell wide, except Ellipsis and Separator.
type Glyphs struct {
	Cursor, Caret        string // next to the row and below the column under the cursor
	Closed, Open         string // a folded and an unfolded group
	Bullet, Rule, Tick   string // an entry of a list, a ruler, a label's place on it
	Ellipsis, Separator  string
	Dash, Times          string // nothing, or a range; a multiplication sign
	Proven, Likely       string // confidence of a verdict or a prediction
	Possible, Unknown    string
	Mark, Many, Decisive string // one mark, ten or more in one column, what the verdict cites
	Span, Begin, End     string // a duration, its first and its last column
	BadEnd, Brief        string // a bad end; a span within one column
	OpenBegin, OpenEnd   string // unknown beginning or end
}

// Unicode returns the glyphs for terminals whose locale is UTF-8.
func Unicode() Glyphs {
	return Glyphs{
		Cursor: "❯", Caret: "▴", Closed: "▸", Open: "▾",
		Bullet: "•", Rule: "─", Tick: "┬",
		Ellipsis: "…", Separator: " · ", Dash: "–", Times: "×",
		Proven: "●", Likely: "◐", Possible: "○", Unknown: "?",
		Mark: "•", Many: "▓", Decisive: "◆",
		Span: "━", Begin: "┣", End: "┫", BadEnd: "✗", Brief: "┃", OpenBegin: "╺", OpenEnd: "╸",
	}
}

// ASCII returns the glyphs for all other terminals.
func ASCII() Glyphs {
	return Glyphs{
		Cursor: ">", Caret: "^", Closed: "+", Open: "-",
		Bullet: "-", Rule: "-", Tick: "+",
		Ellipsis: "...", Separator: " - ", Dash: "-", Times: "x",
		Proven: "#", Likely: "*", Possible: "o", Unknown: "?",
		Mark: "o", Many: "#", Decisive: "!",
		Span: "=", Begin: "[", End: "]", BadEnd: "x", Brief: "|", OpenBegin: "<", OpenEnd: ">",
	}
}

// Palette is the set of colours that may be used.
type Palette int

const (
	// Dark is light text on a dark background.
	Dark Palette = iota
	// Light is dark text on a light background.
	Light
	// NoColour has only attributes: bold, faint, reverse.
	NoColour
)

// New returns the theme of a palette, with glyphs of ASCII or of Unicode.
func New(p Palette, ascii bool) Theme {
	plain, bold, faint := lipgloss.NewStyle(), lipgloss.NewStyle().Bold(true), lipgloss.NewStyle().Faint(true)
	l := Theme{
		Title: bold, Strong: bold, Muted: faint, Good: bold, Warn: plain, Bad: faint, Lit: bold,
		Cursor: plain.Reverse(true), Typed: plain, Likely: plain, Glyphs: Unicode(),
	}
	if ascii {
		l.Glyphs = ASCII()
	}
	if p != NoColour {
		pick := lipgloss.LightDark(p == Dark)
		// Each pair has a contrast of at least 4.5 to 1 on white and on black.
		paint := func(light, dark string) color.Color { return pick(lipgloss.Color(light), lipgloss.Color(dark)) }
		l.Likely = plain.Foreground(paint("#1f4f99", "#8ab4f8"))
		l.Title = bold.Foreground(paint("#1f4f99", "#8ab4f8"))
		l.Muted = plain.Foreground(paint("#5f6470", "#9aa0ac"))
		l.Good = bold.Foreground(paint("#0f6b2f", "#7ddb95"))
		l.Warn = plain.Foreground(paint("#8a5a00", "#e8c06a"))
		l.Bad = plain.Foreground(paint("#a32020", "#f39a9a"))
		l.Lit = bold.Foreground(paint("#8a5a00", "#e8c06a"))
		l.Cursor = bold.Foreground(paint("#101418", "#ffffff")).Background(paint("#cfe0fb", "#2b4368"))
		l.Typed = plain.Foreground(paint("#0b6e6e", "#7fd7d7"))
	}
	return l
}
