package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// This file finds the secret that a sentence shows: the password is x, invalid token x, API key: "x".

const (
	sentenceWords  = 8
	sentenceLength = 160
)

// mention is what a sentence has said of a secret so far.
type mention struct {
	of words.Name
	// always: after such a name the secret follows, and not an object's name.
	always bool
	// made: the secret is announced, not used.
	made bool
	// told: the next word is the secret.
	told bool
	// changed: another one takes its place. old: the next word was the secret before.
	changed, old bool
}

// said is a word of a sentence: where its quotes and brackets begin, where it begins and ends, and the word without
// what ends a clause.
type said struct {
	opens, from, to int
	quoted          bool
	word            string
}

// sentence cuts out of a sentence what looks like the secret that it mentions: after the name, after "is", "was" or
// "to", or after a colon.
func (p *pass) sentence(n words.Name, shut int) {
	if last := p.S[n.To-1]; !lex.Wordly[last] && last < 0x80 || last == '-' ||
		p.ownLine(n, shut) || strings.IndexByte("\"'`:", lex.At(p.S, shut)) < 0 && p.Blanks(shut, true) == shut ||
		p.container(n) {
		return
	}
	m := mention{of: n, made: n.Kind == words.Human, always: lex.EndsWith(p.S[:n.To], "key") &&
		lex.EndsWith(strings.TrimRight(p.S[max(0, n.To-16):n.To-3], " _-"), "api", "access", "private", "encryption")}
	limit := min(len(p.S), shut+sentenceLength)
	for i, count := shut, 0; count < sentenceWords; count++ {
		first := count == 0
		from := p.Blanks(i, m.told)
		if next := p.Blanks(i, true); first && n.Kind == words.Human && p.Quote(next) != 0 {
			from = next
		}
		if m.told && from >= len(p.S) && n.Kind != words.Object {
			p.Open = "the password is"
			return
		}
		w := p.said(from, limit)
		if from == i && !first || w.from == w.to {
			return
		}
		if w.quoted && (m.told || first && shut == n.To) && p.quotes(m, first) {
			if end, _, ok := p.Within(w.opens, limit); ok {
				p.Cut(w.opens, end)
				if i = end; !m.old {
					return
				}
				m.told, m.old = false, false
				continue
			}
		}
		if p.shows(m, w, first) {
			p.Cut(w.from, w.from+len(w.word))
			if !m.old {
				return
			}
			m.told, m.old = false, false
		}
		if !m.goesOn(w, first, p.S[w.to-1]) {
			return
		}
		for i = w.to; i < limit && strings.IndexByte("\"'`\\", p.S[i]) >= 0 && p.Blanks(i, true) == i; i++ {
		}
	}
}

// alone matches a word that the line below has for itself.
var alone = regexp.MustCompile(`^(?:[ \t]{0,8}(?:\r|\\{1,8}r)?(?:\n|\\{1,8}n)){1,3}(?:[ \t]|\\{1,8}t){0,16}` +
	`([^\s"'\\=/:]{6,64})[ \t]{0,8}(?:["'\\\r\n]|$)`)

// container reports whether it is the name of a container that failed: failed to "X" for "password" with Y: "…".
func (p *pass) container(n words.Name) bool {
	return withReason.MatchString(p.S[n.To:min(len(p.S), n.To+2*lex.Longest)]) &&
		forContainer.MatchString(p.S[max(0, n.From-2*lex.Longest):n.From])
}

// ownLine cuts out a secret below its name, as dialogues and forms print it, and reports whether a line follows that
// belongs to it.
func (p *pass) ownLine(n words.Name, shut int) bool {
	next := p.Blanks(shut, true)
	if next < len(p.S) && next == p.Blanks(shut, false) || n.Kind == words.Human && p.Quote(next+p.Slashes(next)) != 0 {
		return false
	}
	if next == len(p.S) && p.Open == "" && n.Kind != words.Object {
		p.Open = "the " + p.S[n.From:n.To] // no header of a table
	}
	m := alone.FindStringSubmatchIndex(p.S[shut:min(len(p.S), shut+lex.CommandLength)])
	if m == nil || n.Kind == words.Object {
		return true
	}
	if word := p.S[shut+m[2] : shut+m[3]]; look.Made(word) ||
		n.Kind == words.Human && words.Looks(word) && !look.DNSName(word) {
		p.Cut(shut+m[2], shut+m[3])
	}
	return true
}

// said reads the word that begins at a place.
func (p *pass) said(i, limit int) said {
	w := said{opens: i, from: i}
	for ; w.from < limit && strings.IndexByte("\"'`\\[(", p.S[w.from]) >= 0 &&
		!strings.HasPrefix(p.S[w.from:], Mark); w.from++ {
		w.quoted = w.quoted || p.S[w.from] != '[' && p.S[w.from] != '('
	}
	w.to = w.from
	for w.to < limit && strings.IndexByte(" \t\r\n\"'`\\", p.S[w.to]) < 0 {
		w.to++
	}
	w.word = strings.TrimRight(p.S[w.from:w.to], ".,;:!?)]}>")
	return w
}

// quotes reports whether a quoted text after such a name is the secret, whatever it looks like.
func (p *pass) quotes(m mention, first bool) bool {
	return m.of.Kind == words.Human || m.always && first ||
		m.of.Kind == words.Machine && strings.IndexByte(p.S[m.of.From:m.of.To], '_') >= 0
}

