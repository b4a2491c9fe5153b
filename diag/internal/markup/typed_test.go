package markup_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/markup"
)

func TestWhatAnEditorOrADiffDid(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"curly quotation marks":      {"pod=\u201cshop/web-0\u201d", `pod="shop/web-0"`},
		"of a value among others":    {`{"a":"b","c":"` + "\u201cd\u201d" + `"}`, `{"a":"b","c":"` + "\u201cd\u201d" + `"}`},
		"a diff":                     {"+a\n+\n+  b\n", "a\n\n  b\n"},
		"a row of a table with plus": {"+---+\n| a |\n+---+\n", "+---+\n| a |\n+---+\n"},
		"one line":                   {"+a\n", "+a\n"},
	} {
		if got := markup.Typed(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
