package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// This file finds values of elements and attributes, of which one may name the other, also over lines.

// blankLine separates a field of a form from its value.
var blankLine = regexp.MustCompile(`^(?:(?:\r|\\{1,8}r)?(?:\n|\\{1,8}n)){2}`)

// label is what names an attribute's value: <add key="Password" value="x"/>, Name:API_TOKEN Value:x, :value=>x of Ruby,
// and over lines.
var label = regexp.MustCompile(`(?i)^(?:[\s,;]|\\{1,4}[nrt]){1,40}(?:` +
	`(?:[:\\"']{0,8}\w{1,20}[\\"']{0,8}\s?[:=]>?\s?[\\"']{0,8}\w{1,32}[\\"']{0,8}(?:,|\s)\s?)?` +
	`[:\\"']{0,8}val(?:ue)?[\\"']{0,8}\s{0,8}[:=]>?|-v\s|--value\s)`)

func (p *pass) valueLabel(i int) (int, bool) {
	if c := lex.At(p.S, i); c == 0 || strings.IndexByte(" ,;\n\r\t\\", c) < 0 {
		return i, false
	}
	if m := blankLine.FindString(p.S[i:min(len(p.S), i+16)]); m != "" &&
		strings.Contains(p.S[max(0, i-lex.Longest):i], "name=") {
		return i + len(m), true
	}
	near := p.S[i:min(len(p.S), i+100)]
	if strings.IndexByte(near, 'v') < 0 && strings.IndexByte(near, 'V') < 0 {
		return i, false
	}
	m := label.FindStringIndex(near)
	if m == nil {
		return i, false
	}
	return i + m[1], true
}

// expect remembers that the value of a name may be on the next line: "- name: DB_PASSWORD".
func (p *pass) expect(n words.Name, shut int) {
	if end := p.Blanks(shut, true); end < len(p.S) && !(p.S[end] == ',' && end+1 == len(p.S)) {
		return
	}
	if begin := n.From - len(`name="`); begin > 0 && len(p.S)-begin < lex.Longest &&
		strings.Contains(p.S[:begin], "form-data;") {
		p.Open = "form-data; " + p.S[begin:] // behind an empty line
		return
	}
	before := strings.TrimRight(p.S[max(0, n.From-16):n.From], `\"' `)
	if before == "" || before[len(before)-1] != ':' && before[len(before)-1] != '=' {
		return
	}
	before = strings.TrimRight(before[:len(before)-1], `\"' `)
	if lex.EndsWith(before, "name", "key", "property") {
		p.Open = "name: credential" // a name after which sentences hold no secret
	}
}

// sibling is between elements of which one names the other's value: <key>password</key><string>x</string>.
var sibling = regexp.MustCompile(`^</[\w:.-]{1,32}>(?:(?:\s|\\{1,8}[nt]){0,40}<[\w:.-]{1,32}[^<>/]{0,32}>){1,2}`)

// element returns where the text begins of an element with that name, or with that attribute.
func (p *pass) element(n words.Name, shut int) (int, bool) {
	from := n.From
	for from > 0 && n.From-from < lex.Longest && (lex.Wordly[p.S[from-1]] || p.S[from-1] == ':') {
		from--
	}
	if lex.StartsWith(p.S[shut:], "&gt;") && lex.EndsWith(p.S[:from], "&lt;") {
		return shut + len("&gt;"), true
	} else if i := shut + p.Slashes(shut); i > shut && lex.StartsWith(p.S[i:], "u003e") &&
		lex.StartsWith(p.S[from:], "u003c") {
		return i + len("u003e"), true
	}
	if lex.At(p.S, shut) == '<' && lex.At(p.S, shut+1) == '/' {
		if m := sibling.FindString(p.S[shut:min(len(p.S), shut+160)]); m != "" {
			return shut + len(m), true
		}
		if m := closes.FindString(p.S[shut:min(len(p.S), shut+lex.Farthest)]); m != "" && shut+len(m) == len(p.S) {
			p.Open = "<name>password</name>" // its sibling is on the next line
		}
		return 0, false
	}
	if lex.At(p.S, from-1) != '<' && shut == n.To || p.S[n.From] == '.' { // at <.Values.password>: of Go's templates
		return 0, false
	}
	m := attributes.FindString(p.S[shut:min(len(p.S), shut+lex.Farthest)])
	switch i := shut + len(m); {
	case !strings.HasSuffix(m, ">"):
		if i == len(p.S) && lex.At(p.S, from-1) == '<' { // the rest is on the next line
			p.Open = "<password"
		}
		return 0, false
	case i == len(p.S):
		p.Open = "<password>"
		return 0, false
	case p.S[i] == ' ' && strings.IndexByte(p.S[i:min(len(p.S), i+lex.Near)], '<') < 0: // AUTH <password> called without
	case p.S[i] != '<' && p.S[i] != '>':
		return i, true
	case p.S[i] == '<':
		inner := inside.FindString(p.S[i:min(len(p.S), i+lex.Longest)])
		return i + len(inner), inner != ""
	}
	return 0, false
}

// inElement cuts out the text of an element that begins at i; if there is none, the search continues at next.
func (p *pass) inElement(i, next int) int {
	ends := "<"
	switch lex.Small[p.S[i-1]] { // its bracket is escaped
	case ';':
		ends = "&lt;"
	case 'e':
		ends = `\u003c`
	}
	to := i
	for to < len(p.S) && !lex.StartsWith(p.S[to:], ends) {
		to++
	}
	if text := strings.TrimSpace(p.S[i:to]); strings.HasPrefix(text, Mark) && strings.HasSuffix(text, Mark) {
		return next
	}
	return max(next, p.Cut(i, to))
}

// inside matches what may be between an element's beginning and its text.
var inside = regexp.MustCompile(`^<(?:!\[CDATA\[|(?i:value|string)>)`)

// attributes matches what is between an element's name and its text.
var attributes = regexp.MustCompile(`^(?:(?:\s|\\{1,8}[nt])+[\w:-]{1,32}=\\{0,8}["'][^"'<>]{0,160}["'])*` +
	`(?:\s|\\{1,8}[nt])*>?`)

// closes matches the end of an element at the end of a line.
var closes = regexp.MustCompile(`^</[\w:.-]{1,32}>\s*$`)