var (
	// paired matches what kernels and kubelets say next of a process, a container or a pod that is called like a secret:
	// Killed process 1 (pass) total-vm:1234kB, container=password pod=web-0_shop(4b22…).
	paired = regexp.MustCompile(`^(?:total-vm:\d+kB|pid=\d+(?:\W|$)|pod=[a-z0-9.-]+_[a-z0-9-]+\([0-9a-f]{8}-|Attempt:\d|` +
		`Uid:[0-9a-f]{8}-[0-9a-f]{4}-|gfp_mask=0x[0-9a-f]{1,8}\(GFP_)`)
	// forContainer and withReason match what kubelets print before and behind the name of a container that failed.
	forContainer = regexp.MustCompile(`failed to \\{0,8}"[A-Z][A-Za-z]{1,40}\\{0,8}" for \\{0,8}"[\w.-]{0,64}$`)
	withReason   = regexp.MustCompile(`^[\w.-]{0,64}\\{0,8}" with [A-Z][A-Za-z]{1,40}: \\{0,8}"`)
	// accused matches a name after which a sentence shows the secret: "invalid token x".
	accused = regexp.MustCompile(`(?i)\b(?:invalid|incorrect|bad|wrong|unknown|with|using) \w+$`)
	// accuses matches what follows a secret that was shown: token x expired.
	accuses = regexp.MustCompile(`^(?: (?:is|was|has|been|not|no|longer|already))* (?:expired|revoked|rejected|refused|` +
		`invalid|incorrect|wrong|valid)\b`)
	// bootstrap matches a token with which a node joins a cluster.
	bootstrap = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
)

// shows reports whether a word is the secret: one that was told, or the first after the name.
func (p *pass) shows(m mention, w said, first bool) bool {
	switch {
	case paired.MatchString(w.word):
		return false
	case m.told:
		return words.Looks(w.word) || m.of.Kind == words.Human && len(w.word) >= words.Shortest &&
			strings.Trim(w.word, "0123456789") == ""
	case !first:
		return false
	case m.of.Kind == words.Human:
		return words.Looks(w.word)
	case m.of.Kind != words.None && words.Invented(strings.TrimRight(p.S[w.from:w.to], ".,;:?)]}>")):
		return true
	case m.of.Kind == words.Object: // AES key x; a digest is a container's or an image's
		return len(w.word) != 64 && look.Made(w.word)
	case m.of.Kind != words.Machine:
		return false
	case strings.IndexByte(p.S[m.of.From:m.of.To], '_') >= 0 && words.Looks(w.word):
		return true // auth_token x: nobody writes such a name in a sentence about something else
	case look.Made(w.word), bootstrap.MatchString(w.word):
		return true
	}
	name := p.S[m.of.From:m.of.To]
	return words.Looks(w.word) && (m.always || !look.DNSName(w.word)) && !lex.StartsWith(name, "secret") &&
		!strings.HasSuffix(name, "s") &&
		(m.always || w.quoted || accused.MatchString(p.S[max(0, m.of.From-12):m.of.To]) ||
			accuses.MatchString(p.S[w.to:min(len(p.S), w.to+lex.Longest)]))
}

// goesOn notes what a word says of the secret, and reports whether it may still follow. The word ends with last.
func (m *mention) goesOn(w said, first bool, last byte) bool {
	m.told = w.word == "=" || m.told && w.word == "now"
	switch lex.Lower(w.word) {
	case "is", "was", "ist", "lautet", "est", "es", "è", "é", "är", "jest":
		m.told, m.made = first || m.made || m.of.Kind == words.Human, true
	case "to", "eq", "default": // "AUTH default x"
		m.told = m.made
	case "value", "mismatch", "mismatched", "differs", "invalid", "incorrect": // token mismatch: x
		value := w.word == "value" && last == 'e'
		m.told = m.told || first && value && m.of.Kind != words.Object
		m.made = m.made || first && !value && last == ':' && m.of.Kind != words.Object
	case "changed", "rotated", "updated", "replaced":
		m.changed = m.of.Kind == words.Human
	case "from":
		m.told, m.old = m.changed, m.changed
	case "provided", "generated", "created", "issued", "new":
		m.made = m.of.Kind != words.Object
	case "failed", "failure", "fail", "expired", "error", "not", "missing", "denied", "required", "and", "or":
		return false
	}
	if last == ':' {
		m.told = m.told || m.made
		return m.told
	}
	ended := len(w.word) < w.to-w.from && strings.IndexByte(".;!?", last) >= 0
	return !ended && (len(w.word) < 2 || strings.IndexByte(w.word, '=') < 0)
}

// role matches what makes the word before it a secret: use x as the new password.
var role = regexp.MustCompile(`(\S{6,64}) as (?:[a-z]{1,10} ){0,3}$`)

// playing cuts out the word before such a name that is said to be it.
func (p *pass) playing(n words.Name) {
	if n.Kind != words.Human || lex.At(p.S, n.From-1) != ' ' {
		return
	}
	before := p.S[max(0, n.From-112):n.From]
	if !strings.Contains(before, " as ") { // cheaper
		return
	}
	m := role.FindStringSubmatchIndex(before)
	if m == nil {
		return
	}
	from := n.From - len(before) + m[2]
	word := p.S[from : from+m[3]-m[2]]
	from += len(word) - len(strings.TrimLeft(word, "\"'`\\"))
	word = strings.Trim(word, "\"'`\\,")
	if words.Looks(word) && !look.DNSName(word) && !strings.ContainsAny(word, "/=:") {
		p.Cut(from, from+len(word))
	}
}
