package statement

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
)

// Sink takes what a router observes; an evidence.Builder is one.
type Sink interface {
	Observe(evidence.Observation)
	Cover(evidence.Coverage)
	Gap(evidence.Gap)
}

// Prepared is an entry with what can be found out about it alone, so that
// several may be prepared at once and then added in order.
type Prepared struct {
	Entry   evidence.Entry
	writer  writer
	reading kubeletlog.Reading
	read    bool // reading is valid
}

// Prepare does the part of Add that needs no other entry. unit is that of
// Options. Observations are appended to room, whose array the result may share.
// Prepare is safe for concurrent use.
func Prepare(e evidence.Entry, unit string, room []evidence.Observation) Prepared {
	p := Prepared{Entry: e, writer: writerFor(&e, unit)}
	if p.writer == writerKubelet && !strings.HasSuffix(e.Message, "=<") {
		p.read, p.reading = true, kubeletlog.Read(e.Message, room)
	}
	return p
}

// Said is how many observations the entry's own reading has.
func (p *Prepared) Said() int { return len(p.reading.Said()) }

func writerFor(e *evidence.Entry, unit string) writer {
	if e.Unit != "" {
		unit = e.Unit
	}
	switch w := writerOf(unit); {
	case e.Kernel:
		return writerKernel
	case e.About != "":
		return writerSystemd
	case w == writerUnknown:
		return recognise(e.Message)
	default:
		return w
	}
}

// Thinner finds, in the lines of one stretch of a log, those that a router can do
// without: lines of a kubelet that say nothing and follow another line of the
// same process. A router that gets the others, and of each run of such lines the
// last, ends in the same state. The zero value is ready, for a log whose Options
// name no unit.
type Thinner struct {
	Unit string // as in Options

	unit    string // of the last line
	writer  writer
	started bool
	pid     int  // of the last kubelet line
	open    bool // a block may be open: the next line counts
	proven  bool // a line went on that only a kubelet writes
}

// Keep tells whether the router must see a line. Its arguments may be parts of a
// buffer that is used again.
func (t *Thinner) Keep(unit, message string, kernel bool) bool {
	if kernel {
		return true
	}
	if unit == "" {
		unit = t.Unit
	}
	if !t.started || unit != t.unit {
		t.unit, t.writer = strings.Clone(unit), writerOf(unit)
	}
	first := !t.started
	t.started = true
	w := t.writer
	if w == writerUnknown {
		w = recognise(message)
	}
	switch w {
	case writerKubelet:
		return t.keep(message) || first
	case writerOther:
		return first || strings.HasPrefix(unit, "systemd-journal")
	}
	return true
}

func (t *Thinner) keep(message string) bool {
	h, plain := kubeletlog.Glance(message)
	keep := !plain || h.PID != t.pid || t.open
	if h.PID != 0 && h.PID != t.pid {
		t.pid, t.proven = h.PID, false
	}
	if plain && !t.proven && kubeletlog.OnlyKubelet(h.File) {
		keep, t.proven = true, true
	}
	t.open = !plain && (h.PID == 0 || strings.HasSuffix(message, "=<"))
	return keep
}
