package textlog

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// Envelope is what surrounds a message on one line. Its strings are substrings of the line.
type Envelope struct {
	at      stamp
	host    string
	Unit    string // or syslog identifier
	pid     int
	kernel  bool
	Message string
	// header and rest are those of a message that begins with klog's header; for formats with one message per line.
	header klogline.Header
	rest   string
	// part: the message continues in the next line (container logs).
	part bool
}

// cut parses a line of a format with one message per line into e, which is reused for lines of one format. It allocates
// nothing.
func cut(f Format, line string, e *Envelope) (ok bool) {
	var rest string
	switch f {
	case FormatKlog, FormatBare:
		// The only format without host and writer: those fields stay empty.
		if e.header, e.rest, ok = klogline.ParseHeader(line); ok {
			e.Message, e.at, e.pid = line, klogStamp(e.header), e.header.PID
		}
		return ok
	case FormatSyslog:
		e.at, rest, ok = SyslogStamp(withoutPriority(line))
	case FormatISO:
		e.at, rest, ok = ISOStamp(withoutPriority(line))
	case FormatFull, FormatFullLocal:
		e.at, _, rest, ok = fullStamp(line)
		ok = ok && (e.at.zoned || f == FormatFullLocal)
	case FormatUnix:
		e.at, rest, ok = unixStamp(line)
	case FormatMonotonic:
		e.at, rest, ok = monotonicStamp(line)
	case FormatRFC5424:
		return e.rfc5424(line)
	case FormatRecord:
		return e.record(line)
	case FormatTalos:
		return e.talos(line)
	}
	return ok && e.Identify(rest)
}

// Inner returns what the header of syslog before a message says of its writer, in any of its forms: an agent that reads
// a node's log ships the whole line. It is false for a message without one. A time of ISO 8601 stands before the lines
// of many programs: there the writer must be one that is read, or have a process.
func Inner(line string) (host, unit string, pid int, message string, ok bool) {
	var e Envelope
	switch {
	case cut(FormatSyslog, line, &e), cut(FormatRFC5424, line, &e):
	case cut(FormatISO, line, &e) && (e.pid > 0 || slices.Contains(statement.Identifiers(), e.Unit)):
	default:
		return "", "", 0, "", false
	}
	return e.host, e.Unit, e.pid, e.Message, true
}

// separator stands between the fields of a record.
const separator = '\x1f'

// record parses a line that package unwrap wrote: time, host, unit, process, message.
func (e *Envelope) record(line string) (ok bool) {
	var fields [4]string
	rest := line
	for i := range fields {
		at := strings.IndexByte(rest, separator)
		if at < 0 {
			return false
		}
		fields[i], rest = rest[:at], rest[at+1:]
	}
	t, zone, ok := dateOf(fields[0])
	if !ok || zone == "" || zone[0] != 'T' {
		return false
	}
	if t.clock, zone, ok = clockOf(zone[1:]); !ok || zone != "Z" {
		return false
	}
	t.zoned = true
	e.at, e.host, e.Unit, e.Message = t, fields[1], fields[2], rest
	e.pid, _ = digits(fields[3])
	e.whole()
	return true
}

// talos parses a record of the kernel's log as talosctl prints it: "kern: info: [2026-11-21T07:21:31.8Z]: text", with
// the node's address in front if there were several nodes. Talos's own messages there have another facility.
func (e *Envelope) talos(line string) bool {
	head, rest, ok := strings.Cut(line, ": [")
	if !ok || len(head) > 300 {
		return false
	}
	if i := strings.LastIndexByte(head, ' '); i < 0 || strings.Trim(head[i+1:], "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	} else {
		head, ok = strings.CutSuffix(strings.TrimRight(head[:i], " "), ":") // the level is right-aligned
	}
	facility := head[strings.LastIndexByte(head, ' ')+1:]
	if !ok || facility == "" || strings.Trim(facility, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return false
	}
	t, rest, ok := dateOf(rest)
	if !ok || rest == "" || rest[0] != 'T' {
		return false
	}
	if t.clock, rest, ok = clockOf(rest[1:]); !ok {
		return false
	}
	text, ok := strings.CutPrefix(rest, "Z]: ")
	t.zoned = true
	e.at, e.host, e.Unit, e.pid, e.Message = t, "", facility, 0, text
	if host, more := strings.CutSuffix(head, ": "+facility); more && !strings.ContainsAny(host, " \t") {
		e.host = host
	}
	if e.kernel = facility == "kern"; e.kernel {
		e.Unit = "kernel"
	} else if strings.HasPrefix(text, "[talos] ") {
		e.Unit = hostlog.Talos
	}
	return ok
}

