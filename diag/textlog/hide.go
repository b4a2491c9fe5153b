package textlog

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// maxHead is the maximum length of a line's envelope: time, host and program.
const maxHead = 200

// Hider returns a function that removes secrets from the lines of a text log, called in order. The writer of a line is
// in its envelope ("kubelet[80]: "); a line without one continues the previous message. A container's output from a log
// driver is not kept at all.
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
		if unit == "kernel" { // a secret begun by any program must not hide the kernel's lines
			return line[:i+2] + secrets.Text(line[i+2:]), !contained
		}
		return line[:i+2] + stream.Line(last, line[i+2:]), !contained
	}
}

// stamped reports whether a line begins with an envelope's timestamp.
func stamped(line string) bool {
	_, _, syslog := SyslogStamp(line)
	if syslog {
		return true
	}
	_, _, iso := ISOStamp(line)
	return iso
}
