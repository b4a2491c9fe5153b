package secrets

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// ofImages are schemes before the names of images and containers: what follows a colon is a tag, or a sentence.
var ofImages = []string{"docker", "docker-pullable", "containerd", "cri-o", "oci", "rkt", "podman"}

// url cuts the user out of a URL. A password may hold slashes and at signs: the last at sign of the word counts.
func url(p *pass, from, end int) int {
	if end > p.url.end {
		p.url.at, p.url.end = -1, end
		for p.url.end < len(p.S) && p.inURL(p.url.end) {
			if p.S[p.url.end] == '@' {
				p.url.at = p.url.end
			}
			p.url.end++
		}
	}
	begin := from
	for begin > 0 && from-begin < 32 && (lex.Wordly[p.S[begin-1]] || p.S[begin-1] == '+' || p.S[begin-1] == '.') {
		begin--
	}
	kind := lex.Lower(p.S[begin:from])
	switch {
	case kind == "":
		return end
	case p.url.at < end:
		p.unfinished(kind, end)
		return end
	}
	user, behind := p.S[end:p.url.at], p.S[p.url.at+1:]
	if strings.HasPrefix(behind, "sha256:") || strings.HasPrefix(behind, "sha512:") ||
		kind != "http" && kind != "https" && !strings.Contains(user[:min(len(user), lex.Near)], ":") &&
			(slices.Contains(ofImages, kind) || !looks(user[:min(len(user), lex.Near)])) { // nats://token@host
		return end
	}
	return p.cut(end, p.url.at)
}

// users cuts out passwords before the names of hosts without a URL: app:x@db. A tag before an image's digest is none.
func (p *pass) users() {
	for i := 0; ; i++ {
		next := strings.IndexByte(p.S[i:], '@')
		if next < 0 {
			return
		}
		i += next
		from := i
		for from > 0 && i-from < lex.Longest && p.GoesOn(from-1) {
			from--
		}
		password := p.S[from:i]
		if lex.At(p.S, from-1) != ':' || from < 2 || !lex.Wordly[p.S[from-2]] || i+1 >= len(p.S) || !lex.Wordly[p.S[i+1]] ||
			!looks(password) || look.DNSName(password) || lex.StartsWith(p.S[i+1:], "sha") {
			continue
		}
		p.cut(from, i)
	}
}

// inURL tells whether a URL goes on; a quote within it is a password's.
func (p *pass) inURL(i int) bool {
	switch c := p.S[i]; c {
	case ' ', '\t', '\n', '\r', '"', '<', '>', '\\':
		return false
	case '\'':
		return p.GoesOn(i + 1)
	}
	return true
}

// unfinished cuts out the password of a URL that was cut off before its at sign, at the end of the text: behind a host
// there would be a port, or a placeholder for one.
func (p *pass) unfinished(kind string, from int) {
	if p.url.end < len(p.S) || len(p.S)-from > lex.Near {
		return
	}
	const never = " \t\n\"'<>[]{}$/@\\"
	user, password, ok := strings.Cut(p.S[from:], ":")
	if !ok || strings.ContainsAny(user, never) || strings.ContainsAny(password, never) {
		return
	}
	whole := strings.TrimRight(password, ".…")
	if len(whole) >= shortest && strings.Trim(whole, "0123456789") != "" && !slices.Contains(ofImages, kind) {
		begin := len(p.S) - len(password)
		p.cut(begin, begin+len(whole))
	}
}

func query(p *pass, from, end int) int {
	c := lex.At(p.S, from-1)
	first := c == '?' || c == '&' || from > 5 && lex.StartsWith(p.S[from-5:], "u0026") && p.S[from-6] == '\\'
	if p.S[end-1] != '=' {
		name := end
		for name < len(p.S) && name-end < lex.Longest && lex.Wordly[p.S[name]] {
			name++
		}
		word := lex.Lower(p.S[end:name])
		if lex.At(p.S, name) != '=' || word != "signature" && word != "credential" && word != "security-token" {
			return end
		}
		end = name + 1
	}
	long := lex.StartsWith(p.S[from:], "signature=") && !lex.Letter(c)
	if !first && !long {
		return from + 1
	}
	to := end
	for to < len(p.S) && strings.IndexByte("& \t\r\n\"'\\", p.S[to]) < 0 {
		to++
	}
	long = long && to-end >= 16
	status := lex.Small[p.S[from]] == 'c' && strings.Trim(p.S[end:to], "0123456789") == ""
	if !first && !long || status || lex.Small[p.S[from]] == 'k' && english.MatchString(p.S[end:to]) {
		return from + 1
	}
	return p.cut(end, to)
}

