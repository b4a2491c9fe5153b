package textlog

import (
	"bytes"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
)

// Format is the envelope of a log file.
type Format string

// The formats.
const (
	FormatUnknown Format = ""
	FormatExport  Format = "journal-export"
	FormatRecords Format = "journal-json"    // journalctl -o json, json-pretty, json-seq, json-sse
	FormatVerbose Format = "journal-verbose" // "Sat 2026-11-21 07:21:31.823345 UTC [s=…;t=…]", then "    MESSAGE=text"
	// "Nov 21 07:21:31[.823345] n1 kubelet[80]: text": journalctl short, short-precise; RFC 3164, also with "<30>"
	FormatSyslog Format = "syslog"
	// "2026-11-21T07:21:31+0000 n1 kubelet[80]: text": journalctl short-iso, short-iso-precise, rsyslog
	FormatISO     Format = "iso"
	FormatRFC5424 Format = "rfc5424" // "<30>1 2026-11-21T07:21:31.8Z n1 kubelet 80 - - text"
	// "Sat 2026-11-21 07:21:31 UTC n1 kubelet[80]: text": journalctl short-full, with-unit
	FormatFull      Format = "full"
	FormatFullLocal Format = "full-local" // the same with the abbreviation of another zone
	FormatUnix      Format = "unix"       // "1795245885.454287 n1 kubelet[80]: text": journalctl short-unix
	FormatMonotonic Format = "monotonic"  // "[    5.123456] n1 kubelet[80]: text": journalctl short-monotonic
	FormatContainer Format = "container"  // "2026-11-21T07:21:31.4Z stderr F text": CRI container log
	FormatDockerLog Format = "docker"     // {"log":"text\n","stream":"stderr","time":"…"}
	FormatKlog      Format = "klog"       // "I1121 07:24:45.454287   24911 kubelet.go:1823] text"
	FormatKlogJSON  Format = "klog-json"  // {"ts":…,"caller":"…","msg":"…"}
	FormatLogfmt    Format = "logfmt"     // time="…" level=info msg="…"
	// lines of klog and logfmt with nothing before either: one process writes both in k3s and RKE2, and journalctl -o cat
	// of several units prints them
	FormatBare   Format = "klog or logfmt"
	FormatKernel Format = "kernel" // "[  123.456] text", "6,1,2,-;text"
	// "kern: info: [2026-11-21T07:21:31.8Z]: text": talosctl dmesg, also with a node in front
	FormatTalos  Format = "talos"
	FormatRecord Format = "record" // package unwrap's form of a log store's records
	FormatBinary Format = "binary"
)

// sniffLines is how many lines of a known format are enough.
const sniffLines = 200

// Sniff detects the format of a file from its beginning (64 KiB are plenty): the one that most lines have. Continuation
// lines have none.
func Sniff(head []byte) Format {
	f, _ := Share(head)
	return f
}

// Share is Sniff, and also returns the share of the inspected lines that have the format: in a file of another kind, a
// few lines may look like a log's.
func Share(head []byte) (best Format, share float64) {
	if bytes.HasPrefix(head, []byte("__CURSOR=")) || bytes.HasPrefix(head, []byte("__REALTIME_TIMESTAMP=")) {
		return FormatExport, 1
	}
	if binary(head) {
		return FormatBinary, 1
	}
	journal := bytes.Contains(head, []byte(`"__REALTIME_TIMESTAMP"`)) || bytes.Contains(head, []byte(`"__CURSOR"`))
	votes := map[Format]int{}
	known, n := 0, 0
	for line := range bytes.Lines(head) {
		if known >= sniffLines {
			break
		}
		f := lineFormat(strings.TrimRight(string(line[:min(len(line), maxSniff)]), "\r\n"))
		if line[0] > ' ' { // else it continues the previous line
			n++
		}
		if f == FormatUnknown || f == FormatRecords && !journal {
			continue
		}
		known++
		if f == FormatRecords || f == FormatVerbose {
			return f, 1 // their other lines look like anything
		}
		if votes[f]++; votes[f] > votes[best] || best == FormatUnknown {
			best = f
		}
	}
	share = float64(votes[best])
	if klog, other := votes[FormatKlog], votes[FormatLogfmt]; best == FormatLogfmt && klog > 0 ||
		best == FormatKlog && other >= max(klog/leastOther, 1) { // fewer may be what containers made a kubelet print
		best, share = FormatBare, float64(klog+other)
	}
	return best, share / float64(max(n, 1))
}

