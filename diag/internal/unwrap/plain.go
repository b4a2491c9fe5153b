package unwrap

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

// Plain returns a text in which each record that a program logged as JSON on a line of its own (zap, Bunyan, slog,
// logrus, tracing) is written as people read a log: its time, its message, and its other fields as key=value. A line
// out of a container's log file is written without the runtime's marks, as kubectl logs --timestamps has it.
func Plain(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = ofRuntime.ReplaceAllString(line, "$1 ")
		if plain := plainRecord(line); plain != "" {
			line = plain + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// ofRuntime matches what a runtime writes before a line (k8s.io/cri-client pkg/logs parseCRILog).
var ofRuntime = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\S+) (?:stdout|stderr) [FP] `)

// plainRecord returns one record as a line, "" for any other line.
func plainRecord(line string) string {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, `{"`) || !strings.HasSuffix(line, "}") {
		return ""
	}
	f, ok := field.Parse([]byte(line))
	message, name := f.First([]string{"msg", "message"}) // a store has other names
	if len(f) == 3 && f["stream"] != "" {                // docker's json-file
		name, message = "log", f["log"]
	}
	at := f.Time()
	if !ok || message == "" || at.IsZero() || f["apiversion"] != "" || speaks(message) ||
		f["level"] == "" && name != "log" && speaks(line) {
		return ""
	}
	if tag, rest, tagged := strings.Cut(message, "] "); tagged && strings.HasPrefix(tag, "[") {
		message = rest // its logger's name, or the kind of the line
	}
	out := at.UTC().Format(time.RFC3339) + " " + strings.Join(strings.Fields(message), " ")
	for _, key := range slices.Sorted(maps.Keys(f)) {
		if key != name && key != "stream" && !slices.Contains(field.TimeNames, key) &&
			!strings.ContainsAny(key+f[key], "\n\"") {
			out += " " + key + "=" + f[key]
		}
	}
	return out
}
