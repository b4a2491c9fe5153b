package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// This file finds whole secrets: keys, and commands and values as kubelets and runtimes print them.

// block is a secret from what opens it to what ends it, maybe over lines; again reopens it on the next line.
type block struct{ open, within, end, again string }

// blocks are private keys, and values of variables, commands and arguments that kubelets up to 1.30 print, because they
// print the whole container if its start fails (kuberuntime_manager.go).
var blocks = []block{
	{"-----BEGIN", "-----", "-----END", "-----BEGIN KEY-----"},
	{"---- BEGIN ", "----", "---- END ", "---- BEGIN KEY ----"},
	{"PuTTY-User-Key-File-", ":", "Private-MAC: ", "PuTTY-User-Key-File-2:"},
	{"<RSAKeyValue>", "", "</RSAKeyValue>", "<RSAKeyValue>"},
	{"Container{Name:", "Command:", ",WorkingDir:", "Container{Name:a,Image:a,Command:"},
	{"EnvVar{Name:", ",Value:", ",ValueFrom:", "EnvVar{Name:a,Value:"},
	{"ExecAction{Command:", "", ",}", "ExecAction{Command:"},
	{"HTTPHeader{Name:", ",Value:", ",}", "HTTPHeader{Name:a,Value:"},
}

// whole reports whether the block is a key, which is cut out together with its header.
func (b block) whole() bool { return b.again[0] == '-' || b.again[0] == 'P' }

// ansible matches what Ansible encrypted: its lines of digits.
var ansible = regexp.MustCompile(`^[^\s"'\\]*(?:(?:\s|\\{1,8}[nrt])+[0-9a-f]{2,128}\b)*`)

// vaulted cuts out such a text with its header.
func vaulted(p *pass, from, end int) int {
	to := end + len(ansible.FindString(p.S[end:]))
	if p.Blanks(to, true) == len(p.S) {
		p.Open = "$ANSIBLE_VAULT;"
	}
	return p.Cut(from, to)
}

func printedHints() (out []string) {
	for _, b := range blocks {
		out = append(out, lex.Lower(b.open))
	}
	return out
}

func printed(p *pass, at, end int) int {
	for _, b := range blocks {
		if !strings.HasPrefix(p.S[at:], b.open) {
			continue
		}
		from := end
		if i := strings.Index(p.S[end:min(len(p.S), end+lex.Near)], b.within); i < 0 {
			return end
		} else if from += i + len(b.within); b.whole() {
			from = at
		}
		i := strings.Index(p.S[end:], b.end)
		if i < 0 {
			p.Open = b.again
			return p.Cut(from, len(p.S))
		}
		to := end + i
		if b.whole() { // to the end of its last line
			to += len(b.end)
			for to < len(p.S) && (lex.Wordly[p.S[to]] && p.S[to] != '-' || p.S[to] == ' ') {
				to++
			}
			to += min(5, len(p.S[to:])-len(strings.TrimLeft(p.S[to:], "-")))
		}
		return max(end, p.Cut(from, max(from, to)))
	}
	return end
}

// vector cuts out the words of a command that a kubelet or a runtime ran in a container: cmd=["redis-cli","-a","x"],
// command [redis-cli -a x], execCommand=[x], "command":["x"].
func vector(p *pass, from, end int) int {
	if s := p.S[from:end]; s[0] == 'a' && from > 0 && lex.Letter(p.S[from-1]) || lex.Letter(lex.At(p.S, end)) {
		return end
	}
	i := p.ShutName(end)
	if next, _, ok := p.Sign(i); ok {
		i = next
	}
	if i = p.Blanks(i, false); i == end {
		return end
	}
	if lex.At(p.S, i) == '\'' { // command 'sh -c x' exited with 1: (kubelet v1.31 remote_runtime.go ExecSync)
		if to := strings.Index(p.S[i:min(len(p.S), i+lex.Near)], "' exited with "); to > 0 {
			return p.Cut(i+1, i+to)
		}
		return end
	}
	if strings.HasPrefix(p.S[i:], "[]string{") {
		i += len("[]string")
	}
	if c := lex.At(p.S, i); c != '[' && (c != '{' || lex.At(p.S, i-1) != 'g') || strings.HasPrefix(p.S[i:], Mark) ||
		lex.At(p.S, i+1) == ']' {
		return end
	}
	return p.Cut(i, p.vectorEnd(i))
}

// hook cuts out the command of a hook as the kubelet prints it into an event (kubelet v1.33 lifecycle/handlers.go Run):
// Exec lifecycle hook ([sh -c x]) for Container "a" in Pod "b" failed.
func hook(p *pass, _, end int) int {
	if lex.At(p.S, end) != '[' {
		return end
	}
	return p.Cut(end, p.vectorEnd(end))
}

