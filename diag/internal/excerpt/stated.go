package excerpt

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// endOfPod is what a kubelet writes into the status of a pod that it ended, alone or after the name of its field.
var endOfPod = regexp.MustCompile(`^(?:(?:[Mm]essage|MESSAGE):\s+)?["']?((?:Pod )?The node was low on resource: |` +
	`The node had condition: \[|Pod ephemeral local storage usage exceeds the total limit|Container \S+ exceeded its local ephemeral storage limit|` +
	`Usage of EmptyDir volume "|Pod was terminated in response to imminent node shutdown|` +
	`Node is shutting(?: down)?, evicting pods|Pod was active on the node longer than the specified deadline)`)

// endWords are words of these sentences.
var endWords = []string{
	" was low on ",
	" had condition",
	"local ephemeral storage",
	"ephemeral local storage",
	"EmptyDir",
	"node shutdown",
	"Node is shutting",
	"specified deadline",
}

// inRow is such a sentence after other fields of a pod, as a jsonpath or a table of columns prints them.
var inRow = regexp.MustCompile(`^\s*(?:([a-z0-9-]{1,63})(?:\t+|\s{2,}|/))?([a-z0-9][a-z0-9.-]{0,251}[a-z0-9])` +
	`(?:\s+|[,:]\s*)(?:\S+(?:\s+|[,:]\s*))*?` +
	`((?:Pod )?The node was low on resource: .*|The node had condition: \[.*|` +
	`Pod was terminated in response to imminent node shutdown.*)$`)

// reasonsOf are the reasons for such messages (kubelet eviction/helpers.go, nodeshutdown, active_deadline.go).
var reasonsOf = []struct{ words, reason string }{
	{"imminent node shutdown", "Terminated"},
	{"Node is shutting", "Shutdown"}, // kubelet 1.20 and 1.21
	{"longer than the specified deadline", "DeadlineExceeded"},
}

// stated returns the pod of which only such a message was shown.
func (p Part) stated(at describe.Place) (pods []json.RawMessage) {
	if !endOfPod.MatchString(plainly(p.Lines[0])) {
		for _, line := range p.Lines {
			if m := inRow.FindStringSubmatch(line); m != nil {
				place := at
				place.Pod, place.Namespace = m[2], cmp.Or(m[1], at.Namespace)
				pods = append(pods, Part{Lines: []string{m[3]}}.stated(place)...)
			}
		}
		return pods
	}
	text := strings.Trim(strings.TrimSpace(statement(p.Lines)), "*`")
	if _, rest, ok := strings.Cut(text, "essage:"); ok && endOfPod.MatchString(text) {
		text = strings.TrimSpace(rest)
	}
	text = strings.Trim(text, `"'`)
	reason := "Evicted"
	for _, r := range reasonsOf {
		if strings.Contains(text, r.words) {
			reason = r.reason
		}
	}
	return podrecord.Append(nil, asPod(object{}, object{"phase": "Failed", "reason": reason, "message": text}, at))
}

// statement returns the longest of consecutive sentences, each over as many lines as it takes.
func statement(lines []string) (longest string) {
	from := 0
	for i := range lines {
		if next := i + 1; next == len(lines) || endOfPod.MatchString(plainly(lines[next])) {
			if one := strings.Join(lines[from:next], " "); len(one) > len(longest) {
				longest = one
			}
			from = next
		}
	}
	return longest
}

// namesPod matches an event's message that names its pod.
var namesPod = regexp.MustCompile(`\bpod "?([a-z0-9][a-z0-9.-]{0,251})_([a-z0-9-]{1,63})\(|` +
	`(?:Successfully assigned|Marking for deletion Pod) ([a-z0-9-]{1,63})/([a-z0-9][a-z0-9.-]{0,251})|` +
	`Successfully assigned ([a-z0-9][a-z0-9.-]{0,251}) to `)

// namedIn returns the pod that an event's message names, and its namespace if it has that too.
func namedIn(line string) (pod, namespace string) {
	m := namesPod.FindStringSubmatch(line)
	if m == nil {
		return "", ""
	}
	return m[1] + m[4] + m[5], m[2] + m[3]
}
