package textlog

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// maxHead is how long the envelope of a line may be: time, host and program.
const maxHead = 200

// Hider returns what takes the secrets out of the lines of a text log, in their order.
// Who wrote a line stands in its envelope ("kubelet[80]: "); a line without one goes on
// with the message above it. What a container printed, by a log driver, is not kept at all.
func Hider() func(line string) (clear string, keep bool) {
	var stream secrets.Cleaner
	last, contained := "", false
	return func(line string) (string, bool) {
		head := line[:min(len(line), maxHead)]
		i := strings.Index(head, ": ")
		if i < 0 || !stamped(head) {
			return stream.Line(last, line), !contained
		}
		last = head[strings.LastIndexByte(head[:i], ' ')+1 : i]
		unit, _, _ := strings.Cut(last, "[")
		contained = statement.Contained(unit)
		if unit == "kernel" { // any program may write there: what it begins hides none of the kernel's lines
			return line[:i+2] + secrets.Text(line[i+2:]), !contained
		}
		return line[:i+2] + stream.Line(last, line[i+2:]), !contained
	}
}

// stamped tells lines that begin with the time of an envelope.
func stamped(line string) bool {
	_, _, syslog := SyslogStamp(line)
	if syslog {
		return true
	}
	_, _, iso := ISOStamp(line)
	return iso
}
