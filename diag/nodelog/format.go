package nodelog

import (
	"bytes"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/runtimelog"
)

// Format is the envelope of a log file.
type Format string

// The formats.
const (
	FormatUnknown   Format = ""
	FormatExport    Format = "journal-export"
	FormatRecords   Format = "journal-json"    // journalctl -o json, json-pretty, json-seq, json-sse
	FormatVerbose   Format = "journal-verbose" // "Sat 2026-11-21 07:21:31.823345 UTC [s=…;t=…]", then "    MESSAGE=text"
	FormatSyslog    Format = "syslog"          // "Nov 21 07:21:31[.823345] n1 kubelet[80]: text": journalctl short, short-precise; RFC 3164, also with "<30>"
	FormatISO       Format = "iso"             // "2026-11-21T07:21:31+0000 n1 kubelet[80]: text": journalctl short-iso, short-iso-precise, rsyslog
	FormatRFC5424   Format = "rfc5424"         // "<30>1 2026-11-21T07:21:31.8Z n1 kubelet 80 - - text"
	FormatFull      Format = "full"            // "Sat 2026-11-21 07:21:31 UTC n1 kubelet[80]: text": journalctl short-full, with-unit
	FormatFullLocal Format = "full-local"      // the same with the abbreviation of another zone
	FormatUnix      Format = "unix"            // "1795245885.454287 n1 kubelet[80]: text": journalctl short-unix
	FormatMonotonic Format = "monotonic"       // "[    5.123456] n1 kubelet[80]: text": journalctl short-monotonic
	FormatContainer Format = "container"       // "2026-11-21T07:21:31.4Z stderr F text": CRI container log
	FormatDockerLog Format = "docker"          // {"log":"text\n","stream":"stderr","time":"…"}
	FormatKlog      Format = "klog"            // "I1121 07:24:45.454287   24911 kubelet.go:1823] text"
	FormatKlogJSON  Format = "klog-json"       // {"ts":…,"caller":"…","msg":"…"}
	FormatLogfmt    Format = "logfmt"          // time="…" level=info msg="…"
	FormatKernel    Format = "kernel"          // "[  123.456] text", "6,1,2,-;text"
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
		f := lineFormat(strings.TrimRight(string(line[:min(len(line), maxSniff)]), "\r\n"))
		if f == FormatUnknown {
			continue
		}
		if f == FormatRecords || f == FormatVerbose {
			return f // their other lines look like anything
		}
		if votes[f]++; votes[f] > votes[best] || best == FormatUnknown {
			best = f
		}
	}
	return best
}

// maxSniff is how much of a line is looked at: the marks of JSON lines may stand
// behind a message.
const maxSniff = 8 << 10

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
	case journal.IsRecord(s):
		return FormatRecords
	case journal.IsVerbose(s):
		return FormatVerbose
	case s[0] == '{' && strings.Contains(s, `"log":`) && strings.Contains(s, `"stream":`):
		return FormatDockerLog
	case s[0] == '{' && strings.Contains(s, `"ts":`) && strings.Contains(s, `"msg":`):
		return FormatKlogJSON
	}
	for _, f := range []Format{FormatKlog, FormatRFC5424, FormatSyslog, FormatMonotonic} {
		if cut(f, s, new(envelope)) {
			return f
		}
	}
	if strings.HasPrefix(s, "# kmsg ") || s[0] == '[' || s[0] == '<' || kmsgLine(s) {
		return FormatKernel
	}
	if _, ok := runtimelog.Time(s); ok {
		return FormatLogfmt
	}
	if _, ok := containerLine(s); ok {
		return FormatContainer
	}
	for _, f := range []Format{FormatISO, FormatFull, FormatFullLocal, FormatUnix} {
		if cut(f, s, new(envelope)) {
			return f
		}
	}
	return FormatUnknown
}

// kmsgLine: priority,sequence,microseconds,flags[,caller=T42];text
func kmsgLine(s string) bool {
	head, _, ok := strings.Cut(s, ";")
	head, _, _ = strings.Cut(head, ",caller=")
	return ok && len(head) < 80 && strings.Count(head, ",") >= 3 && strings.Trim(head, "0123456789,-c+") == ""
}
