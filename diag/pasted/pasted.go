package pasted

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// Line is what one line states.
type Line struct {
	// Text is the line without secrets, of which one may have begun on an earlier line.
	Text string
	// Facts are the parsers' results, most often one.
	Facts []evidence.Fact
	// Reason and Message are an event's, where the line is from a listing. Otherwise Message is the line without its
	// envelope.
	Reason, Message string
}

// MaxLine is how much of a line is read, in bytes.
const MaxLine = 64 << 10

// Reader reads lines in order: a kill by the kernel may take several.
type Reader struct {
	facts  []evidence.Fact
	routes []*statement.Router
	hide   func(line string) (string, bool)
}

// writers are the possible writers of a line that does not name one. The first whose parser knows the line wins.
var writers = []evidence.Entry{
	{Unit: "kubelet"}, {Unit: "containerd"}, {Unit: "kernel", Kernel: true}, {Unit: "systemd"},
	{Unit: "systemd-oomd"}, {Unit: "earlyoom"}, {Unit: "systemd-logind"},
	{Unit: "crio-conmon-" + strings.Repeat("0", 64) + ".scope"},
}

// NewReader returns a reader.
func NewReader() *Reader {
	r := &Reader{hide: textlog.Hider()}
	for range len(writers) + 1 {
		r.routes = append(r.routes, statement.NewRouter(sink{r}, statement.Options{Node: "n", Vague: true}))
	}
	return r
}

type sink struct{ r *Reader }

func (s sink) Observe(o evidence.Observation) { s.r.facts = append(s.r.facts, o.Fact) }
func (s sink) Cover(evidence.Coverage)        {}
func (s sink) Read(evidence.Span)             {}
func (s sink) Lose(evidence.Loss)             {}
func (s sink) Gap(evidence.Gap)               {}

// Read reads one line.
func (r *Reader) Read(line string) Line {
	line = strings.TrimRight(line[:min(len(line), MaxLine)], " \t\r\n")
	if line == "" {
		return Line{}
	}
	line, _ = r.hide(line)
	out := r.read(line)
	out.Text = strings.TrimSpace(line)
	return out
}

func (r *Reader) read(line string) Line {
	if goesOn := line[0] == ' ' || line[0] == '\t'; goesOn { // a multi-line message ends with " >"
		if facts := r.add(0, evidence.Entry{Message: line}); len(facts) > 0 {
			return Line{Facts: facts, Message: line}
		}
	}
	line = strings.TrimLeft(line, " \t")
	if out, ok := event(line); ok {
		return out
	}
	out := Line{Message: line}
	e, known := unwrapped(line)
	if known {
		out.Message = e.Message
		if out.Facts = r.add(0, e); len(out.Facts) > 0 {
			return out
		}
	}
	if f := message(out.Message); f != nil {
		out.Facts = []evidence.Fact{f}
		return out
	}
	for n, w := range writers {
		w.Message = out.Message
		if out.Facts = r.add(n+1, w); len(out.Facts) > 0 {
			return out
		}
	}
	return out
}

// add passes an entry to one router and returns what it states. Times are dropped: lines are pasted in any order.
func (r *Reader) add(route int, e evidence.Entry) []evidence.Fact {
	e.Time, e.Sent = time.Time{}, time.Time{}
	r.facts = nil
	r.routes[route].Add(e)
	return r.facts
}

// Close returns what the last lines state together: kernels before 5.0 log a kill in two lines, and the second may be
// missing.
func (r *Reader) Close() []evidence.Fact {
	r.facts = nil
	for _, route := range r.routes {
		route.Close()
	}
	return r.facts
}

// reference gives a year to times without one. It does not matter here.
var reference = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// unwrapped removes a line's envelope: that of journalctl, syslog, dmesg, a log store. It returns false if there is
// none.
func unwrapped(line string) (e evidence.Entry, ok bool) {
	format, share := textlog.Share([]byte(line + "\n"))
	switch {
	case format == textlog.FormatUnknown, share < 1:
		return e, false
	case format == textlog.FormatKernel:
		// Reading a string does not fail.
		_, _ = kernel.Read(strings.NewReader(line+"\n"), time.UTC, func(got evidence.Entry) { e, ok = got, true })
		return e, ok
	}
	_, _ = textlog.ReadText(strings.NewReader(line+"\n"), format, textlog.Times{Reference: reference},
		func(got evidence.Entry) { e, ok = got, true })
	return e, ok
}
