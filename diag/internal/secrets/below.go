package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/column"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// below cuts out the cells of a table under the name of a secret.
func (p *pass) below(n words.Name) {
	if n.Kind == words.Object || n.From < p.table || !column.Beside(p.S, n.From, n.To) {
		return
	}
	end, open := column.Find(p.S, n.From, func(c column.Span) bool { return p.heads(c).Kind != words.None },
		func(head, cell column.Span, sentence bool) {
			from, to := cell.From, cell.To
			if end, _, ok := p.Within(from, to); ok {
				to = end
			}
			name, value := p.heads(head), strings.Trim(p.S[from:to], "\\\"'`*-")
			if few := strings.Trim(value, "0123456789") == "" && len(value) < 4; few || value == "<none>" ||
				strings.HasPrefix(value, Mark) || name.Harmless(p.S, from, to) || sentence && !words.Looks(value) ||
				p.counts(name, value) {
				return
			}
			p.Cut(from, to)
		})
	if p.table = max(p.table, end); open != "" {
		p.Open = open
	}
}

// results are values under PASS next to FAIL, and in columns that say whether there is a secret.
var results = regexp.MustCompile(`^(?i:[\d.,/:+-]*(?:%|[nµm]?s|m|h)?|yes|no|ok|n/?a|y|n|x|passe?d?|fail(?:ed)?|skipp?(?:ed)?|` +
	`true|false|enabled|disabled|optional|required|none|unknown|set|unset|expired|valid)$`)

// ofKubectl matches columns of kubectl's tables.
var ofKubectl = regexp.MustCompile(`\b(?:NAMESPACE|AGE)\b`)

// counts reports whether a cell has no secret: the name of an object under SECRET, or a result under PASS.
func (p *pass) counts(n words.Name, value string) bool {
	head := lex.Lower(p.S[n.From:n.To])
	if head == "pass" {
		return results.MatchString(value)
	}
	return strings.HasSuffix(head, "secret") &&
		(look.DNSName(value) || look.KeyName(value) || words.English(value)) &&
		ofKubectl.MatchString(p.S[max(0, n.From-128):min(len(p.S), n.To+128)])
}

// heads returns the name at the end of a column's header: "DB Password".
func (p *pass) heads(c column.Span) words.Name {
	for _, stem := range columnNames {
		for i := c.From; ; {
			next := strings.Index(lex.Lower(p.S[i:c.To]), stem)
			if next < 0 {
				break
			}
			at := i + next
			if n := words.NameAt(p.S, at, at+len(stem)); n.Kind != words.None && n.Kind != words.Object && n.To == c.To {
				return n
			}
			i = at + 1
		}
	}
	return words.Name{}
}

// columnNames are stems and those short words that are enough to name a column.
var columnNames = append(append([]string{"psk", "jwt"}, words.Stems...), words.Abroad()...)
