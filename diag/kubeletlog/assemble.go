package kubeletlog

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

const (
	// maxBlock and maxBlockLines limit how much is buffered before a block counts as broken.
	maxBlock      = 256 << 10
	maxBlockLines = 2000
	// maxStrange is how many lines with a header may be inside a block.
	maxStrange = 100
	// oneWrite is the maximum difference between a journal's times of lines that the kubelet wrote at once.
	oneWrite = 100 * time.Millisecond
)

// Assembler joins the physical lines of a multi-line message. That is a klog message with a multi-line value (klog
// 2.60+, kubelet 1.24+): `output=<`, lines indented by a tab, ` >`. Or it is a container that kubelets up to 1.30 print
// unescaped when they cannot start it (kuberuntime_manager.go startContainer), including the line breaks of its
// command. The kubelet writes a message at once. So a line with a header inside of one is not the kubelet's: a
// container wrote it into a probe's output (even after a zero byte, where journald breaks lines) or into its command.
// In journald every physical line is a separate entry with the same PID. The zero value is ready.
type Assembler struct {
	open   bool
	raw    bool // a container, printed unescaped
	torn   bool // a line that looked like one of the kubelet's was inside
	closed time.Time
	broken time.Time // when a message broke off in a log that does not confirm writers
	entry  evidence.Entry
	text   strings.Builder
	lines  int
	// strange counts lines with a header.
	strange int
}

// Add takes the next entry and passes on complete messages. A block that breaks off (the kubelet was killed, the file
// was cut) is passed on as far as it came.
func (a *Assembler) Add(e evidence.Entry, yield func(evidence.Entry)) {
	if !a.closed.IsZero() {
		// A container can fake the end of its own output; it cannot make the rest come later.
		if since := e.Time.Sub(a.closed); since >= 0 && since < oneWrite && e.PID == a.entry.PID {
			a.torn = true
			return
		}
		a.closed = time.Time{}
	}
	if a.open {
		// journalctl prints the tab of a continuation line as eight blanks.
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

// ends reports whether this is the last line of the open message.
func (a *Assembler) ends(line string) bool {
	if a.raw {
		return strings.Contains(line, rawEnd)
	}
	return line[0] == ' ' && !strings.HasSuffix(line, "=<")
}

// Flush passes on a block that is still open.
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

// rawEnd follows a container that was printed unescaped.
const rawEnd = "} start failed in pod "

// OpensRaw reports whether the message begins an unescaped container that continues on the next line.
func (g *Peeked) OpensRaw(message string) bool {
	return g.severity == 'E' && rawContainer('E', message[g.text:])
}

// opensRaw reports whether a message begins an unescaped container and does not end with this line.
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
