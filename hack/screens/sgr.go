package main

import (
	"fmt"
	"strconv"
	"strings"

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
func read(line string, pen style) ([]cell, style) {
	var out []cell
	var state byte
	for len(line) > 0 {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		state = next
		switch {
		case width > 0:
			out = append(out, cell{seq, width, pen})
		case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			pen = pen.sgr(seq[2 : len(seq)-1])
		}
		line = line[n:]
	}
	return out, pen
}

// sgr applies the parameters of a Select Graphic Rendition sequence (ECMA-48 8.3.117,
// with the colours of ITU-T T.416 as xterm writes them).
func (s style) sgr(params string) style {
	codes := strings.Split(strings.ReplaceAll(params, ":", ";"), ";")
	for i := 0; i < len(codes); i++ {
		n, _ := strconv.Atoi(codes[i])
		switch {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.faint = true
		case n == 4:
			s.under = true
		case n == 7:
			s.turns = true
		case n == 22:
			s.bold, s.faint = false, false
		case n == 24:
			s.under = false
		case n == 27:
			s.turns = false
		case n >= 30 && n <= 37:
			s.fg = indexed(n - 30)
		case n >= 90 && n <= 97:
			s.fg = indexed(n - 90 + 8)
		case n >= 40 && n <= 47:
			s.bg = indexed(n - 40)
		case n >= 100 && n <= 107:
			s.bg = indexed(n - 100 + 8)
		case n == 39:
			s.fg = ""
		case n == 49:
			s.bg = ""
		case n == 38 || n == 48:
			colour, used := extended(codes[i+1:])
			i += used
			if n == 38 {
				s.fg = colour
			} else {
				s.bg = colour
			}
		}
	}
	return s
}

// extended parses 5;N or 2;R;G;B and returns how many parameters that were.
func extended(codes []string) (colour string, used int) {
	number := func(i int) int {
		if i >= len(codes) {
			return 0
		}
		n, _ := strconv.Atoi(codes[i])
		return min(max(n, 0), 255)
	}
	if len(codes) == 0 {
		return "", 0
	}
	switch codes[0] {
	case "5":
		return indexed(number(1)), min(2, len(codes))
	case "2":
		return fmt.Sprintf("#%02x%02x%02x", number(1), number(2), number(3)), min(4, len(codes))
	}
	return "", 1
}

// basic are the sixteen colours of a calm dark terminal.
var basic = [16]string{
	"#1d2129", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#abb2bf",
	"#5c6370", "#e88388", "#a8d08d", "#ebcb8b", "#7fbdf5", "#d192e3", "#6cc5d0", "#ffffff",
}

// indexed returns a colour of the palette of 256: sixteen, a cube of 6³, 24 greys.
func indexed(n int) string {
	switch {
	case n < 16:
		return basic[n]
	case n < 232:
		n -= 16
		level := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}
