package secrets

import (
	"cmp"
	"strings"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/address"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/cut"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/shell"
)

// Text removes the secrets from free text, such as the output of a probe or the last message of a container. A text
// without any is returned unchanged. The time is proportional to the text's length, whatever the text is.
func Text(s string) string {
	out, _ := clear(s, false)
	return out
}

// clear is Text. With lines, every line within a secret remains a separate line. open is text that reopens what the
// text leaves open at its end.
func clear(s string, lines bool) (out, open string) {
	visible, hides := look.Visible(s)
	if !hides {
		return searched(s, lines)
	}
	// Invisible characters may be within a name: its visible form counts.
	shown, again := searched(visible, lines)
	if shown != visible {
		return shown, again
	}
	out, open = searched(s, lines)
	return out, cmp.Or(open, again)
}

func searched(s string, lines bool) (out, open string) {
	p := passes.Get().(*pass)
	p.begin(s)
	defer passes.Put(p)
	p.run()
	p.address.Rest()
	if lines && p.Open == "" && strings.HasSuffix(s, `\`) { // a command continues on the next line
		p.Open = strings.ReplaceAll(s[max(0, len(s)-lex.CommandLength):], "\\\n", "  ")
	}
	unnamed := cut.Text{Text: lex.Text{S: p.Marked(lines)}}
	look.Drawn(unnamed.S, func(from, to int) { unnamed.Cut(from, to) })
	return unnamed.Marked(false), p.Open
}

// pass is one run through a text, from its beginning to its end.
type pass struct {
	cut.Text
	address address.Addresses
	shell   shell.Commands
	// cookies is the end of the last cookie header.
	cookies int
	// ofSecret reports whether a manifest of a Secret is in the text, once that was checked.
	ofSecret *bool
	// puts is the end of the last word that inserts rows into a table.
	puts int
	// usersFile is the end of the last word about a file with users and their secrets.
	usersFile int
	// table is how far tables were read.
	table int
	// told is the end of the last secret's name, and refused the last value that a program quoted and refused.
	told    int
	refused struct{ from, to int }
}

// passes keeps the memory of passes that are over for the next texts.
var passes = sync.Pool{New: func() any { return new(pass) }}

func (p *pass) begin(s string) {
	*p = pass{Text: cut.Text{Text: lex.Text{S: s}}}
	p.address.Text, p.shell.Text = &p.Text, &p.Text
}

type finder func(p *pass, at, end int) int

// hint is a word, in lower case, near which there may be a secret.
type hint struct {
	word string
	find finder
}

// hints are stored by a hash of their first three bytes (mix); 0 for none.
var (
	hints  [][]hint
	places [1 << 13]uint16
)

func mix(before int, next byte) int { return (before<<5 ^ int(lex.Small[next])) & (len(places) - 1) }

func place(word string) int { return mix(mix(mix(0, word[0]), word[1]), word[2]) }

func init() {
	hints = make([][]hint, 1)
	for _, list := range finders() {
		for _, word := range list.words {
			at := place(word)
			if places[at] == 0 {
				places[at] = uint16(len(hints))
				hints = append(hints, nil)
			}
			hints[places[at]] = append(hints[places[at]], hint{word, list.find})
		}
	}
}

// run searches the text for all hints at once.
func (p *pass) run() {
	s, key := p.S, 0
	if len(s) < 3 {
		return
	}
	key = mix(mix(0, s[0]), s[1])
	for i := 0; i+2 < len(s); i++ {
		key = mix(key, s[i+2])
		if places[key] == 0 {
			continue
		}
		next, cuts := i, p.Cuts()
		for _, h := range hints[places[key]] {
			if lex.StartsWith(s[i:], h.word) {
				next = max(next, h.find(p, i, i+len(h.word)))
			}
		}
		if p.Cuts() == cuts {
			continue
		}
		if next > i && next+2 < len(s) {
			key = mix(mix(0, s[next]), s[next+1])
			i = next - 1
		} else if next > i {
			return
		}
	}
}
