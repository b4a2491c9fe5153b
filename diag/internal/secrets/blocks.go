package secrets

import (
	"regexp"
	"strings"
)

// This file finds what is a secret as a whole: keys, and commands and values as kubelets and runtimes print them.

// whole tells keys, of which what opens them goes, too.
func (b block) whole() bool { return b.again[0] == '-' || b.again[0] == 'P' }

func printedHints() (out []string) {
	for _, b := range blocks {
		out = append(out, lowerASCII(b.open))
	}
	return out
}

func printed(p *pass, at, end int) int {
	for _, b := range blocks {
		if !strings.HasPrefix(p.s[at:], b.open) {
			continue
		}
		from := end
		if i := strings.Index(p.s[end:min(len(p.s), end+near)], b.within); i < 0 {
			return end
		} else if from += i + len(b.within); b.whole() {
			from = at
		}
		i := strings.Index(p.s[end:], b.end)
		if i < 0 {
			p.open = b.again
			return p.cut(from, len(p.s))
		}
		to := end + i
		if b.whole() { // to the end of its last line
			to += len(b.end)
			for to < len(p.s) && (wordly[p.s[to]] && p.s[to] != '-' || p.s[to] == ' ') {
				to++
			}
			to += min(5, len(p.s[to:])-len(strings.TrimLeft(p.s[to:], "-")))
		}
		return max(end, p.cut(from, max(from, to)))
	}
	return end
}

// vector cuts out the words of a command that a kubelet or a runtime prints of what it ran in a container:
// cmd=["redis-cli","-a","x"], command [redis-cli -a x], execCommand=[x], "command":["x"].
func vector(p *pass, from, end int) int {
	if s := p.s[from:end]; s[0] == 'a' && from > 0 && letter(p.s[from-1]) || letter(at(p.s, end)) {
		return end
	}
	i := p.shutName(end)
	if next, _, ok := p.sign(i); ok {
		i = next
	}
	if i = p.blanks(i, false); i == end {
		return end
	}
	if strings.HasPrefix(p.s[i:], "[]string{") {
		i += len("[]string")
	}
	if c := at(p.s, i); c != '[' && (c != '{' || at(p.s, i-1) != 'g') || strings.HasPrefix(p.s[i:], Mark) ||
		at(p.s, i+1) == ']' {
		return end
	}
	return p.cut(i, p.vectorEnd(i))
}

// vectorEnd returns where the words of a command end. What goes not to its bracket ends with the quotes around it.
func (p *pass) vectorEnd(i int) int {
	if c := i + 1 + p.slashes(i+1); at(p.s, c) == '"' { // of JSON, whose words may hold brackets
		for j := i + 1; ; {
			end, opener, ok := p.quoted(j)
			if !ok || p.unended(j, end, opener) {
				break
			}
			for j = end; j < len(p.s) && strings.IndexByte(" ,\t\r\n", p.s[j]) >= 0; j++ {
			}
			if c := at(p.s, j); c == ']' || c == '}' {
				return j + 1
			}
		}
	}
	depth := 0
	for j := i; j < min(len(p.s), i+near); j++ {
		switch p.s[j] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth <= 0 {
				return j + 1
			}
		}
	}
	for j := i + 1; j < len(p.s); j++ {
		if p.s[j] == '"' && p.s[j-1] != '\\' && p.statementEnds(j+1) {
			return j
		}
	}
	p.open = "cmd=["
	return len(p.s)
}

// statementEnds tells whether a quoted value of klog ends before there: with the text, or with the next name.
func (p *pass) statementEnds(i int) bool {
	return i >= len(p.s) || p.s[i] == '\n' || p.s[i] == ' ' && i+1 < len(p.s) && letter(p.s[i+1]) && p.pairs(i+1)
}

// besideData is what ends the data of a Secret whose lines somebody joined: another of its fields, or the text.
var besideData = regexp.MustCompile(`["\n]|\\+n| (?:apiVersion|kind|metadata|type|immutable|data|stringData):|$`)

var kindSecret = regexp.MustCompile(`kind[\\"]{0,16}:[ \t]{0,8}[\\"]{0,16}Secret\b|` +
	`(?:stringData|secrets)[\\"]{1,16}:[ \t]{0,8}\{`) // no other object has these

// manifest cuts out the data of a Secret, in YAML or JSON. Where a text ends with its name, as a line of a log does, no
// kind is asked for: it may come later.
func manifest(p *pass, from, end int) int {
	for hint := end; from > 0 && hint-from < longest && strings.IndexByte(" \t-", p.s[from-1]) >= 0; {
		from--
	}
	c := at(p.s, from-1)
	joined := from > 0 && c != '\n' && c != '"' && (c != 'n' || at(p.s, from-2) != '\\')
	if joined && (strings.IndexByte(" -", p.s[from]) < 0 || p.s[end-1] != ':' || at(p.s, end) != ' ') {
		return end
	}
	if p.ofSecret == nil {
		found := kindSecret.MatchString(p.s)
		p.ofSecret = &found
	}
	if joined && *p.ofSecret {
		return p.cut(end, end+besideData.FindStringIndex(p.s[end:])[0])
	}
	yaml := p.s[end-1] == ':'
	i, _, _ := p.sign(p.shutName(end - 1))
	if i = p.blanks(i, true); joined || !*p.ofSecret && (!yaml || i < len(p.s)) {
		return end
	}
	if to, ok := p.block(end - 1); yaml && ok {
		return p.cut(end, to)
	}
	if at(p.s, i) != '{' {
		return end
	}
	to, ok := p.bracketed(i)
	if !ok {
		to = len(p.s)
	}
	return p.cut(i, to)
}
