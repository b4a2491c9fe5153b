package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// palette says which colours may be used.
type palette int

const (
	paletteDark palette = iota // light text on a dark ground
	paletteLight
	paletteNone // attributes only: bold, faint, reverse
)

func newLook(p palette, ascii bool) style.Theme {
	plain, bold, faint := lipgloss.NewStyle(), lipgloss.NewStyle().Bold(true), lipgloss.NewStyle().Faint(true)
	l := style.Theme{
		Title: bold, Strong: bold, Muted: faint, Good: bold, Warn: plain, Bad: faint, Lit: bold,
		Cursor: plain.Reverse(true), Typed: plain, Glyphs: style.Unicode(),
	}
	if ascii {
		l.Glyphs = style.ASCII()
	}
	likely := plain
	if p != paletteNone {
		pick := lipgloss.LightDark(p == paletteDark)
		// Each pair keeps a contrast of at least 4.5 to 1 on white and on black.
		paint := func(light, dark string) color.Color { return pick(lipgloss.Color(light), lipgloss.Color(dark)) }
		likely = plain.Foreground(paint("#1f4f99", "#8ab4f8"))
		l.Title = bold.Foreground(paint("#1f4f99", "#8ab4f8"))
		l.Muted = plain.Foreground(paint("#5f6470", "#9aa0ac"))
		l.Good = bold.Foreground(paint("#0f6b2f", "#7ddb95"))
		l.Warn = plain.Foreground(paint("#8a5a00", "#e8c06a"))
		l.Bad = plain.Foreground(paint("#a32020", "#f39a9a"))
		l.Lit = bold.Foreground(paint("#8a5a00", "#e8c06a"))
		l.Cursor = bold.Foreground(paint("#101418", "#ffffff")).Background(paint("#cfe0fb", "#2b4368"))
		l.Typed = plain.Foreground(paint("#0b6e6e", "#7fd7d7"))
	}
	l.Words = map[string]lipgloss.Style{
		"proven": l.Good, "likely": likely, "possible": l.Warn, "may": l.Warn, "risk": l.Warn, "check": l.Warn,
		"unknown": l.Bad, "restarts": l.Bad, "blocker": l.Bad, "stays": l.Muted, "note": l.Muted,
	}
	return l
}

func prediction(l *style.Theme, p report.Prediction) (lipgloss.Style, string) {
	switch p {
	case report.Restarts:
		return l.Bad, l.Glyphs.Proven
	case report.MayRestart:
		return l.Warn, l.Glyphs.Likely
	case report.Stays:
		return l.Muted, l.Glyphs.Possible
	}
	return l.Muted, l.Glyphs.Unknown
}

// confidence returns the style and the glyph of a confidence. Colour is never the only
// carrier of a meaning: each has a glyph and a word as well.
func confidence(l *style.Theme, c report.Confidence) (lipgloss.Style, string) {
	g := &l.Glyphs
	switch c {
	case report.Proven:
		return l.Good, g.Proven
	case report.Likely:
		return l.Words["likely"], g.Likely
	case report.Possible:
		return l.Warn, g.Possible
	}
	return l.Bad, g.Unknown
}
