package markup_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/markup"
)

func TestStringsOfAValue(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"an issue":          {`{"title":"pod restarts","body":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\nc"}`, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\nc\n"},
		"an issue's talk":   {`[{"body":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\nc"},{"body":"d\ne\nf"}]`, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\nc\n\n------------------------------\nd\ne\nf\n"},
		"a tool's answer":   {`{"content":[{"type":"text","text":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\nc"}]}`, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\nc\n"},
		"a sentence":        {`{"id":1,"body":"it is killed again and again today"}`, "it is killed again and again today\n"},
		"a list of them":    {`[{"id":1,"body":"it is killed again and again today"}]`, ""},
		"a record":          {`{"message":"a\nb\nc"}`, ""},
		"an object":         {`{"apiVersion":"v1","data":"a\nb\nc"}`, ""},
		"little but fields": {`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":"a\nb\nc"}`, ""},
		"no value":          {`{"body":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\nc"`, ""},
		"a text":            {"a\nb\nc", ""},
		"nothing":           {"", ""},
	} {
		if got, ok := markup.Strings(c.text); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, c.want)
		}
	}
}
