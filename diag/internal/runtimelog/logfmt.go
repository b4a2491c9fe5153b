package runtimelog

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// message returns the value of msg= in a logfmt line as logrus writes it, and the rest of the line. A line without msg=
// is not a runtime's.
func message(s string) (msg, rest string, ok bool) {
	i := strings.Index(s, "msg=")
	if i < 0 || i > 0 && s[i-1] != ' ' {
		return "", "", false
	}
	s = s[i+len("msg="):]
	if !strings.HasPrefix(s, `"`) {
		msg, rest, _ = strings.Cut(s, " ")
		return msg, rest, true
	}
	raw, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", false // cut in the middle of the message
	}
	rest = s[len(raw):]
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], rest, true
	}
	msg, err = strconv.Unquote(raw)
	return msg, rest, err == nil
}

// jsonMessage reads a line that logrus wrote as JSON (containerd [debug] format, CRI-O log_format, dockerd log-format:
// "json"). It returns the fields as in logfmt.
func jsonMessage(s string) (msg, rest string, ok bool) {
	var fields map[string]any
	if json.Unmarshal([]byte(s), &fields) != nil {
		return "", "", false
	}
	msg, ok = fields["msg"].(string)
	for key, v := range fields {
		switch v := v.(type) {
		case string:
			if key != "msg" {
				rest += " " + key + "=" + strconv.Quote(v)
			}
		case float64: // PID
			rest += " " + key + "=" + strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return msg, rest, ok
}

// field returns the value of a key in the fields after the message.
func field(rest, key string) string {
	i := strings.Index(rest, " "+key+"=")
	if i < 0 {
		return ""
	}
	v := rest[i+len(key)+2:]
	if raw, err := strconv.QuotedPrefix(v); err == nil {
		if u, err := strconv.Unquote(raw); err == nil {
			return u
		}
	}
	v, _, _ = strings.Cut(v, " ")
	return v
}

// levels are logrus's level names in terminal output (text_formatter.go printColored).
var levels = map[string]string{"TRAC": "trace", "DEBU": "debug", "INFO": "info", "WARN": "warning", "ERRO": "error",
	"FATA": "fatal", "PANI": "panic"}

// terminalField is the start of the fields after the message. logrus pads with blanks before it, which pasting may
// collapse.
var terminalField = regexp.MustCompile(`\s+[A-Za-z_][\w.]*=`)

// terminal splits a line that logrus wrote for a terminal: "INFO[2023-03-05T10:12:45Z] shim disconnected     id=…".
func terminal(s string) (level, stamp, rest string, ok bool) {
	if len(s) < len("INFO[0000] ") || s[4] != '[' {
		return "", "", "", false
	}
	stamp, rest, ok = strings.Cut(s[5:], "] ")
	level = levels[s[:4]]
	return level, stamp, rest, ok && level != ""
}

// Logged reports whether logrus wrote the line, as runtimes do.
func Logged(s string) bool {
	if strings.HasPrefix(s, `time="`) || ownJSON(s) {
		return true
	}
	_, _, _, ok := terminal(s)
	return ok
}

// ownJSON reports whether a line that logrus wrote as JSON is a runtime's, by its message: other programs use it, too.
func ownJSON(s string) bool {
	return strings.HasPrefix(s, `{"`) && strings.Contains(s, `"level":"`) && worthReading(s)
}

// logfmt returns a line in the form that logrus writes to a file, even if it was written for a terminal.
func logfmt(s string) string {
	level, stamp, rest, ok := terminal(s)
	if !ok {
		return s
	}
	msg, fields := rest, ""
	if at := terminalField.FindStringIndex(rest); at != nil {
		msg, fields = rest[:at[0]], rest[at[0]:]
	}
	return `time="` + stamp + `" level=` + level + " msg=" + strconv.Quote(strings.TrimRight(msg, " ")) + " " +
		strings.TrimLeft(fields, " ")
}

// Time reads the time="…" at the start of a line, or the time of one in JSON: RFC 3339 (containerd, docker) or with a
// blank between date and time (CRI-O). It is for lines whose envelope has no time.
func Time(s string) (time.Time, bool) {
	_, stamp, _, shown := terminal(s)
	if ownJSON(s) {
		_, s, _ = strings.Cut(s, `"time":"`)
		s = `time="` + s
	}
	s, ok := strings.CutPrefix(s, `time="`)
	ok, closed := ok || shown, shown
	if !shown {
		stamp, _, closed = strings.Cut(s, `"`)
	}
	if !ok || !closed || len(stamp) < len("2006-01-02T15:04:05") {
		return time.Time{}, false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00"} {
		if t, err := time.Parse(layout, stamp); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// ahead is how much later than its envelope says a line may have been written: envelopes may have whole seconds.
// stalled is how late a stalled journal may be.
const (
	ahead   = time.Second
	stalled = time.Hour
)

// Written returns the time that the runtime itself put in the line: a busy or stalled journal has the time at which it
// received the line. dated reports whether there is one that fits.
func Written(e *evidence.Entry) (at time.Time, dated bool) {
	own, ok := Time(e.Message)
	if !ok || e.Time.IsZero() {
		return e.Time, false
	}
	if late := e.Time.Sub(own); late < -ahead || late > stalled {
		return e.Time, false
	}
	return own.UTC(), true
}
