package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/google/go-cmp/cmp"
)

func TestSGRIsRead(t *testing.T) {
	for text, want := range map[string]style{
		"\x1b[1mx":                  {bold: true},
		"\x1b[1;4;7mx":              {bold: true, under: true, turns: true},
		"\x1b[1m\x1b[22mx":          {},
		"\x1b[2;31mx":               {faint: true, fg: "#e06c75"},
		"\x1b[38;5;111;1mx":         {fg: "#87afff", bold: true},
		"\x1b[48;5;238mx":           {bg: "#444444"},
		"\x1b[38;2;1;2;3;48:5:15mx": {fg: "#010203", bg: "#ffffff"},
		"\x1b[97;100m\x1b[39;49mx":  {},
		"\x1b[31m\x1b[mx":           {},
		"\x1b[38mx":                 {},
		"\x1b[4m\x1b[24;27mx":       {},
		"\x1b[95;45mx":              {fg: basic[13], bg: basic[5]},
	} {
		line, _ := read(text, uv.Style{})
		if len(line) != 1 || line[0].text != "x" {
			t.Fatalf("%q: %+v", text, line)
		}
		if d := cmp.Diff(want, line[0].style, cmp.AllowUnexported(style{})); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}

func TestWideAndControlCharacters(t *testing.T) {
	line, _ := read("a\x1b]0;title\x07界\x1b[2Jb", uv.Style{})
	var texts []string
	columns := 0
	for _, c := range line {
		texts = append(texts, c.text)
		columns += c.width
	}
	if strings.Join(texts, "|") != "a|界|b" || columns != 4 {
		t.Errorf("%q over %d columns", texts, columns)
	}
}

// The picture is well-formed for any screen, and contains what it showed.
func TestThePictureIsWellFormed(t *testing.T) {
	var lines [][]cell
	var pen uv.Style
	for _, text := range []string{"\x1b[1;38;5;42m● proven\x1b[0m  <a> & \"b\"", "", "\x1b[7m❯ row\x1b[27m  "} {
		var line []cell
		line, pen = read(text, pen)
		lines = append(lines, line)
	}
	out := draw(`<demo> & "more"`, 3, lines)
	var said strings.Builder
	for d := xml.NewDecoder(strings.NewReader(out)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			said.Write(text)
		}
	}
	for _, want := range []string{`<demo> & "more"`, "●", "proven", "<a>", `"b"`, "❯", "row"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not in the picture:\n%s", want, out)
		}
	}
	if !strings.Contains(out, `viewBox="0 0 184 104"`) {
		t.Errorf("its size: %s", out[:120])
	}
	if !strings.Contains(out, `fill="#00d787"`) ||
		!strings.Contains(out, `<rect x="32" y="70" width="24" height="18" fill="#d5d9e0"/>`) {
		t.Errorf("colour or ground is missing:\n%s", out)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("\x1b[38;5;111;1mrestartwhy\x1b[0m")
	f.Add("\x1b[38;2;999;-1;m\x1b[48:2mx")
	f.Fuzz(func(t *testing.T, text string) {
		line, pen := read(text, uv.Style{})
		more, _ := read(text, pen)
		out := draw(text, 3, [][]cell{line, more})
		if !strings.HasSuffix(out, "</svg>\n") {
			t.Error(out)
		}
	})
}

// Several screens become one picture that shows each in turn; a single one is not animated.
func TestSeveralScreensMove(t *testing.T) {
	one, _ := read("first", uv.Style{})
	two, _ := read("second, which is wider", uv.Style{})
	if still := draw("t", 3, [][]cell{one}); strings.Contains(still, "animation") {
		t.Error("one screen moves")
	}
	out := draw("t", 2, [][]cell{one}, [][]cell{two})
	for _, want := range []string{"animation:f 4s", "50%{visibility:hidden}",
		"animation-delay:0s", "animation-delay:2s", "prefers-reduced-motion:reduce", "first", "wider"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	d := xml.NewDecoder(strings.NewReader(out))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
