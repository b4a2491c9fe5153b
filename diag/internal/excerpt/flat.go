package excerpt

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// This file restores the indentation of descriptions that a form, a mail or a trouble ticket removed: their keys show
// the nesting (kubectl pkg/describe/describe.go describeContainers, DescribeEvents).

var (
	flatKey   = regexp.MustCompile(`^([A-Z][A-Za-z ]{2,18}):(?:\s|$)`)
	flatState = regexp.MustCompile(`^(?:Last State:|State: (?:Terminated|Waiting))`)
	flatRow   = regexp.MustCompile(`^\W?(Normal|Warning) ([A-Z]\w+) ` +
		`((?:\d+[smhdy])+(?: \(x\d+ over (?:\d+[smhdy])+\))?) (\S+) (\S.*?)\W?$`)
	flatSize = regexp.MustCompile(`^\s*(?:cpu|memory|ephemeral-storage|hugepages-\w+|[\w.-]+/[\w.-]+):\s`)
	// broken is a line of a description that may be broken, topKey one that begins another section.
	broken = regexp.MustCompile(`^\s{2,}(?:[A-Z][A-Za-z ]+:|Normal|Warning)\s+\S`)
	topKey = regexp.MustCompile(`^[A-Z][A-Za-z -]{1,24}:`)
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
	changed, within, inState, inSizes := false, false, false, false
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
			inSizes = key == "Limits" || key == "Requests"
			within = within || inState
			lines[i], changed = "    "+line, true
		case inSizes && flatSize.MatchString(line):
			lines[i], changed = "      "+strings.TrimLeft(line, " "), true
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

// rejoin joins the lines of a description that a terminal broke at its width: only there does a line at the left margin
// that is no key follow one of a section.
func rejoin(lines []string) ([]string, bool) {
	width := 0
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(line))
	}
	out, changed := lines[:0:0], false
	for i := 0; i < len(lines); i++ {
		line, last := lines[i], lines[i]
		for width >= 60 && i+1 < len(lines) && utf8.RuneCountInString(last) == width && broken.MatchString(line) &&
			lines[i+1] != "" && lines[i+1][0] > ' ' && !topKey.MatchString(lines[i+1]) {
			i++
			last = lines[i]
			line, changed = line+last, true
		}
		out = append(out, line)
	}
	return out, changed
}
