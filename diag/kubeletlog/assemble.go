package kubeletlog

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

const (
	// maxBlock and maxBlockLines bound what is waited for before a block counts
	// as broken.
	maxBlock      = 256 << 10
	maxBlockLines = 2000
	// maxStrange is how many lines with a header may stand inside of one.
	maxStrange = 100
	// oneWrite is how far apart a journal may date lines that the kubelet wrote at once.
	oneWrite = 100 * time.Millisecond
)

// Assembler joins the physical lines of a message that has several: of a klog message with a
// multi-line value (klog 2.60+, kubelet 1.24+), which is `output=<`, lines indented by a tab, ` >`;
// and of a container that kubelets up to 1.30 print as it is when they cannot start it
// (kuberuntime_manager.go startContainer), line breaks of its command included. The kubelet writes a
// message at once. So a line with a header inside of one is no line of the kubelet's: a container
// wrote it into a probe's output (behind a zero byte, where journald breaks lines, too) or into its
// command. In journald every physical line is an entry of its own, with the same PID. The zero value
// is ready.
type Assembler struct {
	open   bool
	raw    bool // a container, as it is
	torn   bool // a line that looked like one of the kubelet's stood inside
	closed time.Time
	broken time.Time // when a message broke off in a log without vouchers
	entry  evidence.Entry
	text   strings.Builder
	lines  int
	// strange counts lines with a header.
	strange int
}

// Add takes the next entry and hands on what is complete. A block that breaks
// off (the kubelet was killed, the file was cut) is handed on as far as it came.
func (a *Assembler) Add(e evidence.Entry, yield func(evidence.Entry)) {
	if !a.closed.IsZero() {
		// A container can write what ends its own printing; it cannot make the rest come later.
		if since := e.Time.Sub(a.closed); since >= 0 && since < oneWrite && e.PID == a.entry.PID {
			a.torn = true
			return
		}
		a.closed = time.Time{}
	}
	if a.open {
		// journalctl prints the tab of a line that goes on as eight blanks.
		if rest, ok := strings.CutPrefix(e.Message, "        "); ok {
			e.Message = "\t" + rest
		}
		if a.inside(&e) {
			a.text.WriteByte('\n')
			a.text.WriteString(e.Message)
			a.lines++
			if a.ends(e.Message) || a.lines > maxBlockLines || a.text.Len() > maxBlock {
				if a.raw {
					a.closed = e.Time
				}
				a.Flush(yield)
			}
			return
		}
		if e.Writer == evidence.Unvouched && e.PID == a.entry.PID && startsLine(e.Message) {
			a.broken = a.entry.Time
		}
		a.Flush(yield)
	}
	if !a.broken.IsZero() {
		if since := e.Time.Sub(a.broken); since.Abs() >= oneWrite {
			a.broken = time.Time{}
		} else {
			e.Inside = true
		}
	}
	block := strings.HasSuffix(e.Message, "=<") && startsLine(e.Message)
	if raw := opensRaw(e.Message); block || raw {
		a.open, a.raw, a.entry, a.lines, a.strange = true, raw, e, 0, 0
		a.text.Reset()
		a.text.WriteString(e.Message)
		return
	}
	yield(e)
}

// inside reports whether an entry belongs to the open message.
func (a *Assembler) inside(e *evidence.Entry) bool {
	if e.PID != a.entry.PID {
		return false
	}
	if !a.raw && (strings.HasPrefix(e.Message, "\t") || strings.HasPrefix(e.Message, " >")) {
		return true
	}
	if !startsLine(e.Message) {
		return a.raw
	}
	if e.Writer == evidence.Unvouched && !a.raw {
		return false
	}
	a.torn = true
	if e.Writer != evidence.Unvouched && e.Time.Sub(a.entry.Time).Abs() >= oneWrite {
		return false // the rest was lost
	}
	a.strange++
	return a.strange <= maxStrange
}

// ends tells the last line of the open message.
func (a *Assembler) ends(line string) bool {
	if a.raw {
		return strings.Contains(line, rawEnd)
	}
	return line[0] == ' ' && !strings.HasSuffix(line, "=<")
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
	_, _, ok := klogline.ParseHeader(s)
	return ok
}

// rawEnd stands behind a container that was printed as it is.
const rawEnd = "} start failed in pod "

// OpensRaw reports whether the message begins to print a container as it is, and goes on.
func (g *Peeked) OpensRaw(message string) bool {
	return g.severity == 'E' && rawContainer('E', message[g.text:])
}

// opensRaw tells a message that begins to print a container as it is, and does not end with this
// line.
func opensRaw(message string) bool {
	if !strings.HasPrefix(message, "E") || !strings.Contains(message, "ontainer &Container{") {
		return false
	}
	h, rest, ok := klogline.ParseHeader(message)
	return ok && rawContainer(h.Severity, rest)
}

func rawContainer(severity byte, text string) bool {
	if severity != 'E' || strings.HasPrefix(text, `"`) {
		return false
	}
	kind, rest, ok := strings.Cut(text, "ontainer &Container{")
	return ok && (kind == "c" || kind == "init c" || kind == "ephemeral c") && !strings.Contains(rest, rawEnd)
}
