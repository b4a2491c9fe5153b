// Package address finds passwords and tokens in addresses: the user of a URL, its path and its query, and what database
// drivers use in place of URLs.
//
// It knows how addresses are written; names of secrets are up to its caller. It imports packages cut, lex, look and
// words and the standard library, and does no I/O.
package address

import "github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/cut"

// Addresses finds secrets in the addresses of a text.
type Addresses struct {
	*cut.Text
	// end and at are of the last run of letters without a blank that was searched for a user: its end and its last at
	// sign.
	end, at int
}

// Finders returns what looks for secrets, and near which words.
func Finders() []cut.Finder[*Addresses] {
	return []cut.Finder[*Addresses]{
		{Find: (*Addresses).url, Words: []string{"://"}},
		{Find: (*Addresses).oracle, Words: []string{"jdbc:oracle:"}},
		{Find: (*Addresses).easyConnect, Words: []string{"@//", ":1521/"}},
		{Find: (*Addresses).passFile, Words: passFilePorts},
		{Find: (*Addresses).host, Words: []string{"lookup ", "host name ", "unknown host ", "resolve host: ", "enotfound ",
			"eai_again ", "getaddrinfo for ", "unknownhostexception: "}},
		{Find: (*Addresses).dataSource, Words: []string{"@tcp", "@udp", "@unix", "@cloudsql"}},
	}
}

// Rest looks for what is near no word: users of hosts, and queries. The whole text is searched once for it.
func (p *Addresses) Rest() {
	p.users()
	p.queries()
}
