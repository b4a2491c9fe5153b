package textkind

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file recognizes what people wrote, and what is no container's output.

// Personal reports whether a person's text surrounds program output, from its first line: no program's output begins
// with a sentence, a title, a fence or a prompt.
func Personal(text string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return begun.MatchString(line) || naming.Prose(line) && !anError.MatchString(line)
}

var begun = regexp.MustCompile("^(?:```|[#$] |[❯➜λ»] ?)")

// Error reports whether a program reports an error in a line, by its own log level.
func Error(line string) bool { return anError.MatchString(line) }

var anError = regexp.MustCompile(`\b(?:FATAL|PANIC|CRITICAL|SEVERE)\b|(?:^|[\s|\]])\[emerg\] |` +
	`(?:^|[\s|\]])ERROR\b|\blevel=(?:error|fatal|panic)\b|` +
	`"(?:level|severity|error_severity)":\s?"(?i:error|fatal|panic|critical)"|(?:^|\s)[\w.]+(?:Error|Exception): |` +
	`^Traceback \(most recent|^E\d{4} \d\d:`)

// controllers matches a controller's log line: for people (zap's console encoder), with an object after it, or entirely
// an object that names the controller (sigs.k8s.io/controller-runtime pkg/internal/controller).
var controllers = regexp.MustCompile(`^\s*(?:\d{4}-\d\d-\d\dT\S+\t(?:DEBUG|INFO|WARN|ERROR)\t|` +
	`(?:\d{4}-\d\d-\d\dT\S+\s+)?\{[^\n]*"(?:controller|controllerKind|reconcileID)": ?")`)

// ofEvents reports whether a text has records of events, each with its reason, its message, and its object.
func ofEvents(text []byte) bool {
	if bytes.Contains(text, []byte("apiVersion")) || bytes.Contains(text, []byte("ontainerStatuses")) {
		return false // an object, which has its own readers, and its container's message
	}
	for _, key := range [][]string{{"reason"}, {"message"}, {"kind", "object", "involvedObject", "type"}} {
		if !slices.ContainsFunc(key, func(k string) bool {
			return bytes.Contains(text, []byte(`"`+k+`":`)) || bytes.Contains(text, []byte("  "+k+": "))
		}) {
			return false
		}
	}
	return true
}

// Vouched reports whether records are no container's output, though they look like it: the log of a controller that is
// the only input, and a table of events that a person saved as CSV.
func Vouched(text []byte, alone bool) bool {
	head, _, _ := bytes.Cut(bytes.ToLower(text[:min(len(text), maxHead)]), []byte("\n"))
	// as consoles copy a table
	head = bytes.ReplaceAll(head, []byte("\t"), []byte(","))
	return alone && (controllers.Match(text) || bytes.Contains(text, []byte(`"parentObject":`)) || // k8sgpt analyze
		ofEvents(text)) ||
		bytes.Contains(head, []byte(",reason,")) && bytes.Contains(head, []byte(",message"))
}

// maxHead is how much of a table's header is read.
const maxHead = 4 << 10
