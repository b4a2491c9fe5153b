package layout

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

func wrapped(t document.Text, width int) (out []string) {
	for _, l := range Wrap(t, width) {
		out = append(out, l.String())
	}
	return out
}

func TestTextsAreBrokenAtSpacesOnly(t *testing.T) {
	for name, tt := range map[string]struct {
		text  string
		width int
		want  []string
	}{
		"an empty text is one empty line":        {"", 10, []string{""}},
		"what fits stays":                        {"one two", 10, []string{"one two"}},
		"words move to the next line":            {"one two three", 10, []string{"one two", "three"}},
		"what just fits stays":                   {"ab cd", 5, []string{"ab cd"}},
		"the space between counts":               {"ab cd", 4, []string{"ab", "cd"}},
		"hyphens do not break":                   {"a --evidence pod", 10, []string{"a", "--evidence", "pod"}},
		"a long word is cut where the line ends": {"abcdefghijklmnop", 10, []string{"abcdefghij", "klmnop"}},
		"it begins behind a short one":           {"ab abcdefghijklmnop", 10, []string{"ab abcdefg", "hijklmnop"}},
		"but not behind a long one": {"abcdef abcdefghijklmnop",
			10, []string{"abcdef", "abcdefghij", "klmnop"}},
		"spaces within a line stay":               {"I1121  80 x", 10, []string{"I1121  80", "x"}},
		"spaces at a line break go":               {"abcdefgh    ij", 10, []string{"abcdefgh", "ij"}},
		"spaces in front stay":                    {"   indented text", 12, []string{"   indented", "text"}},
		"wide glyphs count twice":                 {"界界界界界界", 10, []string{"界界界界界", "界"}},
		"and are not halved":                      {"界界界", 5, []string{"界界", "界"}},
		"a word as long as the line":              {"abcdefghij klmnopqrst u", 10, []string{"abcdefghij", "klmnopqrst", "u"}},
		"no width is any width":                   {"one two three", 0, []string{"one two three"}},
		"a glyph that is wider than a line stays": {"a 界 b", 1, []string{"a", "界", "b"}},
	} {
		if d := cmp.Diff(tt.want, wrapped(document.Say(tt.text), tt.width)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// A word may have parts of several styles: it is not broken between them.
func TestStylesDoNotBreakAWord(t *testing.T) {
	text := document.Text{{Text: "see "}, {Style: document.Code, Text: "limits.memory"}, {Text: ", then more"}}
	want := []document.Text{
		{{Text: "see"}}, {{Style: document.Code, Text: "limits.memory"}, {Text: ","}}, {{Text: "then more"}},
	}
	if d := cmp.Diff(want, Wrap(text, 15)); d != "" {
		t.Error(d)
	}
}

func TestALongWordIsBrokenInTimeInProportionToItsLength(t *testing.T) {
	word := strings.Repeat("é", 1<<19)
	lines := wrapped(document.Say(word), 60)
	if n := (1<<19 + 59) / 60; len(lines) != n || strings.Join(lines, "") != word {
		t.Errorf("%d lines, want %d, or a part of the word is lost", len(lines), n)
	}
}

func TestCut(t *testing.T) {
	text := document.Text{{Text: "one "}, {Style: document.Strong, Text: "twenty"}, {Text: " three"}}
	for width, want := range map[int]string{99: "one twenty three", 16: "one twenty three",
		15: "one twenty thr…", 11: "one twenty…", 7: "one tw…", 4: "one…", 1: "…"} {
		if got := Cut(text, width, "…"); got.String() != want {
			t.Errorf("to %d: %q, want %q", width, got.String(), want)
		}
	}
	if got := Cut(document.Say("界界界"), 4, "…").String(); got != "界…" {
		t.Errorf("a wide glyph was halved: %q", got)
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range []string{"", "one two", "I1121 07:22:24.235722      80 x.go:1] \"y\" pod=\"a/b\"",
		"界界 界", "e\u0301 x", "👩‍👩‍👧‍👦 family", "1️⃣2️⃣3️⃣"} {
		for _, w := range []int{2, 10, 80} {
			f.Add(s, "two styles", w)
		}
	}
	f.Fuzz(func(t *testing.T, a, b string, width int) {
		s := a + b
		if width < 2 || width > 500 || len(s) > 4096 || !utf8.ValidString(s) ||
			strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
			return // safe text is valid and has no control characters
		}
		text := append(document.Say(a), document.In(document.Code, b)...)
		lines := wrapped(text, width)
		if got, want := strings.ReplaceAll(strings.Join(lines, ""), " ", ""), strings.ReplaceAll(s, " ", ""); got != want {
			t.Fatalf("something is lost: %q, want %q", got, want)
		}
		for _, line := range lines {
			// A glyph that combines parts of two styles may be wider than its parts.
			if w := ansi.StringWidth(line); w > width+1 || w > width && b == "" {
				t.Fatalf("%q is %d wide, want at most %d", line, w, width)
			}
		}
		if cut := Cut(text, width, "…").String(); b == "" && ansi.StringWidth(cut) > width {
			t.Fatalf("%q is wider than %d", cut, width)
		}
	})
}
