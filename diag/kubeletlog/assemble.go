package kubeletlog

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	// maxBlock and maxBlockLines bound what is waited for before a block counts
	// as broken.
	maxBlock      = 256 << 10
	maxBlockLines = 2000
)

// Assembler joins the physical lines of a klog message that has a multi-line
// value (klog 2.60+, kubelet 1.24+): `output=<`, lines indented by a tab, ` >`.
// In journald every physical line is an entry of its own, with the same PID. The
// zero value is ready.
type Assembler struct {
	open  bool
	entry evidence.Entry
	text  strings.Builder
	lines int
}

// Add takes the next entry and hands on what is complete. A block that breaks
// off (the kubelet was killed, the file was cut) is handed on as far as it came.
func (a *Assembler) Add(e evidence.Entry, yield func(evidence.Entry)) {
	if a.open {
		// journalctl prints the tab of a line that goes on as eight blanks.
		if rest, ok := strings.CutPrefix(e.Message, "        "); ok {
			e.Message = "\t" + rest
		}
		if e.PID == a.entry.PID && (strings.HasPrefix(e.Message, "\t") || strings.HasPrefix(e.Message, " >")) {
			a.text.WriteByte('\n')
			a.text.WriteString(e.Message)
			a.lines++
			ends := e.Message[0] == ' ' && !strings.HasSuffix(e.Message, "=<")
			if ends || a.lines > maxBlockLines || a.text.Len() > maxBlock {
				a.Flush(yield)
			}
			return
		}
		a.Flush(yield)
	}
	if strings.HasSuffix(e.Message, "=<") && startsLine(e.Message) {
		a.open, a.entry, a.lines = true, e, 0
		a.text.Reset()
		a.text.WriteString(e.Message)
		return
	}
	yield(e)
}

// Flush hands on a block that is still open.
func (a *Assembler) Flush(yield func(evidence.Entry)) {
	if !a.open {
		return
	}
	a.open = false
	a.entry.Message = a.text.String()
	yield(a.entry)
}

func startsLine(s string) bool {
	_, _, ok := ParseHeader(s)
	return ok
}
