package excerpt

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/typed"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// This file removes what grep, an editor, a list or a console adds to a single line.

var (
	// found is what grep puts before a line: the file's name, the line's number.
	found = regexp.MustCompile(`^(?:[^\s:]*(?:/|\.log|\.txt|\.gz|messages|syslog)[^\s:]*:)?(?:\d{1,9}[:-]\s?)?`)
	// glued is a command directly after its prompt, maybe in bold type.
	glued = regexp.MustCompile(
		`^\*{0,2}[#$]((?:sudo )?(?:kubectl|oc|crictl|docker|journalctl|systemctl|dmesg|k3s|microk8s)\s.*)$`)
	// listed is a line's number in an editor or a pager, a list mark, or a change mark.
	listed = regexp.MustCompile(`^\s*(?:\d{1,6}[ \t:|]+|[-*+•] |\d{1,2}[.)] |\| )`)
)

// atConsole returns a kernel line from its time on, without what a hypervisor or a console server puts before it.
func atConsole(line string) (string, bool) {
	at := strings.Index(line[:min(len(line), maxBefore)], " [")
	if n := strings.Index(line[:min(len(line), maxBefore)], ">["); at < 0 || n >= 0 && n < at {
		at = n
	}
	if at < 0 {
		return line, false
	}
	clock, _, ok := strings.Cut(line[at+2:], "] ")
	seconds, micros, dotted := strings.Cut(strings.TrimLeft(clock, " "), ".")
	if !ok || !dotted || len(micros) != 6 || len(seconds) > 10 || strings.Trim(seconds+micros, "0123456789") != "" {
		return line, false
	}
	return line[at+1:], true
}

// maxBefore is the maximum length of such a prefix.
const maxBefore = 160

// bareLine returns a line without what was added to it, unless the rest is unknown.
func bareLine(line string) string {
	text := strings.TrimSpace(line)
	if m := glued.FindStringSubmatch(text); m != nil {
		return "# " + strings.TrimRight(m[1], "*")
	}
	if strings.HasPrefix(text, "`") && !strings.HasPrefix(text, "```") {
		text = strings.TrimSpace(strings.Trim(text, "`"))
		if readable(text) || isRow(text) {
			return text
		}
	}
	if klogline.LostPart(text) {
		return line // numbers before it are its own
	}
	for _, around := range []*regexp.Regexp{found, listed} {
		if !strings.ContainsAny(text[:min(len(text), 1)], "0123456789-*+•|/.") &&
			!strings.Contains(text[:min(len(text), 200)], ":") {
			break // nothing similar precedes such a line
		}
		if n := len(around.FindString(text)); n > 0 && readable(text[n:]) {
			return strings.TrimSuffix(text[n:], "`")
		}
	}
	if text != line && len(text) > 1 && textlog.IsLine(text) { // a brace alone is part of an object
		return text
	}
	return line
}

// isRow reports whether a line is a row of one of kubectl's tables.
func isRow(line string) bool { return describe.HeadOf(line) != "" }

func readable(text string) bool {
	text = strings.TrimLeft(text, "` ")
	return text != "" && (textlog.IsLine(text) || klogline.LostPart(text) || typed.Unmarked(text))
}