// vectorEnd returns where the words of a command end. If the bracket is missing, they end with the quotes around it.
func (p *pass) vectorEnd(i int) int {
	if c := i + 1 + p.Slashes(i+1); lex.At(p.S, c) == '"' { // JSON, whose words may contain brackets
		for j := i + 1; ; {
			end, opener, ok := p.Quoted(j)
			if !ok || p.Unended(j, end, opener) {
				break
			}
			for j = end; j < len(p.S) && strings.IndexByte(" ,\t\r\n", p.S[j]) >= 0; j++ {
			}
			if c := lex.At(p.S, j); c == ']' || c == '}' {
				return j + 1
			}
		}
	}
	depth := 0
	for j := i; j < min(len(p.S), i+lex.Near); j++ {
		switch p.S[j] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth <= 0 {
				return j + 1
			}
		}
	}
	for j := i + 1; j < len(p.S); j++ {
		if p.S[j] == '"' && p.S[j-1] != '\\' && p.statementEnds(j+1) {
			return j
		}
	}
	p.Open = "cmd=["
	return len(p.S)
}

// statementEnds reports whether a quoted value of klog ends before i: the text ends, or the next name begins.
func (p *pass) statementEnds(i int) bool {
	return i >= len(p.S) || p.S[i] == '\n' || p.S[i] == ' ' && i+1 < len(p.S) && lex.Letter(p.S[i+1]) && p.Pairs(i+1)
}

// besideData matches what ends the data of a Secret whose lines were joined: another of its fields, or the end.
var besideData = regexp.MustCompile(`["\n]|\\+n| (?:apiVersion|kind|metadata|type|immutable|data|stringData):|$`)

var kindSecret = regexp.MustCompile(`kind[\\"]{0,16}:[ \t]{0,8}[\\"]{0,16}Secret\b|` +
	`stringData[\\"]{0,16}:[ \t]{0,8}\{`) // only Secrets have it

// manifest cuts out the data of a Secret, in YAML or JSON. If a text ends after the field's name, as a log line may, it
// requires no kind, which may come later.
func manifest(p *pass, from, end int) int {
	for hint := end; from > 0 && hint-from < lex.Longest && strings.IndexByte(" \t-", p.S[from-1]) >= 0; {
		from--
	}
	c := lex.At(p.S, from-1)
	joined := from > 0 && c != '\n' && c != '"' && (c != 'n' || lex.At(p.S, from-2) != '\\')
	if joined && (strings.IndexByte(" -", p.S[from]) < 0 || p.S[end-1] != ':' || lex.At(p.S, end) != ' ') {
		return end
	}
	if p.ofSecret == nil {
		found := kindSecret.MatchString(p.S)
		p.ofSecret = &found
	}
	if joined && *p.ofSecret {
		return p.Cut(end, end+besideData.FindStringIndex(p.S[end:])[0])
	}
	yaml := p.S[end-1] == ':'
	i, _, _ := p.Sign(p.ShutName(end - 1))
	if i = p.Blanks(i, true); joined || !*p.ofSecret && (!yaml || i < len(p.S)) {
		return end
	}
	if to, ok := p.Block(end - 1); yaml && ok {
		return p.Cut(end, to)
	}
	if lex.At(p.S, i) != '{' {
		return end
	}
	to, ok := p.Bracketed(i)
	if !ok {
		to = len(p.S)
	}
	return p.Cut(i, to)
}

// keyEnds cuts out the last lines of a key whose beginning is missing.
func keyEnds(p *pass, from, end int) int {
	if !strings.Contains(p.S[end:min(len(p.S), end+lex.Longest)], "PRIVATE KEY") {
		return end
	}
	begin := from
	for begin > 0 && from-begin < lex.Near && (look.Kinds[p.S[begin-1]] != 0 && p.S[begin-1] != '-' ||
		strings.IndexByte("=\r\n\\", p.S[begin-1]) >= 0) {
		begin--
	}
	return max(end, p.Cut(begin, from))
}

// dump matches the first bytes of a text as programs print them in digits, behind their offset; dumpLine the first of
// the next line; dumpEnd the rest of the last one.
var (
	dump     = regexp.MustCompile(`^0{7,8}:? {1,2}(?:[0-9a-f]{2}(?:[0-9a-f]{2})? {1,2}){3}`)
	dumpLine = regexp.MustCompile(`(?:\n|\\{1,8}n)(?:\s|\\{1,8}t)*[0-9a-f]{7,8}:? {1,2}[0-9a-f]{2}`)
	dumpEnd  = regexp.MustCompile(`^[0-9a-f ]{0,64}(?:\|[^\n]{0,32}?\||[^\n"\\]{0,80})`)
)

// dumped cuts out such bytes: kubelets and clients print requests so, with Secrets in them.
func dumped(p *pass, from, _ int) int {
	if lex.Wordly[lex.At(p.S, from-1)] && !p.begins(from) {
		return from + 1
	}
	m := dump.FindString(p.S[from:min(len(p.S), from+lex.Longest)])
	if m == "" {
		return from + 1
	}
	to := from + len(m)
	for {
		m := dumpLine.FindStringIndex(p.S[to:min(len(p.S), to+2*lex.Longest)])
		if m == nil {
			break
		}
		to += m[1]
	}
	if to += len(dumpEnd.FindString(p.S[to:min(len(p.S), to+2*lex.Longest)])); to == len(p.S) {
		p.Open = "00000000  00 00 00 "
	}
	return p.Cut(from, to)
}
