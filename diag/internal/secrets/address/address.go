package address

import (
	neturl "net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// ofImages are schemes before the names of images and containers: a colon is followed by a tag, or a sentence.
var ofImages = []string{"docker", "docker-pullable", "containerd", "cri-o", "oci", "rkt", "podman"}

// url cuts the user out of a URL. A password may contain slashes and at signs: the last at sign of the word counts.
func (p *Addresses) url(from, end int) int {
	if end > p.end {
		p.at, p.end = -1, end
		for p.end < len(p.S) && p.inURL(p.end) {
			if p.S[p.end] == '@' {
				p.at = p.end
			}
			p.end++
		}
	}
	begin := from
	for begin > 0 && from-begin < 32 && (lex.Wordly[p.S[begin-1]] || p.S[begin-1] == '+' || p.S[begin-1] == '.') {
		begin--
	}
	kind := lex.Lower(p.S[begin:from])
	if strings.HasPrefix(kind, "http") || kind == "ws" || kind == "wss" {
		p.path(begin, end, p.end)
	}
	switch {
	case kind == "":
		return end
	case p.at < end:
		if to := p.spaced(begin, end); to > end {
			return p.Cut(end, to)
		}
		p.unfinished(kind, end)
		return end
	}
	user, behind := p.S[end:p.at], p.S[p.at+1:]
	if host, path, ok := strings.Cut(user, "/"); ok && strings.Contains(host, ".") && !strings.Contains(user, ":") &&
		(path == "" || published.MatchString(behind)) { // host/@author, host/package@version
		return end
	}
	if look.Digest(behind) ||
		kind != "http" && kind != "https" && !strings.Contains(user[:min(len(user), lex.Near)], ":") &&
			(slices.Contains(ofImages, kind) || !words.Looks(user[:min(len(user), lex.Near)])) { // nats://token@host
		return end
	}
	return p.Cut(end, p.at)
}

// published matches the version of a package.
var published = regexp.MustCompile(`^(?:v?\d|(?:latest|main|master)\b)`)

// spaced returns where the user of a URL in quotes ends if its password contains a blank: parse "redis://:a b@c".
func (p *Addresses) spaced(begin, end int) int {
	quote := p.Quote(begin - 1)
	_, password, _ := strings.Cut(p.S[end:p.end], ":")
	if quote == 0 || lex.At(p.S, p.end) != ' ' || strings.Trim(password, "0123456789/") == "" {
		return end
	}
	rest := p.S[end:min(len(p.S), end+lex.Farthest)]
	if shut := strings.IndexByte(rest, quote); shut >= 0 {
		rest = rest[:shut]
	}
	return end + max(0, strings.LastIndexByte(rest, '@'))
}

// connects matches the name of a user before the password in an address that has no host before.
var connects = regexp.MustCompile(`(?:^|[\s"'(=])\w[\w.-]{0,40}/$`)

// users cuts out passwords before the names of hosts without a URL: app:x@db. A tag before an image's digest is none.
func (p *Addresses) users() {
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
		if lex.At(p.S, from-1) == '/' && lex.Wordly[lex.At(p.S, i+1)] && (look.Made(password) || words.Invented(password)) &&
			!look.Digest(p.S[i+1:]) && connects.MatchString(p.S[max(0, from-lex.Longest):from]) { // bob/x@db of Oracle
			p.Cut(from, i)
		}
		if lex.At(p.S, from-1) != ':' || from < 2 || !lex.Wordly[p.S[from-2]] ||
			!lex.Wordly[lex.At(p.S, i+1)] && strings.IndexByte("(/", lex.At(p.S, i+1)) < 0 &&
				!words.Invented(password) || // its host was cut off
			!words.Looks(password) || look.DNSName(password) || look.Digest(p.S[i+1:]) {
			continue
		}
		p.Cut(from, i)
	}
}

// inURL reports whether a URL continues; a quote within it belongs to a password.
func (p *Addresses) inURL(i int) bool {
	switch c := p.S[i]; c {
	case ' ', '\t', '\n', '\r', '"', '<', '>', '\\':
		return false
	case '\'':
		return p.GoesOn(i + 1)
	}
	return true
}

