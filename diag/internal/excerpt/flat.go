package excerpt

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// This file restores the indentation of descriptions that a form, a mail or a trouble ticket removed: their keys show
// the nesting (kubectl pkg/describe/describe.go describeContainers, DescribeEvents).

var (
	flatKey   = regexp.MustCompile(`^([A-Z][A-Za-z ]{2,18}):(?:\s|$)`)
	flatState = regexp.MustCompile(`^(?:Last State:|State: (?:Terminated|Waiting))`)
	flatRow   = regexp.MustCompile(`^\W?(Normal|Warning) ([A-Z]\w+) ` +
		`((?:\d+[smhdy])+(?: \(x\d+ over (?:\d+[smhdy])+\))?) (\S+) (\S.*?)\W?$`)
	// ofContainers are keys of a container.
	ofContainers = []string{"Container ID", "Image", "Image ID", "Port", "Ports", "Host Port", "Host Ports", "State",
		"Last State", "Ready", "Restart Count", "Liveness", "Readiness", "Startup", "Environment", "Mounts", "Command",
		"Args", "Limits", "Requests"}
)

// nest indents states of containers that are at the left margin, and reports whether there were any.
func nest(lines []string) bool {
	if !slices.ContainsFunc(lines, func(l string) bool { return flatState.MatchString(l) || flatRow.MatchString(l) }) {
		return false
	}
	changed, within, inState := false, false, false
	for i, line := range lines {
		key := ""
		if m := flatKey.FindStringSubmatch(line); m != nil {
			key = m[1]
		}
		switch {
		case nameOnly.MatchString(line) && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "Container ID:"):
			lines[i], within, changed = "  "+line, true, true
		case slices.Contains(ofContainers, key):
			inState = key == "State" || key == "Last State"
			within = within || inState
			lines[i], changed = "    "+line, true
		case within && inState &&
			(describe.OfState(key) || strings.HasPrefix(line, " ") && strings.TrimSpace(line) != ""):
			lines[i], changed = "      "+strings.TrimLeft(line, " "), true
		case flatRow.MatchString(line):
			m := flatRow.FindStringSubmatch(line)
			lines[i] = "  " + strings.Join(m[1:], "  ")
			within, inState, changed = false, false, true
		}
	}
	return changed
}
