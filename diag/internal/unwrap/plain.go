package unwrap

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

// Plain returns a text in which each record that a program logged as JSON on a line of its own (zap, Bunyan, slog,
// logrus, tracing) is written as people read a log: its time, its message, and its other fields as key=value.
func Plain(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if plain := plainRecord(line); plain != "" {
			line = plain + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// plainRecord returns one record as a line, "" for any other line.
func plainRecord(line string) string {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, `{"`) || !strings.HasSuffix(line, "}") {
		return ""
	}
	f, ok := field.Parse([]byte(line))
	message, name := f.First([]string{"msg", "message"}) // a store has other names
	at := f.Time()
	if !ok || message == "" || at.IsZero() || f["apiversion"] != "" || speaks(message) ||
		f["level"] == "" && speaks(line) {
		return ""
	}
	if tag, rest, tagged := strings.Cut(message, "] "); tagged && strings.HasPrefix(tag, "[") {
		message = rest // its logger's name, or the kind of the line
	}
	out := at.UTC().Format(time.RFC3339) + " " + strings.Join(strings.Fields(message), " ")
	for _, key := range slices.Sorted(maps.Keys(f)) {
		if key != name && !slices.Contains(field.TimeNames, key) && !strings.ContainsAny(key+f[key], "\n\"") {
			out += " " + key + "=" + f[key]
		}
	}
	return out
}
