package markup_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/markup"
)

func TestWhatAnEditorOrADiffDid(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"curly quotation marks":      {"pod=\u201cshop/web-0\u201d", `pod="shop/web-0"`},
		"of a value among others":    {`{"a":"b","c":"` + "\u201cd\u201d" + `"}`, `{"a":"b","c":"` + "\u201cd\u201d" + `"}`},
		"Markdown's escapes":         {`\[pod\] shop\_web\-0 \*`, `[pod] shop_web\-0 *`},
		"a tree of processes":        {`1 ? S \_ /pause \[x\]`, `1 ? S \_ /pause \[x\]`},
		"a diff":                     {"+a\n+\n+  b\n", "a\n\n  b\n"},
		"a row of a table with plus": {"+---+\n| a |\n+---+\n", "+---+\n| a |\n+---+\n"},
		"one line":                   {"+a\n", "+a\n"},
		"blanks of a page":           {"a\u00a0 b\n", "a  b\n"},
		"quoted in a mail":           {"> a\n>\n>   b\n", "a\n\n  b\n"},
		"quoted twice":               {"> > a\n> > b\n", "a\nb\n"},
		"only some of it":            {"> a\nb\n", "> a\nb\n"},
		"indented":                   {"    a\n\n      b\n", "a\n\n  b\n"},
		"by tabs":                    {"\ta\n\t\tb\n", "a\n\tb\n"},
		"numbered":                   {"   9  a\n  10  \n  11    b\n", "a\n\n  b\n"},
		"numbers of its own":         {"3 a\n1 b\n2 c\n", "3 a\n1 b\n2 c\n"},
		"too few to be numbers":      {"1 a\n2 b\n", "1 a\n2 b\n"},
	} {
		if got := markup.Typed(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
