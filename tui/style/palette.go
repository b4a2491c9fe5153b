package style

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

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
