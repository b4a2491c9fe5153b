package textlog

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/oneline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
)

// maxLine is the longest line that is kept; the rest of a longer one is skipped.
const maxLine = 1 << 20

// Times says how to complete times without year or zone.
type Times struct {
	// Reference is a time when the log already existed: it gives the year.
	Reference time.Time
	// Zone is the zone of times without one; nil for UTC.
	Zone *time.Location
	// boot is when the machine booted: what monotonic times count from. Zero if unknown.
	boot time.Time
}

func (t Times) zone() *time.Location {
	if t.Zone == nil {
		return time.UTC
	}
	return t.Zone
}

// ReadText reads a text log of a format and passes its entries on in order. odd counts lines that are not in the
// format, except those that continue a message. A last line without its end is not read, because half a number is
// another number; then the error is io.ErrUnexpectedEOF.
func ReadText(r io.Reader, f Format, times Times, yield func(evidence.Entry)) (odd int, err error) {
	br := bufio.NewReaderSize(r, 256<<10)
	t := reader{times: times, format: f}
	for {
		line, err := ReadLine(br)
		if line != "" && !errors.Is(err, io.ErrUnexpectedEOF) {
			e, ok := t.entry(line)
			switch {
			case ok:
				yield(e)
			case t.waiting, t.mark(line):
			case continues(f, line):
				if t.opened { // a multi-line value
					e = t.last
					e.Rebooted, e.Message = false, unindented(line)
					yield(e)
				}
			default:
				odd++
			}
			if ok {
				t.opened = strings.HasSuffix(e.Message, "=<")
			}
		}
		if errors.Is(err, io.EOF) {
			return odd, nil
		}
		if err != nil {
			return odd, err
		}
	}
}

// Behind returns a file with a header added before its text.
func Behind(header string, f evidence.File) evidence.File {
	open := f.Open
	f.Size += int64(len(header))
	f.Open = func() (io.ReadCloser, error) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{io.MultiReader(strings.NewReader(header), r), r}, nil
	}
	return f
}

// blanks at the end of a line are what an editor, a terminal or a page put there, and mean nothing.
const blanks = " \t\r"

// ReadLine returns the next line without its end, and the blanks before it.
func ReadLine(br *bufio.Reader) (string, error) {
	line, cut, err := oneline.Read(br, maxLine)
	if errors.Is(err, io.EOF) && len(line) > 0 && !cut {
		err = io.ErrUnexpectedEOF
	}
	return strings.TrimRight(string(line), blanks), err
}

// reader converts lines into entries.
type reader struct {
	times   Times
	format  Format
	last    evidence.Entry // whose envelope applies to a line without one
	opened  bool           // that line opens a multi-line value
	waiting bool           // for the rest of a container's line
	joined  string
	marked  boot
}

// boot is journalctl's line between two boots of a machine.
type boot struct {
	id    string // "" in systemd before v246
	known bool
}

// BootMark parses "-- Boot 0123456789abcdef0123456789abcdef --" and "-- Reboot --".
func BootMark(line string) (boot, bool) {
	inner, ok := strings.CutPrefix(line, "-- ")
	inner, closed := strings.CutSuffix(inner, " --")
	if !ok || !closed {
		return boot{}, false
	}
	if id, ok := strings.CutPrefix(inner, "Boot "); ok && len(id) == 32 {
		return boot{id, true}, true
	}
	return boot{known: true}, inner == "Reboot"
}

// mark handles a boot mark; it returns true for any line of journalctl about the journal itself.
func (t *reader) mark(line string) bool {
	if b, ok := BootMark(line); ok {
		t.marked = b
		return true
	}
	return about(line)
}

// about reports whether a line is journalctl's own, about the journal.
func about(line string) bool {
	return strings.HasPrefix(line, "-- Logs begin at ") || strings.HasPrefix(line, "-- Journal begins at ") ||
		line == "-- No entries --"
}

