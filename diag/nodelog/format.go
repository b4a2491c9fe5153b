package nodelog

import (
	"bytes"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/runtimelog"
)

// Format is the envelope of a log file.
type Format string

// The formats.
const (
	FormatUnknown   Format = ""
	FormatExport    Format = "journal-export"
	FormatSyslog    Format = "syslog"    // "Nov 21 07:21:31[.823345] n1 kubelet[80]: text": journalctl short, short-precise
	FormatISO       Format = "iso"       // "2026-11-21T07:21:31+0000 n1 kubelet[80]: text": journalctl short-iso, rsyslog
	FormatContainer Format = "container" // "2026-11-21T07:21:31.4Z stderr F text": CRI container log
	FormatDockerLog Format = "docker"    // {"log":"text\n","stream":"stderr","time":"…"}
	FormatKlog      Format = "klog"      // "I1121 07:24:45.454287   24911 kubelet.go:1823] text"
	FormatKlogJSON  Format = "klog-json" // {"ts":…,"caller":"…","msg":"…"}
	FormatLogfmt    Format = "logfmt"    // time="…" level=info msg="…"
	FormatKernel    Format = "kernel"    // "[  123.456] text", "6,1,2,-;text"
	FormatBinary    Format = "binary"
)

// sniffLines is how many lines decide.
const sniffLines = 200

// Sniff tells the format of a file from its beginning (64 KiB are plenty): the
// one that most lines have. Lines that continue a message have none.
func Sniff(head []byte) Format {
	if bytes.HasPrefix(head, []byte("__CURSOR=")) || bytes.HasPrefix(head, []byte("__REALTIME_TIMESTAMP=")) {
		return FormatExport
	}
	if binary(head) {
		return FormatBinary
	}
	votes := map[Format]int{}
	best := FormatUnknown
	n := 0
	for line := range bytes.Lines(head) {
		if n++; n > sniffLines {
			break
		}
		f := lineFormat(strings.TrimRight(string(line), "\r\n"))
		if f == FormatUnknown {
			continue
		}
		if votes[f]++; votes[f] > votes[best] || best == FormatUnknown {
			best = f
		}
	}
	return best
}

// binary: text has no zero bytes, and few bytes that are not printable.
func binary(head []byte) bool {
	strange := 0
	for _, c := range head {
		if c == 0 {
			return true
		}
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != 0x1b {
			strange++
		}
	}
	return strange*20 > len(head)
}

func lineFormat(s string) Format {
	if s == "" {
		return FormatUnknown
	}
	switch {
	case s[0] == '{' && strings.Contains(s, `"log":`) && strings.Contains(s, `"stream":`):
		return FormatDockerLog
	case s[0] == '{' && strings.Contains(s, `"ts":`) && strings.Contains(s, `"msg":`):
		return FormatKlogJSON
	case strings.HasPrefix(s, "# kmsg "), s[0] == '[', s[0] == '<', kmsgLine(s):
		return FormatKernel
	}
	if _, _, ok := kubeletlog.ParseHeader(s); ok {
		return FormatKlog
	}
	if _, ok := runtimelog.Time(s); ok {
		return FormatLogfmt
	}
	if _, _, ok := containerLine(s); ok {
		return FormatContainer
	}
	if _, _, ok := isoStamp(s); ok {
		return FormatISO
	}
	if _, ok := syslogStamp(s); ok {
		return FormatSyslog
	}
	return FormatUnknown
}

// kmsgLine: priority,sequence,microseconds,flags[,caller=T42];text
func kmsgLine(s string) bool {
	head, _, ok := strings.Cut(s, ";")
	head, _, _ = strings.Cut(head, ",caller=")
	return ok && len(head) < 80 && strings.Count(head, ",") >= 3 && strings.Trim(head, "0123456789,-c+") == ""
}

// yearless is a time that came without a year.
type yearless struct {
	month time.Month
	day   int
	clock time.Duration
	rest  string // after the time and a blank
}

var months = map[string]time.Month{"Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11, "Dec": 12}

// syslogStamp reads "Nov 21 07:21:31" or "Nov  1 07:21:31.823345" and what
// follows.
func syslogStamp(s string) (yearless, bool) {
	const short = len("Nov 21 07:21:31")
	if len(s) < short+2 || s[3] != ' ' || s[6] != ' ' || s[9] != ':' || s[12] != ':' {
		return yearless{}, false
	}
	y := yearless{month: months[s[:3]]}
	day, ok1 := digits(strings.TrimLeft(s[4:6], " "))
	hour, ok2 := digits(s[7:9])
	minute, ok3 := digits(s[10:12])
	second, ok4 := digits(s[13:15])
	if y.month == 0 || !ok1 || !ok2 || !ok3 || !ok4 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60 {
		return yearless{}, false
	}
	y.day = day
	y.clock = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	rest := s[short:]
	if rest[0] == '.' {
		frac, after, found := strings.Cut(rest[1:], " ")
		n, ok := digits(frac)
		if !found || !ok || len(frac) > 9 {
			return yearless{}, false
		}
		for range 9 - len(frac) {
			n *= 10
		}
		y.clock += time.Duration(n)
		rest = " " + after
	}
	if rest[0] != ' ' {
		return yearless{}, false
	}
	y.rest = rest[1:]
	return y, true
}

// isoStamp reads an RFC 3339 time, also with +0000 (journalctl short-iso), and
// what follows.
func isoStamp(s string) (time.Time, string, bool) {
	if len(s) < len("2026-11-21T07:21:31Z ") || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' {
		return time.Time{}, "", false
	}
	stamp, rest, ok := strings.Cut(s, " ")
	if !ok || len(stamp) > 40 {
		return time.Time{}, "", false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999-0700"} {
		if t, err := time.Parse(layout, strings.Replace(stamp, ",", ".", 1)); err == nil {
			return t, rest, true
		}
	}
	return time.Time{}, "", false
}

// containerLine reads "2026-11-21T07:24:45.4Z stderr F text"; part is true for a
// line that goes on in the next one (P).
func containerLine(s string) (at time.Time, line partial, ok bool) {
	at, rest, ok := isoStamp(s)
	if !ok {
		return time.Time{}, partial{}, false
	}
	stream, rest, _ := strings.Cut(rest, " ")
	tag, text, found := strings.Cut(rest, " ")
	if !found || stream != "stdout" && stream != "stderr" || tag != "F" && tag != "P" {
		return time.Time{}, partial{}, false
	}
	return at, partial{text: text, more: tag == "P"}, true
}

// partial is a line of a container log.
type partial struct {
	text string
	more bool
}

// identified splits "n1 kubelet[80]: text" into its parts.
func identified(s string) (host, ident string, pid int, text string, ok bool) {
	host, rest, ok1 := strings.Cut(s, " ")
	head, text, ok2 := strings.Cut(rest, ": ")
	if !ok2 {
		head, ok2 = strings.CutSuffix(rest, ":")
	}
	if !ok1 || !ok2 || head == "" || strings.ContainsAny(head, " \t") && !strings.HasPrefix(head, "systemd") {
		return "", "", 0, "", false
	}
	ident = head
	if name, number, bracket := strings.Cut(head, "["); bracket {
		ident = name
		pid, _ = digits(strings.TrimSuffix(number, "]"))
	}
	return host, ident, pid, text, true
}

func digits(s string) (int, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
