package main

import (
	"fmt"
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// style is how a cell looks. An empty colour is the terminal's own.
type style struct {
	fg, bg                    string
	bold, faint, under, turns bool
}

// cell is one grapheme and its width in columns.
type cell struct {
	text  string
	width int
	style style
}

// read splits a line into cells; pen is the style at the end of the previous line.
func read(line string, pen uv.Style) ([]cell, uv.Style) {
	var out []cell
	var state byte
	p := ansi.NewParser()
	for len(line) > 0 {
		seq, width, n, next := ansi.DecodeSequence(line, state, p)
		state = next
		switch {
		case width > 0:
			out = append(out, cell{seq, width, style{fg: hex(pen.Fg), bg: hex(pen.Bg), bold: pen.Attrs&uv.AttrBold != 0,
				faint: pen.Attrs&uv.AttrFaint != 0, under: pen.Underline != 0, turns: pen.Attrs&uv.AttrReverse != 0}})
		case ansi.HasCsiPrefix(seq) && p.Command() == 'm':
			uv.ReadStyle(p.Params(), &pen)
		}
		line = line[n:]
	}
	return out, pen
}

// basic are the sixteen colours of a calm dark terminal.
var basic = [16]string{
	"#1d2129", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#abb2bf",
	"#5c6370", "#e88388", "#a8d08d", "#ebcb8b", "#7fbdf5", "#d192e3", "#6cc5d0", "#ffffff",
}

func hex(c color.Color) string {
	switch c := c.(type) {
	case nil:
		return ""
	case ansi.BasicColor:
		return basic[c]
	case ansi.IndexedColor:
		if int(c) < len(basic) {
			return basic[c]
		}
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
