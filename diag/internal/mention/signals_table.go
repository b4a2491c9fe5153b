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
