package markdown

import (
	"strings"
	"testing"
)

func TestProseIsNoMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"a plain sentence: 5 s (httpGet)": "a plain sentence: 5 s (httpGet)",
		"*bold* _it_ `code`":              "\\*bold\\* \\_it\\_ \\`code\\`",
		"[x](http://evil)":                `\[x\](http://evil)`,
		"<b>&amp;":                        "&lt;b&gt;&amp;amp;",
		"ask @everyone about #12":         "ask `@`everyone about `#`12",
		"a | b":                           `a \| b`,
		"two\nlines":                      "two lines",
		"- no list":                       `\- no list`,
		"1. no list":                      `1\. no list`,
		"12) no list":                     `12\) no list`,
		"137 is no list":                  "137 is no list",
		"+ x":                             `\+ x`,
		`back\slash`:                      `back\\slash`,
		"":                                "",
	} {
		if got := prose(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestCodeIsShownAsItIs(t *testing.T) {
	for in, want := range map[string]string{
		"kubectl get pod":  "`kubectl get pod`",
		"a `b` c":          "`` a `b` c ``",
		"``":               "``` `` ```",
		"two\nlines":       "`two lines`",
		"@everyone #1 <b>": "`@everyone #1 <b>`",
	} {
		if got := code(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestABarEndsNoCell(t *testing.T) {
	for in, want := range map[string]string{"a|b": `a\|b`, `a\|b`: `a\|b`, "|": `\|`, "": "", "ä|": `ä\|`} {
		if got := cell(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func FuzzProse(f *testing.F) {
	for _, a := range []string{`<script>alert(1)</script>`, "# head", "```",
		"|||", "a\nb\r\nc", "1. x", "---", "@org/team", "![x](y)", "</details>"} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, c := prose(text), code(text)
		if strings.ContainsAny(p+c, "\n\r") {
			t.Errorf("%q: %q and %q have lines", text, p, c)
		}
		if strings.ContainsAny(p, "<>") {
			t.Errorf("%q: %q has markup", text, p)
		}
	})
}