var (
	bot        = regexp.MustCompile(`^\d{3,}:[\w-]{6,}`)
	apiVersion = regexp.MustCompile(`^v\d+(?:alpha\d+|beta\d+)?$`)
)

// address cuts out what follows such a word in a URL's path, from the first part on that looks made: /mutate does not.
func address(p *pass, from, end int) int {
	if p.S[end-1] == 't' { // Telegram's
		if m := bot.FindStringIndex(p.S[end:min(len(p.S), end+300)]); m != nil {
			return p.cut(end, end+m[1])
		}
		return end
	}
	const never = " \t\r\n\"'<>\\"
	begin := strings.LastIndexAny(p.S[max(0, from-lex.Farthest):from], never) + 1 + max(0, from-lex.Farthest)
	rest, _, _ := strings.Cut(p.S[end-1:min(len(p.S), end+lex.Farthest)], "?")
	if i := strings.IndexAny(rest, never); i >= 0 {
		rest = rest[:i]
	}
	host, path, _ := strings.Cut(rest, "/")
	if !strings.Contains(p.S[begin:from], "://") {
		return end
	}
	i := end + len(host)
	for part := range strings.SplitSeq(path, "/") {
		of, _ := look.Mixture(part)
		named := look.DNSName(part) || apiVersion.MatchString(part)
		if of[look.Digit] > 0 && (of[look.Upper] > 0 || len(part) > 6) && !named {
			return p.cut(i, end-1+len(rest))
		}
		i += len(part) + 1
	}
	return end
}

// oracle cuts out jdbc:oracle:thin:user/password@host.
func oracle(p *pass, _, end int) int {
	word := p.S[end:min(len(p.S), end+lex.Farthest)]
	if i := strings.IndexAny(word, " \t\n\"'"); i >= 0 {
		word = word[:i]
	}
	slash, host := strings.IndexByte(word, '/'), strings.LastIndexByte(word, '@')
	if slash < 0 || slash > host || strings.IndexByte(word[:slash], ':') < 0 {
		return end
	}
	return p.cut(end+slash+1, end+host)
}

// dataSource cuts out the password of a data source name of Go's MySQL driver, user:password@tcp(host)/db.
func dataSource(p *pass, at, end int) int {
	rest := strings.TrimLeft(p.S[end:min(len(p.S), end+2)], "46")
	if !strings.HasPrefix(rest, "(") {
		return end
	}
	from := at
	for from > 0 && at-from < lex.Farthest && strings.IndexByte(" \t\r\n\"'", p.S[from-1]) < 0 {
		from--
	}
	colon := strings.IndexByte(p.S[from:at], ':')
	if colon < 1 {
		return end
	}
	return max(end, p.cut(from+colon+1, at))
}

// easyConnect cuts out the password of Oracle's user/password@host:1521/service and user/password@//host.
func easyConnect(p *pass, at, end int) int {
	from := at
	for from > 0 && at-from < lex.Farthest && strings.IndexByte(" \t\r\n\"'=", p.S[from-1]) < 0 {
		from--
	}
	word := p.S[from:end]
	slash, host := strings.IndexByte(word, '/'), strings.LastIndexByte(word, '@')
	if slash < 1 || slash+1 >= host || word[slash-1] == ':' {
		return end
	}
	return max(end, p.cut(from+slash+1, from+host))
}

// passFilePorts are in lines of PostgreSQL's password file, host:port:database:user:password; any port may be "*".
var passFilePorts = []string{":5432:", ":5433:", ":6432:", ":*:*:"}

var passLine = regexp.MustCompile(`^[^\s:]{1,64}:[^\s:]{1,64}:`)

func passFile(p *pass, at, end int) int {
	if p.S[end-2] == '*' {
		end -= len("*:")
	}
	m := passLine.FindStringIndex(p.S[end:min(len(p.S), end+lex.Farthest)])
	if m == nil {
		return at + 1
	}
	return max(end, p.cut(end+m[1], p.Bare(end+m[1])))
}