// leastOther is how many times as many lines a kubelet may have as a runtime in a log of both.
const leastOther = 20

// maxSniff is how much of a line is inspected: the marks of JSON lines may come after a message.
const maxSniff = 8 << 10

// binary: text has few unprintable bytes. Some zero bytes are left in a log by a machine that loses its power.
func binary(head []byte) bool {
	strange := 0
	for _, c := range head {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != 0x1b && c != separator {
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
	case journal.IsRecord(s):
		return FormatRecords
	case journal.IsVerbose(s):
		return FormatVerbose
	case s[0] == '{' && strings.Contains(s, `"kubernetes":`): // a store's record
		return FormatUnknown
	case s[0] == '{' && strings.Contains(s, `"log":`) && strings.Contains(s, `"stream":`):
		return FormatDockerLog
	case klogJSON(s):
		return FormatKlogJSON
	case strings.IndexByte(s, separator) >= 0 && cut(FormatRecord, s, new(Envelope)):
		return FormatRecord
	}
	for _, f := range []Format{FormatKlog, FormatRFC5424, FormatSyslog, FormatMonotonic, FormatTalos} {
		if cut(f, s, new(Envelope)) {
			return f
		}
	}
	if strings.HasPrefix(s, "# kmsg ") || bracketed(s) || kmsgLine(s) || dmesgISO(s) {
		return FormatKernel
	}
	if _, ok := runtimelog.Time(s); ok {
		return FormatLogfmt
	}
	if _, ok := containerLine(s); ok {
		return FormatContainer
	}
	for _, f := range []Format{FormatISO, FormatFull, FormatFullLocal, FormatUnix} {
		if cut(f, s, new(Envelope)) {
			return f
		}
	}
	return FormatUnknown
}

// klogJSON distinguishes klog's JSON, whose time is a number and which has no level, from that of other loggers (zap).
func klogJSON(s string) bool {
	before, ts, ok := strings.Cut(s, `"ts":`)
	ts = strings.TrimLeft(ts, " ")
	within := strings.Count(before, "{") - strings.Count(before, "}") // a store's record has klog's fields deeper
	return ok && s[0] == '{' && within == 1 && strings.Contains(s, `"msg":`) && !strings.Contains(s, `"level":`) &&
		ts != "" && ts[0] >= '0' && ts[0] <= '9'
}

// otherLetters is by how many bytes a day's and a month's name may be longer in another language than in English.
const otherLetters = 16

// bracketed reports whether this is a line of dmesg: "[ 5.123456] text", "[Sat Nov 21 07:21:31 2026] text", "[Nov21
// 07:21] text", "[ +0.000004] text", each also after "<6>".
func bracketed(s string) bool {
	rest := s
	if s[0] == '<' {
		n, after, ok := strings.Cut(s[1:], ">")
		if _, number := digits(n); !ok || !number {
			return false
		}
		if rest = after; rest == "" || rest[0] != '[' {
			return true
		}
	}
	inner, _, ok := strings.Cut(rest, "]")
	if !ok || inner == "" || inner[0] != '[' || len(inner) > len("[Sat Nov 21 07:21:31 2026")+otherLetters {
		return false
	}
	inner = strings.TrimLeft(inner[1:], " ")
	if strings.Trim(inner, "0123456789.+<> ") == "" {
		return strings.Contains(inner, ".")
	}
	if _, ok := kernel.Ctime(inner, time.UTC); ok {
		return true
	}
	_, err := time.Parse("Jan_2 15:04", inner)
	return err == nil
}

// kmsgLine: priority,sequence,microseconds,flags[,caller=T42];text
func kmsgLine(s string) bool {
	head, _, ok := strings.Cut(s, ";")
	head, _, _ = strings.Cut(head, ",caller=")
	return ok && len(head) < 80 && strings.Count(head, ",") >= 3 && strings.Trim(head, "0123456789,-c+") == ""
}

// IsLine reports whether a line is a log line in a known format.
func IsLine(line string) bool {
	return line != "" && line[0] > ' ' && lineFormat(line[:min(len(line), maxSniff)]) != FormatUnknown
}

// dmesgISO reports whether it is a line of dmesg --time-format iso: "2026-11-21T07:21:31,123456+00:00 text".
func dmesgISO(s string) bool {
	stamp, _, ok := strings.Cut(s, " ")
	_, err := time.Parse("2006-01-02T15:04:05,000000-07:00", stamp)
	return ok && err == nil && strings.Contains(stamp, ",")
}
