package shell

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// clientsBy are the indexes of clients by their first letter.
var clientsBy = func() (by [256][]int) {
	for i, c := range clients {
		by[c.program[0]] = append(by[c.program[0]], i)
	}
	return by
}()

// client cuts out the passwords of the commands that begin at from.
func (p *Commands) client(from, end int) int {
	if from > 0 && (lex.Wordly[p.S[from-1]] || p.S[from-1] == '.') {
		return from + 1
	}
	for _, i := range clientsBy[lex.Small[p.S[from]]] {
		c := &clients[i]
		if !lex.StartsWith(p.S[from:], c.program) {
			continue
		}
		if p.until == nil {
			p.until = make([]int, len(clients))
		}
		if from >= p.until[i] {
			p.until[i] = p.command(c, end)
		}
	}
	return from + 1
}

// command cuts out the password in a client's command, and returns where the command ends.
func (p *Commands) command(c *command, i int) int {
	limit := min(len(p.S), i+lex.CommandLength)
	for i < limit && lex.Wordly[p.S[i-1]] && (lex.Wordly[p.S[i]] || p.S[i] == '.') { // the rest of its name
		i++
	}
	if quote := i + p.Slashes(i); quote < limit && p.Quote(quote) != 0 {
		i = quote + 1
	}
	options, wanted := strings.Fields(c.options), strings.Fields(c.words)
	for due := false; i < limit; {
		from, to, next := p.Word(i, limit)
		if from >= to {
			return next
		}
		word := p.S[from:to]
		if strings.ContainsAny(word[:1], "|;&") || strings.HasPrefix(p.S[i:], "\n") {
			return next
		}
		i = next
		if due {
			p.secretWord(c, from, to)
			due = false
			continue
		}
		due = p.inOption(c, options, from, to)
		switch {
		case len(wanted) == 0:
		case c.passes(word):
			if wanted[0] == `\` {
				wanted = wanted[1:]
			}
		case wanted[0] == "!" && word[0] != '-':
			if word[0] != '=' && word[0] != ':' {
				p.secretWord(c, from, to)
			}
			return next
		default:
			rest, ok := behind(wanted, word)
			if !ok {
				return next
			}
			wanted = rest
		}
	}
	return i
}

// inOption cuts out the secret that a word contains, if it is a pair or one of the options. It reports whether the next
// word is a secret.
func (p *Commands) inOption(c *command, options []string, from, to int) (due bool) {
	word := p.S[from:to]
	if eq := strings.IndexByte(word, '='); c.pairs && eq > 0 && word[0] != '-' {
		p.Cut(from+eq+1, to)
	}
	for _, o := range options {
		switch value, ok := strings.CutPrefix(word, o); {
		case !ok:
		case value == "":
			due = !c.glued
		case c.glued, len(o) == 2 && o[0] == '-' || value[0] == '=' || o[len(o)-1] == ':':
			p.secretWord(c, to-len(strings.TrimPrefix(value, "=")), to)
		}
	}
	if c.split == ':' && len(word) > 2 && word[0] == '-' && lex.Letter(word[1]) { // several options in one: -su
		if due = due || word[len(word)-1] == 'u'; strings.IndexByte(word, 'u') > 0 {
			p.secretWord(c, from, to)
		}
	}
	return due
}

// passes reports whether a word is a share, a drive or an option of Windows, which may be anywhere.
func (c *command) passes(word string) bool {
	return strings.HasPrefix(c.program, "net ") &&
		(word[0] == '\\' || word[0] == '/' || len(word) == 2 && word[1] == ':')
}

// behind returns which words have to follow this one before the secret, and false if it is not the one that has to be
// here.
func behind(wanted []string, word string) ([]string, bool) {
	option := word[0] == '-'
	switch want := wanted[0]; {
	case want == "!" || want == "*" && option:
		return wanted, true
	case want == "*":
		return wanted[1:], true
	case want[0] == '-':
		return wanted[1:], option && strings.Contains(word, want[1:])
	default:
		return wanted[1:], word == want
	}
}

// secretWord cuts out a word, or the part of it after the client's separator.
func (p *Commands) secretWord(c *command, from, to int) {
	for from < to && p.Quote(from) != 0 && c.split != 0 {
		from++
	}
	if c.split != 0 {
		i := strings.IndexByte(p.S[from:to], c.split)
		if i < 0 || c.split == ':' && strings.Trim(p.S[from+i:to], "0123456789:") == "" { // an address
			return
		}
		from += i + 1
		if c.split == '/' {
			if at := strings.LastIndexByte(p.S[from:to], '@'); at >= 0 {
				to = from + at
			}
		}
	}
	p.Cut(from, to)
}

// user cuts out the password of -u user:password, for any program.
func (p *Commands) user(from, end int) int {
	if from > 0 && strings.IndexByte(" \t\"',", p.S[from-1]) < 0 {
		return end
	}
	for end > from && p.S[end-1] != 'u' && p.S[end-1] != 'r' {
		end--
	}
	return p.shared(end)
}

// login cuts out the password of --basic-auth user:password, and of other options whose name ends so.
func (p *Commands) login(from, end int) int {
	for from > 0 && (lex.Wordly[p.S[from-1]] || p.S[from-1] == '-') {
		from--
	}
	if p.S[from] != '-' || from > 0 && strings.IndexByte(" \t\"',[", p.S[from-1]) < 0 {
		return end
	}
	next := p.shared(end - 1)
	if value, to, _ := p.Word(end, min(len(p.S), end+lex.CommandLength)); next < end && value < to {
		word := p.S[value:to]
		if look.Made(word) || words.Invented(word) ||
			words.Looks(word) && !look.DNSName(word) && !method.MatchString(word) {
			return p.Cut(value, to)
		}
	}
	return end
}

// method matches what names a way to log in and how it is secured.
var method = regexp.MustCompile(`(?i)oauth|ntlm|sha|md5|tls|x509|aes|[:/]`)

// shared cuts out the password of the word user:password that an option has, whose name ends at end.
func (p *Commands) shared(end int) int {
	i := end + p.Slashes(end)
	if p.Quote(i) != 0 || lex.At(p.S, i) == '=' {
		i++
	}
	from, to, _ := p.Word(i, min(len(p.S), i+lex.CommandLength))
	colon := strings.IndexByte(p.S[from:to], ':')
	if to <= from || p.S[from] == '-' || colon < 1 || strings.Trim(p.S[from:to], "0123456789:") == "" ||
		strings.HasPrefix(p.S[from+colon:to], "://") {
		return end
	}
	return p.Cut(from+colon+1, to)
}

// behindUser matches the end of a user's name, as an option before another one; beforeUser the beginning of such an
// option.
var (
	beforeUser = regexp.MustCompile(`^["', \\]{1,8}(?:-[uUn]|--user(?:name)?)(?:=|["', \\]{1,8})\w`)
	behindUser = regexp.MustCompile(`(?:-[uUn]|--user(?:name)?)(?:=|["', \\]{1,8})[^\s"',\\]{1,64}["',\\]{0,6}$`)
)

// otherUses are programs with another meaning of -p: ports, protocols, processes, a directory's parents. For engines -p
// is a port if they run a container.
var (
	otherUses = lex.WordSet("mkdir install cp rsync tar patch netstat ss lsof ps top kill nmap iptables ip6tables ssh scp " +
		"ssh-keyscan perf strace screen useradd docker-compose")
	engines = lex.WordSet("docker podman nerdctl ctr")
	runs    = lex.WordSet("run create exec up")
)

// elsewise reports whether the command up to i is one in which -p has another meaning.
func (p *Commands) elsewise(i int) bool {
	before, engine := p.S[max(0, i-lex.CommandLength/4):i], false
	before = before[strings.LastIndexAny(before, "|;&\n")+1:]
	for _, w := range strings.FieldsFunc(before, func(r rune) bool { return strings.ContainsRune(" \t\"',\\[(", r) }) {
		w = w[strings.LastIndexByte(w, '/')+1:]
		if otherUses[w] || engine && runs[w] {
			return true
		}
		engine = engine || engines[w]
	}
	return false
}

// option cuts out what follows -p, for any program, if it looks like a password or follows a user's name: otherwise it
// may be a port.
func (p *Commands) option(from, end int) int {
	if from > 0 && strings.IndexByte(" \t\"',[", p.S[from-1]) < 0 {
		return end
	}
	begin := from
	end = from + len("-p")
	if i := end + p.Slashes(end); p.Quote(i) != 0 {
		end = i + 1
	}
	from, to, _ := p.Word(end, min(len(p.S), end+lex.CommandLength))
	to = from + len(strings.TrimRight(p.S[from:to], ":,")) // of a sentence
	if from >= to || strings.ContainsAny(p.S[from:to], "/:=,") || look.DNSName(p.S[from:to]) ||
		!words.Looks(p.S[from:to]) && (p.S[from] == '-' || strings.Trim(p.S[from:to], "0123456789") == "" ||
			!p.besideUser(begin, to)) || p.elsewise(begin) {
		return end
	}
	return p.Cut(from, to)
}

// besideUser reports whether an option with a user's name is before or behind another one.
func (p *Commands) besideUser(from, to int) bool {
	before := strings.TrimRight(p.S[max(0, from-96):from], ` ["'\`)
	return strings.IndexByte(before, '-') >= 0 && behindUser.MatchString(before) ||
		beforeUser.MatchString(p.S[to:min(len(p.S), to+32)])
}

// share cuts out the password of user=name%password, and of login=name:password.
func (p *Commands) share(from, end int) int {
	if from > 0 && lex.Wordly[p.S[from-1]] {
		return end
	}
	if p.S[end-1] == ':' {
		end = p.Blanks(end, false)
	}
	if i := end + p.Slashes(end); p.Quote(i) != 0 {
		end = i + 1
	}
	to := min(len(p.S), end+lex.Farthest/2)
	if i := strings.IndexAny(p.S[end:to], " \t\r\n,'\""); i >= 0 {
		to = end + i
	}
	i := strings.IndexByte(p.S[end:to], '%')
	if i < 1 || from > 0 && p.S[from-1] == '&' {
		i = strings.IndexByte(p.S[end:to], ':')
		if i < 1 || strings.ContainsAny(p.S[end+i+1:to], ":/") || !words.Looks(p.S[end+i+1:to]) {
			return end
		}
	}
	return max(end, p.Cut(end+i+1, to))
}

// besideGlued matches an option with a user's name, as in -uroot, near the end of what is before a password.
var besideGlued = regexp.MustCompile(`(?:^|[\s"',(\[])(?:-u|--user)[= ]?\w[^\n|;&]{0,64}$`)

// glued cuts out what follows -p in the same word, as MySQL's clients take it, where their name was cut off.
func (p *Commands) glued(from, end int) int {
	word := p.S[end:p.Bare(end)]
	if len(word) <= lex.Longest && words.Looks(word) && !strings.ContainsAny(word, "=:/,") && !p.elsewise(from) &&
		(words.Invented(word) || look.Made(word) || besideGlued.MatchString(p.S[max(0, from-96):from])) {
		return p.Cut(end, end+len(word))
	}
	return end
}

var pipe = regexp.MustCompile(
	`^\s+(?:-\w+\s+)?["']?([^\n|]{1,300}?)["']?\s*\|\s*(?:sudo\s+)?` +
		`(?:passwd|chpasswd|kinit|sudo|cryptsetup|gpg|vault|base64|openssl|htpasswd|[\w ./-]{0,100}--[\w-]{0,20}stdin)`)

// variable matches a shell's variable, whose value is not shown.
var variable = regexp.MustCompile(`^\$\{?[A-Z_][A-Z0-9_]*\}?$`)

// piped cuts out what is piped into a program as a password.
func (p *Commands) piped(_, end int) int {
	rest := p.S[end:min(len(p.S), end+lex.CommandLength)]
	if lex.At(rest, 0) != ' ' && lex.At(rest, 0) != '\t' || strings.IndexByte(rest, '|') < 0 {
		return end
	}
	m := pipe.FindStringSubmatchIndex(rest)
	if m == nil || variable.MatchString(rest[m[2]:m[3]]) {
		return end
	}
	return p.Cut(end+m[2], end+m[3])
}

// delimiter matches the delimiter of a shell's here-document, lineBreak the end of its line.
var (
	delimiter = regexp.MustCompile(`^[-~]?\s?\\{0,8}["']?([A-Z_]{2,32})(?:\\{0,8}["'])?`)
	lineBreak = regexp.MustCompile(`^(?:\n|\\{1,8}n|$)`)
)

// here cuts out what a shell gives to a program as its input: <<<"x", and the lines after <<EOF up to that word.
func (p *Commands) here(_, end int) int {
	if strings.HasPrefix(p.S[end:], "<") {
		if from, to, ok := p.Value(end+1, true); ok {
			return p.Cut(from, to)
		}
		return end
	}
	m := delimiter.FindStringSubmatchIndex(p.S[end:min(len(p.S), end+lex.Longest)])
	if m == nil {
		return end
	}
	from, word := end+m[1], p.S[end+m[2]:end+m[3]]
	if i := strings.IndexAny(p.S[from:min(len(p.S), from+lex.Farthest)], "\n\\"); i >= 0 {
		from += i
	} else if from = min(len(p.S), from+lex.Farthest); from < len(p.S) {
		return end
	}
	broken := lineBreak.FindString(p.S[from:min(len(p.S), from+16)])
	if broken == "" && from < len(p.S) {
		return end
	}
	from += len(broken)
	for i := from; ; i += len(word) {
		next := strings.Index(p.S[i:], word)
		if next < 0 {
			p.Open = " <<" + word
			return max(end, p.Cut(from, len(p.S)))
		}
		i += next
		body := strings.TrimRight(p.S[from:i], " \t")
		if n := len(body); n > 0 && body[n-1] == '\n' || strings.HasSuffix(body, `\n`) || strings.HasSuffix(body, `\t`) {
			body = strings.TrimRight(body[:n-1], "\\")
		} else if n > 0 {
			continue
		}
		if strings.Trim(strings.ReplaceAll(body, lex.Mark, ""), "\n\\n") == "" {
			return end
		}
		return p.Cut(from, from+len(body))
	}
}

// audited cuts out the words of a command as the kernel's audit prints them, one by one or as hexadecimal digits.
func (p *Commands) audited(_, end int) int {
	to := strings.IndexByte(p.S[end:], '\n')
	if to < 0 {
		to = len(p.S) - end
	}
	return p.Cut(end, end+to)
}
