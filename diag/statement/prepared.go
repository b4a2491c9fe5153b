package statement

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/controllerlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
)

// Sink receives what a router observes; an evidence.Builder is one.
type Sink interface {
	Observe(evidence.Observation)
	Cover(evidence.Coverage)
	Read(evidence.Span)
	Lose(evidence.Loss)
	Gap(evidence.Gap)
}

// Prepared is an entry with what can be found out about it alone, so that several may be prepared in parallel and then
// added in order.
type Prepared struct {
	Entry   evidence.Entry
	writer  Writer
	reading kubeletlog.Parsed
	read    bool // reading is valid
}

// Prepare does, for the entry in p, the part of Add that needs no other entry. Its results are in room, which must live
// as long as p. g is the Peeked of a kubelet's message.
func (p *Prepared) Prepare(w Writer, g *kubeletlog.Peeked, room *kubeletlog.Arena) {
	p.writer, p.read = w, w == writerKubelet || w == writerMaybe
	if p.read {
		room.ReadInto(&p.reading, p.Entry.Message, g)
	}
}

// Brief reports whether no statement of the entry references its message.
func (p *Prepared) Brief() bool {
	if !p.read || !p.reading.Closed() {
		return false
	}
	said := p.reading.Said()
	for i := range said {
		if !evidence.Brief(said[i].Fact) {
			return false
		}
	}
	return true
}

func writerFor(e *evidence.Entry) Writer {
	switch w := writerOf(e.Unit); {
	case e.Kernel:
		return writerKernel
	case e.About != "":
		return writerSystemd
	case w == writerUnknown:
		return recognise(e.Message)
	case e.Unit == docker && runtimelog.Logged(e.Message):
		return writerRuntime
	case w == writerOther && adoptable(e.Unit):
		if _, _, klog := klogline.ParseHeader(e.Message); klog || goesOn(e.Message) {
			return writerMaybe
		}
		return w
	default:
		return w
	}
}

// Thinner finds, in the lines of one stretch of a log, those that a router does not need: a kubelet's lines without
// statements that follow another line of the same process. A router that gets the others, plus the last of each run of
// such lines, ends in the same state. The zero value is ready.
type Thinner struct {
	unit    string // of the last line
	maybe   bool   // a kubelet may write under this name
	writer  Writer
	started bool
	pid     int  // of the last kubelet line
	open    bool // a block may be open: the next line counts
	proven  bool // a line that only a kubelet writes was passed on
}

// Keep reports whether the router must see a line, and sets what was found out about it. Its arguments may be parts of
// a reused buffer; so is File of the Peeked. header and rest are those of the message's klog header.
func (t *Thinner) Keep(unit, message string, header klogline.Header,
	rest string, w *Writer, g *kubeletlog.Peeked) bool {
	first := !t.started
	if first || unit != t.unit {
		t.unit, t.writer = strings.Clone(unit), writerOf(unit)
		t.maybe = t.writer == writerOther && adoptable(unit)
	}
	t.started = true
	*w = t.writer
	switch {
	case *w == writerUnknown:
		*w = recognise(message)
	case unit == docker && runtimelog.Logged(message):
		*w = writerRuntime
	case t.maybe && (header.File != "" || goesOn(message)):
		*w = writerMaybe
	}
	switch *w {
	case writerKubelet, writerMaybe:
		*g = kubeletlog.PeekBehind(header, message, rest)
		return t.keep(message, g) || first || controllerlog.Knows(header, rest)
	case writerOther:
		return first || logger(unit) || hosted(unit)
	}
	return true
}

func (t *Thinner) keep(message string, g *kubeletlog.Peeked) bool {
	keep := !g.Plain || g.PID != t.pid || t.open || g.OpensRaw(message)
	if g.PID != 0 && g.PID != t.pid {
		t.pid, t.proven = g.PID, false
	}
	if g.Plain && !t.proven && kubeletlog.OnlyKubelet(g.File) {
		keep, t.proven = true, true
	}
	t.open = !g.Plain && (g.PID == 0 || strings.HasSuffix(message, "=<"))
	return keep
}
