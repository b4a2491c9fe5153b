package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/column"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// below cuts out the cells of a table under the name of a secret.
func (p *pass) below(n name) {
	if n.kind == object || n.from < p.table || !column.Beside(p.S, n.from, n.to) {
		return
	}
	end, open := column.Find(p.S, n.from, func(c column.Span) bool { return p.heads(c).kind != none },
		func(head, cell column.Span, words bool) {
			from, to := cell.From, cell.To
			if end, _, ok := p.Within(from, to); ok {
				to = end
			}
			name, value := p.heads(head), strings.Trim(p.S[from:to], "\\\"'`*-")
			if few := strings.Trim(value, "0123456789") == "" && len(value) < 4; few || value == "<none>" ||
				strings.HasPrefix(value, Mark) || p.harmless(name, from, to) || words && !looks(value) || p.counts(name, value) {
				return
			}
			p.cut(from, to)
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
func (p *pass) counts(n name, value string) bool {
	head := lex.Lower(p.S[n.from:n.to])
	if head == "pass" {
		return results.MatchString(value)
	}
	return strings.HasSuffix(head, "secret") &&
		(look.DNSName(value) || look.KeyName(value) || english.MatchString(value)) &&
		ofKubectl.MatchString(p.S[max(0, n.from-128):min(len(p.S), n.to+128)])
}

// heads returns the name at the end of a column's header: "DB Password".
func (p *pass) heads(c column.Span) name {
	for _, stem := range columnNames {
		for i := c.From; ; {
			next := strings.Index(lex.Lower(p.S[i:c.To]), stem)
			if next < 0 {
				break
			}
			at := i + next
			if n := p.name(at, at+len(stem)); n.kind != none && n.kind != object && n.to == c.To {
				return n
			}
			i = at + 1
		}
	}
	return name{}
}

// columnNames are stems and those short words that are enough to name a column.
var columnNames = append(append([]string{"psk", "jwt"}, stems...), abroad()...)
