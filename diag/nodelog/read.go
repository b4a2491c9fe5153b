package nodelog

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/runtimelog"
)

// maxLine is the longest line that is kept; of a longer one the rest is skipped.
const maxLine = 1 << 20

// Times says how times without year or zone are to be read.
type Times struct {
	// Reference is a moment when the log existed already: it gives the year.
	Reference time.Time
	// Zone is the zone of times that do not tell theirs; nil for UTC.
	Zone *time.Location
}

func (t Times) zone() *time.Location {
	if t.Zone == nil {
		return time.UTC
	}
	return t.Zone
}

// ReadText reads a text log of a format and hands on its entries in order. Lines
// that are not of the format are counted in odd, except those that go on a
// message of the lines before. A last line without its end is not read, because
// half a number is another number; io.ErrUnexpectedEOF tells of it.
func ReadText(r io.Reader, f Format, times Times, yield func(evidence.Entry)) (odd int, err error) {
	br := bufio.NewReaderSize(r, 256<<10)
	t := reader{times: times, format: f}
	for {
		line, err := readLine(br)
		if line != "" && !errors.Is(err, io.ErrUnexpectedEOF) {
			e, ok := t.entry(line)
			switch {
			case ok:
				yield(e)
			case t.waiting:
			default:
				odd++
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

// readLine returns the next line without its end.
func readLine(br *bufio.Reader) (string, error) {
	chunk, err := br.ReadSlice('\n')
	if err == nil {
		return strings.TrimRight(string(chunk), "\r\n"), nil
	}
	line := string(chunk)
	for errors.Is(err, bufio.ErrBufferFull) {
		chunk, err = br.ReadSlice('\n')
		if room := maxLine - len(line); room > 0 {
			line += string(chunk[:min(room, len(chunk))])
		}
	}
	if errors.Is(err, io.EOF) && line != "" && len(line) < maxLine {
		return line, io.ErrUnexpectedEOF
	}
	return strings.TrimRight(line, "\r\n"), err
}

// reader turns lines into entries.
type reader struct {
	times   Times
	format  Format
	last    evidence.Entry // whose envelope a line without one continues
	waiting bool           // for the rest of a container's line
	joined  string
}

func (t *reader) entry(line string) (evidence.Entry, bool) {
	e, ok := t.parse(line)
	if !ok {
		return e, false
	}
	if e.Time.IsZero() {
		// The second line of a klog block, or of a panic: it belongs to the last one.
		e.Time, e.PID = t.last.Time, t.last.PID
	}
	t.last = e
	return e, true
}

func (t *reader) parse(line string) (e evidence.Entry, ok bool) {
	switch t.format {
	case FormatSyslog:
		y, ok := syslogStamp(line)
		if !ok {
			return e, false
		}
		e.Time = kubeletlog.WithYear(y.month, y.day, y.clock, t.times.Reference, t.times.zone())
		return t.identify(e, y.rest)
	case FormatISO:
		at, rest, ok := isoStamp(line)
		if !ok {
			return e, false
		}
		e.Time = at
		return t.identify(e, rest)
	case FormatContainer:
		at, part, ok := containerLine(line)
		if !ok {
			return e, false
		}
		return t.join(at, part)
	case FormatDockerLog:
		var l struct {
			Log  string    `json:"log"`
			Time time.Time `json:"time"`
		}
		if json.Unmarshal([]byte(line), &l) != nil {
			return e, false
		}
		text, whole := strings.CutSuffix(l.Log, "\n")
		return t.join(l.Time, partial{text: text, more: !whole})
	case FormatKlog:
		h, _, ok := kubeletlog.ParseHeader(line)
		e.Message = line
		if ok {
			e.Time, e.PID = h.Time(t.times.Reference, t.times.zone()), h.PID
		}
		// Without a header it can only go on a message that there was.
		return e, ok || !t.last.Time.IsZero()
	case FormatKlogJSON:
		var l struct {
			TS float64 `json:"ts"` // milliseconds
		}
		if json.Unmarshal([]byte(line), &l) != nil || l.TS <= 0 || l.TS > 253402300800000 {
			return e, false
		}
		e.Time, e.Message = time.UnixMicro(int64(l.TS*1000)).UTC(), line
		return e, true
	case FormatLogfmt:
		e.Time, ok = runtimelog.Time(line)
		e.Message = line
		return e, ok
	}
	return e, false
}

// identify reads who wrote a line of syslog.
func (t *reader) identify(e evidence.Entry, rest string) (evidence.Entry, bool) {
	host, ident, pid, text, ok := identified(rest)
	if !ok {
		return e, false
	}
	e.Host, e.Unit, e.PID, e.Message = host, ident, pid, text
	e.Kernel = ident == "kernel"
	if e.Kernel {
		e.Message = withoutUptime(text)
	}
	return e, true
}

// withoutUptime takes the "[  123.456] " off that rsyslog keeps.
func withoutUptime(s string) string {
	if _, text, ok := kernel.Uptime(s); ok {
		return text
	}
	return s
}

// join puts the parts of a container's line together.
func (t *reader) join(at time.Time, part partial) (evidence.Entry, bool) {
	if room := maxLine - len(t.joined); room > 0 {
		t.joined += part.text[:min(room, len(part.text))]
	}
	if t.waiting = part.more; part.more {
		return evidence.Entry{}, false
	}
	e := evidence.Entry{Time: at, Message: t.joined}
	t.joined = ""
	if h, _, ok := kubeletlog.ParseHeader(e.Message); ok {
		e.PID = h.PID
	} else {
		e.PID = t.last.PID
	}
	return e, true
}

// describe words what was assumed about times of a format.
func describe(f Format, zoneKnown bool) string {
	switch f {
	case FormatSyslog, FormatKlog:
		if zoneKnown {
			return ""
		}
		return fmt.Sprintf("its times (%s) have neither year nor zone: the year was inferred and UTC assumed", f)
	}
	return ""
}
