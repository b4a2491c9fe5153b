// Package address finds passwords and tokens in addresses: the user of a URL, its path and its query, and what database
// drivers use in place of URLs.
//
// It knows how addresses are written; names of secrets are up to its caller. It imports packages cut, lex, look and
// words and the standard library, and does no I/O.
package address

import "github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/cut"

// Finder finds secrets in the addresses of a text.
type Finder struct {
	*cut.Text
	// end and at are of the last run of letters without a blank that was searched for a user: its end and its last at
	// sign.
	end, at int
}

// Finders returns what looks for secrets, and near which words.
func Finders() []cut.Finder[*Finder] {
	return []cut.Finder[*Finder]{
		{Find: (*Finder).url, Words: []string{"://"}},
		{Find: (*Finder).oracle, Words: []string{"jdbc:oracle:"}},
		{Find: (*Finder).easyConnect, Words: []string{"@//", ":1521/"}},
		{Find: (*Finder).passFile, Words: passFilePorts},
		{Find: (*Finder).dataSource, Words: []string{"@tcp", "@udp", "@unix", "@cloudsql"}},
	}
}

// Rest looks for what is near no word: users of hosts, and queries. The whole text is searched once for it.
func (p *Finder) Rest() {
	p.users()
	p.queries()
}
