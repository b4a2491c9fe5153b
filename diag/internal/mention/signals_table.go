package mention

import "regexp"

// signalled returns forms for the signals with which a process ended, those that nobody else sends it. A shell and the
// runtimes return 128 plus the number.
func signalled() (all []word) {
	for _, of := range []struct{ name, code string }{
		{"ILL", "132"}, {"TRAP", "133"}, {"ABRT", "134"}, {"BUS", "135"}, {"FPE", "136"}, {"SEGV", "139"},
	} {
		all = append(all, word{
			any: []string{"SIG" + of.name, "/" + of.name}, // the latter is systemd-coredump's way
			says: regexp.MustCompile(`(?i:\b(?:terminated|killed|exited|died|crashed|ended|core dumped)\b[^.;]{0,24})` +
				`(\bSIG` + of.name + `\b|\bsignal \d+/` + of.name + `\b)`),
			ended: endsWith + of.code,
		})
	}
	return all
}

// itself is what has an exit code, ofOneInside matches it as the place of something else, and ofSignal are codes that
// few others have.
const (
	itself   = `(?:pods?|containers?|process(?:es)?|jobs?|it|they)`
	ofSignal = `(129|13\d|14[0-3])`
)

var ofOneInside = regexp.MustCompile(ofCommand.String() + `|(?i:\b(?:in|inside|within|on|from) (?:\w+ ){0,2}(?:pods?|containers?)\b)`)
