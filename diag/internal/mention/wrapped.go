package mention

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// This file joins what a person's editor wrapped: half a sentence says neither what ended nor that it did.

// unwrapped returns a text in which a line of a sentence that goes on in the next one has the rest of it.
func unwrapped(text string) string {
	var b strings.Builder
	inFence, before := false, ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inFence = !inFence
		}
		if before != "" && !inFence && goesOnBelow(before, line) {
			before = strings.TrimRight(before, " \r\n") + " " + strings.TrimLeft(line, " ")
			continue
		}
		b.WriteString(before)
		before = line
	}
	b.WriteString(before)
	return b.String()
}

// goesOnBelow reports whether a line of prose is wrapped: it is long, no sentence ends with it, and the next one begins
// with a small letter.
func goesOnBelow(line, next string) bool {
	return len(line) > wrappedAt && len(line) < maxLine/4 && openEnd.MatchString(line) && lowerStart.MatchString(next) &&
		!textkind.Stamped(line) && !isCommand(line) && !strings.ContainsAny(line+next, "|{}=\t") &&
		!strings.Contains(line+next, "  ") && naming.Prose(naming.Clean(line)) &&
		naming.In(next).Pod == ""
}

// wrappedAt is shorter than lines are where an editor wraps them.
const wrappedAt = 50

var (
	openEnd    = regexp.MustCompile(`[\pL\d,"'` + "`" + `)*]\s*\n$`)
	lowerStart = regexp.MustCompile(`^ {0,3}["'` + "`" + `(*]{0,2}\p{Ll}[\pL'-]* `)
)
