package excerpt

import (
	"regexp"
	"strings"
)

// This file distinguishes people's and tools' remarks between outputs from unread text.

// beside is what tools print next to their output, and what people put between outputs for omissions.
var beside = regexp.MustCompile(`^(?:(?:WARN|ERRO|INFO|FATA|DEBU)\[\d{4}\]|Warning: |Defaulted container |Flag --|` +
	`Error from server|No resources found|-- (?:Logs|Journal|No entries|Reboot)|#|\W{0,12}$)`)

// others counts lines that nothing reads.
func (f *Found) others(lines []string) {
	f.Others += len(lines)
	for _, l := range lines {
		if l = strings.TrimSpace(l); beside.MatchString(l) || prose(l) {
			f.Words++
		}
	}
}

// prose reports whether a line is a person's sentence: words, and nothing that a program prints.
func prose(line string) bool {
	words := strings.Fields(line)
	if len(words) < 3 || strings.ContainsAny(line, "={}[]<>\t|") {
		return false
	}
	plain := 0
	for _, w := range words {
		if strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz'`\",.;:!?()-*_/") == "" {
			plain++
		}
	}
	return 5*plain >= 4*len(words)
}
