package excerpt

import (
	"regexp"
	"strings"
)

// This file tells what people write between outputs, and tools beside them, from what nothing reads.

// beside is what tools say beside their output, and what people put between outputs to leave something out.
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

// prose tells a sentence that a person wrote: words, and nothing that a program prints.
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