// unfinished cuts out the password of a URL that was cut off before its at sign, at the end of the text. After a host
// there would be a port, or a placeholder for one.
func (p *Addresses) unfinished(kind string, from int) {
	if p.end < len(p.S) || len(p.S)-from > lex.Near {
		return
	}
	const never = " \t\n\"'<>[]{}$/@\\"
	user, password, ok := strings.Cut(p.S[from:], ":")
	if !ok || strings.ContainsAny(user, never) || strings.ContainsAny(password, never) {
		return
	}
	whole := strings.TrimRight(password, ".…")
	if len(whole) >= words.Shortest && strings.Trim(whole, "0123456789") != "" && !slices.Contains(ofImages, kind) {
		begin := len(p.S) - len(password)
		p.Cut(begin, begin+len(whole))
	}
}

// queries cuts out of URLs' queries and of forms, ?name=value&name=value, what looks generated, and everything after a
// name that signs the URL.
func (p *Addresses) queries() {
	for _, sign := range []string{"?", "&", `\u0026`} {
		for i := 0; ; {
			next := strings.Index(p.S[i:], sign)
			if next < 0 {
				break
			}
			i += next + len(sign)
			if strings.HasPrefix(p.S[i:], "amp;") {
				i += len("amp;")
			}
			i = p.parameter(i)
		}
	}
}

// parameter handles the query parameter that begins at from. It returns where the next one may begin.
func (p *Addresses) parameter(from int) int {
	eq := from
	for eq < len(p.S) && eq-from < lex.Longest && (lex.Wordly[p.S[eq]] || p.S[eq] == '.') {
		eq++
	}
	if lex.At(p.S, eq) != '=' {
		return eq
	}
	const never = "& \t\r\n\"'\\#"
	to := eq + 1
	for to < len(p.S) && p.S[to] != '?' && strings.IndexByte(never, p.S[to]) < 0 {
		to++
	}
	name, value := lex.Lower(p.S[from:eq]), p.S[eq+1:to]
	number := strings.Trim(value, "0123456789") == ""
	if plain, err := neturl.QueryUnescape(value); err == nil {
		value = plain // %3A is no mixture of letters and digits
	}
	switch {
	case signs(name) && !(name == "code" && number) && !(name == "key" && words.English(value)),
		!unsigned.MatchString(name) && (look.Made(value) || queried.Made(value)),
		name == "p" && !number && p.byUser(from, to): // of InfluxDB
		for to < len(p.S) && strings.IndexByte(never, p.S[to]) < 0 {
			to++
		}
		return p.Cut(eq+1, to)
	}
	return eq
}

// signers are names in a URL whose values sign it, which is as good as a password.
var signers = lex.WordSet("sig signature q-signature awsaccesskeyid googleaccessid code auth key jwt ticket")

// signs reports whether the value of a name signs a URL, which is as good as a password.
func signs(name string) bool {
	for _, cloud := range []string{"x-amz-", "x-goog-", "x-oss-"} {
		if word, ok := strings.CutPrefix(name, cloud); ok {
			return word == "signature" || word == "credential" || word == "security-token"
		}
	}
	return signers[name]
}

// queried describes values that sign or open something, and unsigned the names of others.
var (
	queried  = words.Ambiguous{Length: 8, Turns: 3}
	unsigned = regexp.MustCompile(`(?:id|name|selector|version|continue|digest|container|image|pod|node|tag)$`)
)

// byUser reports whether the same query has the name of a user.
func (p *Addresses) byUser(begin, to int) bool {
	around := p.S[max(0, begin-lex.Farthest/2):min(len(p.S), to+lex.Farthest/2)]
	return strings.Contains(around, "u=") || strings.Contains(around, "user=")
}

var (
	bot        = regexp.MustCompile(`^\d{3,}:[\w-]{6,}`)
	apiVersion = regexp.MustCompile(`^v\d+(?:alpha\d+|beta\d+)?$`)
	// opens matches a part of an address that is followed by a secret: whoever knows the address of a hook may write
	// there.
	opens = regexp.MustCompile(`(?i)hook|(?:^|[^a-z])(?:intake|ping|inputs?|heartbeats?|integrations?|receiver|triggers?|` +
		`alerts?|collect(?:or)?|check|cron|activate|invites?|notify|ingest|token|key|push|feed)(?:[^a-z]|$)`)
	// drawnID matches an id that no image and no container has, alone or after a word.
	drawnID = regexp.MustCompile(`^(?:\w+-)?(?:[0-9a-f]{32,63}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[\w@-]*|[a-z0-9]{20,63})$`)
)

// public reports whether a host is outside of a cluster.
func public(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	top := host[strings.LastIndexByte(host, '.')+1:]
	return len(top) < len(host) && len(top) > 1 && strings.Trim(top, "abcdefghijklmnopqrstuvwxyz") == "" &&
		!slices.Contains([]string{"svc", "local", "internal", "cluster", "lan", "localdomain"}, top)
}