// behind parses the header of the message, where cut did not.
func (e *Envelope) behind() {
	e.Unit, e.Message = statement.Inner(e.Unit, e.Message)
	e.header, e.rest, _ = klogline.ParseHeader(e.Message)
}

// withoutPriority removes the "<30>" of RFC 3164.
func withoutPriority(s string) string {
	if s == "" || s[0] != '<' {
		return s
	}
	if end := strings.IndexByte(s, '>'); end > 1 && end < 5 {
		if _, ok := digits(s[1:end]); ok {
			return s[end+1:]
		}
	}
	return s
}

// rfc5424 parses "<30>1 2026-11-21T07:21:31.8Z n1 kubelet 80 - [data] text".
func (e *Envelope) rfc5424(line string) bool {
	rest, ok := strings.CutPrefix(withoutPriority(line), "1 ")
	if !ok || line[0] != '<' {
		return false
	}
	if e.at, rest, ok = ISOStamp(rest); !ok {
		return false
	}
	var fields [4]string // host, program, process id, message id
	for i := range fields {
		if fields[i], rest, ok = strings.Cut(rest, " "); !ok || fields[i] == "" {
			return false
		}
		if fields[i] == "-" {
			fields[i] = ""
		}
	}
	if rest, ok = withoutData(rest); !ok {
		return false
	}
	e.host, e.Unit, e.Message = fields[0], fields[1], strings.TrimPrefix(rest, "\ufeff")
	e.pid, _ = digits(fields[2])
	e.whole()
	return true
}

// withoutData skips the structured data: "-" or "[id key="va\"lue"][…]".
func withoutData(s string) (rest string, ok bool) {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return strings.TrimPrefix(rest, " "), true
	}
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ']' && !quoted && (i+1 == len(s) || s[i+1] != '['):
			return strings.TrimPrefix(s[i+1:], " "), s[0] == '['
		}
	}
	return "", false
}

// Identify parses "n1 kubelet[80]: text", with a unit instead of the identifier in journalctl's with-unit.
func (e *Envelope) Identify(s string) bool {
	host, rest, ok1 := strings.Cut(s, " ")
	if len(host) > 1 && strings.HasSuffix(host, ":") {
		host, rest = "", s // the host was cut out, as people do before posting
	}
	head, text, ok2 := strings.Cut(rest, ": ")
	if !ok2 {
		head, ok2 = strings.CutSuffix(rest, ":")
	}
	if !ok1 || !ok2 || head == "" || strings.ContainsAny(head, " \t") && !strings.HasPrefix(head, "systemd") {
		return false
	}
	e.host, e.Unit, e.Message, e.pid = host, head, text, 0
	if i := strings.IndexByte(head, '['); i >= 0 {
		e.Unit = head[:i]
		e.pid, _ = digits(strings.TrimSuffix(head[i+1:], "]"))
	}
	// A unit of a user's manager follows the manager's own.
	e.Unit = e.Unit[strings.LastIndexByte(e.Unit, '/')+1:]
	e.whole()
	return true
}

// whole sets what follows from the writer.
func (e *Envelope) whole() {
	e.kernel = e.Unit == "kernel"
	if e.kernel {
		if _, text, ok := kernel.Uptime(e.Message); ok { // rsyslog keeps "[  123.456] "
			e.Message = text
		}
	}
}

// Printed reports whether a line is one that a container printed, as runtimes write it into their files (CRI).
func Printed(line string) bool {
	_, ok := containerLine(line)
	return ok
}

// containerLine parses "2026-11-21T07:24:45.4Z stderr F text" (CRI); a line tagged P continues in the next one.
func containerLine(s string) (e Envelope, ok bool) {
	at, rest, ok := ISOStamp(s)
	if !ok {
		return e, false
	}
	stream, rest, _ := strings.Cut(rest, " ")
	tag, text, found := strings.Cut(rest, " ")
	tag, _, _ = strings.Cut(tag, ":") // more tags may follow
	if !found || stream != "stdout" && stream != "stderr" || tag != "F" && tag != "P" {
		return e, false
	}
	return Envelope{at: at, Message: text, part: tag == "P"}, true
}
