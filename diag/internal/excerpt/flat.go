package excerpt

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/markup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/typed"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
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

// nest indents states of containers that are at the left margin.
func nest(lines []string) {
	if !slices.ContainsFunc(lines, func(l string) bool { return flatState.MatchString(l) || flatRow.MatchString(l) }) {
		return
	}
	within, inState, inSizes := false, false, false
	for i, line := range lines {
		key := ""
		if m := flatKey.FindStringSubmatch(line); m != nil {
			key = m[1]
		}
		switch {
		case nameOnly.MatchString(line) && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "Container ID:"):
			lines[i], within = "  "+line, true
		case slices.Contains(ofContainers, key):
			inState = key == "State" || key == "Last State"
			inSizes = key == "Limits" || key == "Requests"
			within = within || inState
			lines[i] = "    " + line
		case inSizes && flatSize.MatchString(line):
			lines[i] = "      " + strings.TrimLeft(line, " ")
		case within && inState &&
			(describe.OfState(key) || strings.HasPrefix(line, " ") && strings.TrimSpace(line) != ""):
			lines[i] = "      " + strings.TrimLeft(line, " ")
		case flatRow.MatchString(line):
			m := flatRow.FindStringSubmatch(line)
			lines[i] = "  " + strings.Join(m[1:], "  ")
			within, inState = false, false
		}
	}
}

// remargin gives the first line of a piece of a container's description the margin of the others, which people leave
// out when they select it.
func remargin(lines []string) {
	for i, line := range lines {
		if !ofContainer(line) || i > 0 && strings.HasPrefix(lines[i-1], " ") {
			continue
		}
		for _, next := range lines[i+1 : min(len(lines), i+mostBelow)] {
			bare := strings.TrimLeft(next, " ")
			if margin := len(next) - len(bare); margin > 0 && ofContainer(bare) {
				lines[i] = next[:margin] + line
			} else if margin > 0 {
				continue
			}
			break
		}
	}
}

// mostBelow is more than the lines below a state.
const mostBelow = 8

func ofContainer(line string) bool {
	m := flatKey.FindStringSubmatch(line)
	return m != nil && slices.Contains(ofContainers, m[1])
}

// rejoin joins the lines of a description that a terminal broke at its width: only there does a line at the left margin
// that is no key follow one of a section. Any text has a longest line, and another output may follow it.
func rejoin(lines []string) []string {
	width := 0
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(line))
	}
	out := lines[:0:0]
	for i := 0; i < len(lines); i++ {
		whole := lines[i : i+1]
		for width >= 60 && len(whole) < maxPieces && i+1 < len(lines) && utf8.RuneCountInString(lines[i]) == width &&
			broken.MatchString(whole[0]) && continues(lines[i+1]) {
			i++
			whole = whole[:len(whole)+1]
		}
		out = append(out, strings.Join(whole, ""))
	}
	return out
}

// maxPieces is how many lines one line of a description may fill.
const maxPieces = 64

// continues reports whether a line may be the rest of the one before.
func continues(line string) bool {
	if line == "" || line[0] <= ' ' || topKey.MatchString(line) || describe.IsHead(line) || textlog.IsLine(line) {
		return false
	}
	_, mark := markup.Separator(line)
	_, prompt := typed.Of(line)
	return !mark && !prompt
}
