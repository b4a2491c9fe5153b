package lex

import "testing"

func TestValue(t *testing.T) {
	for name, c := range map[string]struct {
		text string // behind the sign
		want string
		open string
	}{
		"a word":            {text: "x1 next", want: "x1"},
		"in quotes":         {text: `"x 1" next`, want: `"x 1"`},
		"escaped quotes":    {text: `\"x 1\" next`, want: `\"x 1\"`},
		"a list":            {text: "[a, b] next", want: "[a, b]"},
		"a block":           {text: "|\n  a\n  b\nnext: c", want: "|\n  a\n  b"},
		"glued words":       {text: `"a"'b'c next`, want: `"a"'b'c`},
		"a sign within":     {text: "a,b next", want: "a,b"},
		"a pair behind":     {text: "a,b=c", want: "a"},
		"an object":         {text: `{"a": 1}`},
		"the next line":     {text: "\n  a", want: "a"},
		"the next name":     {text: "\nuser: a"},
		"nothing":           {text: " ", open: OpensAgain},
		"no end":            {text: `"a`, want: `"a`, open: `password="`},
		"a type before":     {text: `(string) (len=1) "a"`, want: `(string) (len=1) "a"`},
		"what a shell runs": {text: "$(echo a b) c", want: "$(echo a b)"},
	} {
		t.Run(name, func(t *testing.T) {
			text := Text{S: c.text}
			from, to, ok := text.Value(0, true)
			if got := text.S[from:to]; ok != (c.want != "") || ok && got != c.want || text.Open != c.open {
				t.Errorf("%q: %q, %v, opens %q", c.text, got, ok, text.Open)
			}
		})
	}
}

func TestSign(t *testing.T) {
	for text, want := range map[string]string{
		"=a": "a", " : a": " a", " => a": " a", `\u003da`: "a", `\: a`: " a", ";s:1:a": "a", "%3Da": "a", "：a": "a",
	} {
		text := Text{S: text}
		if next, _, ok := text.Sign(0); !ok || text.S[next:] != want {
			t.Errorf("%q: %q, %v", text.S, text.S[next:], ok)
		}
	}
}
