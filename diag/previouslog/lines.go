package previouslog

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	// MaxLines is how many lines are kept from the end of a log.
	MaxLines = 20
	// MaxBytes is the most that is kept of a log.
	MaxBytes = 4 << 10
)

// Line is one line of an application. At is when the runtime received it, by the node's clock.
type Line struct {
	At   time.Time
	Text safetext.Text
}

// Log is the end of a container's log.
type Log struct {
	Lines []Line
	// Earlier says that it wrote more before.
	Earlier bool
}

// parse parses an answer with timestamps. A line without one is not the application's: kubelets write their own errors
// into the answer (said). No line is longer than a runtime's entry.
func parse(raw string) (log Log, said string) {
	var at []time.Time
	var texts, own []string
	for line := range strings.Lines(raw) {
		line = strings.TrimRight(line, "\n")
		stamp, text, _ := strings.Cut(line, " ")
		t, err := time.Parse(time.RFC3339Nano, stamp)
		if err != nil {
			own = append(own, line)
			continue
		}
		at, texts = append(at, t.UTC()), append(texts, text)
	}
	log.Earlier = len(texts) >= asked
	texts = redacted(texts)
	left := MaxBytes
	for i := len(texts) - 1; i >= 0; i-- {
		text := safetext.Clean(texts[i])
		n := len(text.String())
		if n > left && len(log.Lines) == 0 { // the start of an overlong last line shows what it is
			text, n = safetext.Clean(firstBytes(text.String(), MaxBytes)+"…"), left
		}
		if n > left || len(log.Lines) == MaxLines {
			log.Earlier = true
			break
		}
		left -= n
		log.Lines = append(log.Lines, Line{At: at[i], Text: text})
	}
	slices.Reverse(log.Lines)
	return log, safetext.Clean(strings.TrimSpace(strings.Join(own, " "))).String()
}

// firstBytes is the start of a text, without a broken rune at its end.
func firstBytes(s string, n int) string { return strings.ToValidUTF8(s[:n], "") }

// encoded matches a line of only base64, as in keys and certificates.
var encoded = regexp.MustCompile(`^\s*[A-Za-z0-9+/_-]{40,}={0,2}\s*$`)

// redacted removes secrets from consecutive lines, and returns as many lines. A secret that began before the first line
// is recognized by its end, or by its content.
func redacted(lines []string) []string {
	var stream secrets.Cleaner
	out := make([]string, len(lines))
	begun := false
	for i, line := range lines {
		out[i] = stream.Line("", line)
		begins, ends := strings.Index(line, "-----BEGIN "), strings.Index(line, "-----END ")
		if !begun && ends >= 0 && (begins < 0 || ends < begins) {
			for j := range i + 1 {
				out[j] = secrets.Mark
			}
			begun = true
		}
		begun = begun || begins >= 0
		if encoded.MatchString(line) && strings.ToLower(line) != line && strings.ToUpper(line) != line {
			out[i] = secrets.Mark
		}
	}
	return out
}
