package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/look"
)

// palette says which colours may be used.
type palette int

const (
	paletteDark palette = iota // light text on a dark ground
	paletteLight
	paletteNone // attributes only: bold, faint, reverse
)

// theme holds every style by what it means. Colour is never the only carrier of
// a meaning: each confidence has a glyph and a word as well.
type theme struct {
	bar      lipgloss.Style // title line
	header   lipgloss.Style // column headings
	heading  lipgloss.Style // section headings of a text
	selected lipgloss.Style // the row under the cursor
	strong   lipgloss.Style // the answer
	muted    lipgloss.Style // times, sources, hints
	key      lipgloss.Style // a key in the footer
	tab      lipgloss.Style // the name of a pane
	tabShown lipgloss.Style // the name of the pane that is shown
	lit      lipgloss.Style // the line that proves it, among its neighbours
	command  lipgloss.Style // something to type
	proven   lipgloss.Style
	likely   lipgloss.Style
	possible lipgloss.Style
	unknown  lipgloss.Style
	glyphs   glyphs
}

// glyphs are the marks of the viewer, all of them one cell wide except ellipsis.
type glyphs struct {
	cursor, caret, closed, rule       string
	proven, likely, possible, unknown string
	prompt, dash                      string
	ellipsis, separator, times        string
}

func newTheme(p palette, ascii bool) theme {
	bold, faint := lipgloss.NewStyle().Bold(true), lipgloss.NewStyle().Faint(true)
	t := theme{
		bar: bold, header: faint, heading: bold, selected: lipgloss.NewStyle().Reverse(true),
		strong: bold, muted: faint, key: bold, tab: faint, tabShown: bold, lit: bold,
		proven: bold, unknown: faint,
		glyphs: unicodeGlyphs,
	}
	if ascii {
		t.glyphs = asciiGlyphs
	}
	if p == paletteNone {
		return t
	}
	pick := lipgloss.LightDark(p == paletteDark)
	// Each pair keeps a contrast of at least 4.5 to 1 on white and on black.
	paint := func(light, dark string) color.Color { return pick(lipgloss.Color(light), lipgloss.Color(dark)) }
	grey := paint("#5f6470", "#9aa0ac")
	t.muted, t.header = lipgloss.NewStyle().Foreground(grey), lipgloss.NewStyle().Foreground(grey)
	t.bar = bold.Foreground(paint("#1f4f99", "#8ab4f8"))
	t.heading, t.key, t.tabShown = t.bar, t.bar, t.bar
	t.tab = t.muted
	t.lit = bold.Foreground(paint("#8a5a00", "#e8c06a"))
	t.selected = bold.Foreground(paint("#101418", "#ffffff")).Background(paint("#cfe0fb", "#2b4368"))
	t.command = lipgloss.NewStyle().Foreground(paint("#0b6e6e", "#7fd7d7"))
	t.proven = bold.Foreground(paint("#0f6b2f", "#7ddb95"))
	t.likely = lipgloss.NewStyle().Foreground(paint("#1f4f99", "#8ab4f8"))
	t.possible = lipgloss.NewStyle().Foreground(paint("#8a5a00", "#e8c06a"))
	t.unknown = lipgloss.NewStyle().Foreground(paint("#a32020", "#f39a9a"))
	return t
}

// look is the theme as the panes of other packages take it.
func (t *theme) look(ascii bool) look.Look {
	l := look.Look{
		Title: t.heading, Strong: t.strong, Muted: t.muted, Good: t.proven, Warn: t.possible, Bad: t.unknown,
		Lit: t.lit, Dim: t.muted, Cursor: t.selected, Typed: t.command, Glyphs: look.Unicode(),
		Words: map[string]lipgloss.Style{},
	}
	if ascii {
		l.Glyphs = look.ASCII()
	}
	for _, w := range []struct {
		style lipgloss.Style
		words []string
	}{
		{t.proven, []string{"proven"}}, {t.likely, []string{"likely"}}, {t.possible, []string{"possible", "may", "risk", "check"}},
		{t.unknown, []string{"unknown", "restarts", "blocker"}}, {t.muted, []string{"stays", "note"}},
	} {
		for _, word := range w.words {
			l.Words[word] = w.style
		}
	}
	return l
}

// prediction returns the style and the glyph of a prediction.
func (t *theme) prediction(p report.Prediction) (lipgloss.Style, string) {
	switch p {
	case report.Restarts:
		return t.unknown, t.glyphs.proven
	case report.MayRestart:
		return t.possible, t.glyphs.likely
	case report.Stays:
		return t.muted, t.glyphs.possible
	}
	return t.muted, t.glyphs.unknown
}

// confidence returns the style and the glyph of a confidence.
func (t *theme) confidence(c report.Confidence) (lipgloss.Style, string) {
	switch c {
	case report.Proven:
		return t.proven, t.glyphs.proven
	case report.Likely:
		return t.likely, t.glyphs.likely
	case report.Possible:
		return t.possible, t.glyphs.possible
	}
	return t.unknown, t.glyphs.unknown
}

var unicodeGlyphs = glyphs{
	cursor: "❯", caret: "█", closed: "▸", rule: "─",
	proven: "●", likely: "◐", possible: "○", unknown: "?",
	prompt: "/", dash: "–",
	ellipsis: "…", separator: " · ", times: "×",
}

// asciiGlyphs serve terminals whose locale is not UTF-8.
var asciiGlyphs = glyphs{
	cursor: ">", caret: "_", closed: "+", rule: "-",
	proven: "#", likely: "*", possible: "o", unknown: "?",
	prompt: "/", dash: "-",
	ellipsis: "...", separator: " - ", times: "x",
}