// hooked matches the name of a hook's address: webhook_url=.
var hooked = regexp.MustCompile(`(?i)hook[\w-]{0,16}["'\\]{0,8}\s?[:=]\s?["'\\]{0,8}$`)

// path cuts out of a URL's path the secret that opens the address, to its end: what looks generated after a word that
// says so. For a public host it also cuts an id, unless the path names what it belongs to, as in /commit/x and
// /volumes/x.
func (p *Addresses) path(begin, from, end int) {
	rest, _, _ := strings.Cut(p.S[from:min(end, from+lex.Near/4)], "?")
	rest, _, _ = strings.Cut(rest, "://") // another one
	host, path, _ := strings.Cut(rest, "/")
	if !strings.ContainsAny(path, "0123456789") {
		return
	}
	i, before := from+len(host), ""
	for part := range strings.SplitSeq(path, "/") {
		i++
		of, turns := look.Mixture(part)
		named := of[look.Digit] == 0 || look.DNSName(part) || len(part) < 12 && apiVersion.MatchString(part)
		switch {
		case strings.Contains(part, "sha256"), strings.Trim(part, "0123456789") == "":
		case !named && turns > 0 && (of[look.Upper] > 0 || len(part) > 6) &&
			(opens.MatchString(p.S[from:i]) || hooked.MatchString(p.S[max(0, begin-32):begin])),
			turns >= 4 && len(part) >= 16 && !strings.HasSuffix(before, "s") && before != "commit" && public(host) &&
				(drawnID.MatchString(part) || of[look.Upper] > 0 && look.Made(part)):
			p.Cut(i, from+len(rest))
			return
		case !named && len(part) > 9 && bot.MatchString(strings.TrimPrefix(part, "bot")):
			p.Cut(i, i+len(part))
			return
		default:
			before = part
		}
		i += len(part)
	}
}

// oracle cuts out the password of jdbc:oracle:thin:user/password@host.
func (p *Addresses) oracle(_, end int) int {
	word := p.S[end:min(len(p.S), end+lex.Farthest)]
	if i := strings.IndexAny(word, " \t\n\"'"); i >= 0 {
		word = word[:i]
	}
	slash, host := strings.IndexByte(word, '/'), strings.LastIndexByte(word, '@')
	if slash < 0 || slash > host || strings.IndexByte(word[:slash], ':') < 0 {
		return end
	}
	return p.Cut(end+slash+1, end+host)
}

// dataSource cuts out the password of a data source name of Go's MySQL driver, user:password@tcp(host)/db.
func (p *Addresses) dataSource(at, end int) int {
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
	return max(end, p.Cut(from+colon+1, at))
}

// easyConnect cuts out the password of Oracle's user/password@host:1521/service and user/password@//host.
func (p *Addresses) easyConnect(at, end int) int {
	from := at
	for from > 0 && at-from < lex.Farthest && strings.IndexByte(" \t\r\n\"'=", p.S[from-1]) < 0 {
		from--
	}
	word := p.S[from:end]
	slash, host := strings.IndexByte(word, '/'), strings.LastIndexByte(word, '@')
	if slash < 1 || slash+1 >= host || word[slash-1] == ':' {
		return end
	}
	return max(end, p.Cut(from+slash+1, from+host))
}

// passFilePorts are in lines of PostgreSQL's password file, host:port:database:user:password; any port may be "*".
var passFilePorts = []string{":5432:", ":5433:", ":6432:", ":*:*:"}

var passLine = regexp.MustCompile(`^[^\s:]{1,64}:[^\s:]{1,64}:`)

func (p *Addresses) passFile(at, end int) int {
	if p.S[end-2] == '*' {
		end -= len("*:")
	}
	m := passLine.FindStringIndex(p.S[end:min(len(p.S), end+lex.Farthest)])
	if m == nil {
		return at + 1
	}
	return max(end, p.Cut(end+m[1], p.Bare(end+m[1])))
}

// host cuts out what a program looks up beside a host, because it took a part of a password for one.
func (p *Addresses) host(_, end int) int {
	if i := end + p.Slashes(end); p.Quote(i) != 0 {
		end = i + 1
	}
	to := end
	for to < len(p.S) && to-end < lex.Farthest && p.inURL(to) {
		to++
	}
	return max(end, p.Cut(end, end+max(0, strings.LastIndexByte(p.S[end:to], '@'))))
}