// continues reports whether a line continues the previous one: journalctl indents the further lines of a message.
func continues(f Format, line string) bool {
	switch f {
	case FormatSyslog, FormatISO, FormatFull, FormatFullLocal, FormatUnix, FormatMonotonic:
		return line[0] == ' ' || line[0] == '\t'
	}
	return false
}

func (t *reader) entry(line string) (evidence.Entry, bool) {
	e, ok := t.parse(line)
	if !ok {
		return e, false
	}
	if e.Time.IsZero() {
		e.Time = t.last.Time
	}
	if t.marked.known {
		// Lines before the first mark have no boot id: only the mark shows a boot.
		e.Rebooted, e.BootID = !t.last.Time.IsZero(), t.marked.id
		t.marked = boot{}
	}
	t.last = e
	return e, true
}

func (t *reader) parse(line string) (e evidence.Entry, ok bool) {
	switch t.format {
	case FormatContainer:
		x, ok := containerLine(line)
		if !ok {
			return e, false
		}
		return t.join(x.at.Time(t.times), x.Message, x.part)
	case FormatDockerLog:
		var l struct {
			Log  string    `json:"log"`
			Time time.Time `json:"time"`
		}
		if json.Unmarshal([]byte(line), &l) != nil {
			return e, false
		}
		text, whole := strings.CutSuffix(l.Log, "\n")
		return t.join(l.Time, text, !whole)
	case FormatKlogJSON:
		var l struct {
			TS float64 `json:"ts"` // milliseconds
		}
		if json.Unmarshal([]byte(line), &l) != nil || l.TS <= 0 || l.TS > 253402300800000 {
			return e, false
		}
		e.Time, e.Message = time.UnixMicro(int64(l.TS*1000)).UTC(), line
		return e, true
	case FormatLogfmt, FormatBare:
		e.Time, ok = runtimelog.Time(line)
		if e.Message = line; ok || t.format == FormatLogfmt {
			return e, ok
		}
	}
	var x Envelope
	if !cut(t.format, line, &x) {
		// A later line of a klog block or a panic: it belongs to the previous entry, if there was one.
		return evidence.Entry{PID: t.last.PID, Message: line}, (t.format == FormatKlog || t.format == FormatBare) &&
			!t.last.Time.IsZero() && !strings.HasPrefix(line, "-- ")
	}
	e = x.entry(t.times)
	if t.format == FormatMonotonic {
		e.Time = t.relative(x)
	}
	return e, true
}

// relative converts a time since boot into a date: a kubelet's line has both.
func (t *reader) relative(x Envelope) time.Time {
	if boot := x.bootedAt(t.times); !boot.IsZero() {
		t.times.boot = boot
	}
	if t.times.boot.IsZero() {
		return time.Time{}
	}
	return t.times.boot.Add(x.at.since)
}

// bootedAt is when the machine booted, by a kubelet's line with a monotonic time; zero for any other line.
func (x *Envelope) bootedAt(t Times) time.Time {
	h, _, ok := klogline.ParseHeader(x.Message)
	if !ok {
		return time.Time{}
	}
	at := h.Time(t.Reference, t.zone())
	if at.IsZero() {
		return time.Time{}
	}
	return at.Add(-x.at.since)
}

// entry completes an envelope with the assumed parts of its time.
func (x *Envelope) entry(t Times) evidence.Entry {
	return evidence.Entry{Time: x.at.Time(t), Host: x.host, Unit: x.Unit, PID: x.pid, Kernel: x.kernel, Message: x.Message}
}

// join joins the parts of a container's line.
func (t *reader) join(at time.Time, text string, more bool) (evidence.Entry, bool) {
	if room := maxLine - len(t.joined); room > 0 {
		t.joined += text[:min(room, len(text))]
	}
	if t.waiting = more; more {
		return evidence.Entry{}, false
	}
	e := evidence.Entry{Time: at, Message: t.joined}
	t.joined = ""
	if h, _, ok := klogline.ParseHeader(e.Message); ok {
		e.PID = h.PID
	} else {
		e.PID = t.last.PID
	}
	return e, true
}
