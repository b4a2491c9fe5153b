package unwrap

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

// Record is one message of a log, with what its wrapping says about it.
type Record struct {
	Time time.Time // zero if the wrapping has none
	Host string
	Unit string // systemd unit or syslog identifier
	PID  int
	// ID is the store's own id of the record, which identifies duplicates.
	ID      string
	Message string
}

// Sink receives what is found in a file. Raw bytes are valid only during the call.
type Sink struct {
	Record func(Record)
	// Object receives a pod, event or node. kind is its kind, for objects without one.
	Object func(kind string, raw []byte)
	// Journal receives a record of journalctl -o json.
	Journal func(raw []byte)
}

// Tally counts the results.
type Tally struct {
	Records, Objects, Journal int
	// OfContainers are records of containers' output, which are not trusted.
	OfContainers int
	// Strange are records without a known message or kind.
	Strange int
	// Broken are places that do not match the file's format; Why is the first reason.
	Broken int
	Why    string
	// Cut: the file ends within a record.
	Cut bool
}

func (t *Tally) broken(why string) {
	if t.Broken++; t.Broken == 1 {
		t.Why = why
	}
}

// Found reports whether there was any result.
func (t *Tally) Found() bool { return t.Records+t.Objects+t.Journal > 0 }

// separator separates the fields of a line that Append writes: no log contains it.
const separator = '\x1f'

// Append appends a record as lines of the format "record" of diag/textlog: time, host, unit, process and message. A
// message of several lines becomes several, as journald stores a kubelet's.
func (r *Record) Append(b []byte) []byte {
	for text := range strings.SplitSeq(strings.TrimRight(r.Message, "\r\n"), "\n") {
		if !r.Time.IsZero() {
			b = r.Time.UTC().AppendFormat(b, "2006-01-02T15:04:05.000000000Z")
		}
		b = append(b, separator)
		b = appendField(b, r.Host)
		b = append(b, separator)
		b = appendField(b, r.Unit)
		b = append(b, separator)
		if r.PID > 0 {
			b = strconv.AppendInt(b, int64(r.PID), 10)
		}
		b = append(b, separator)
		b = append(append(b, strings.TrimRight(text, "\r")...), '\n')
	}
	return b
}

// appendField appends a field without characters that would end it.
func appendField(b []byte, s string) []byte {
	for i := 0; i < len(s) && i < field.MaxName; i++ {
		if s[i] > ' ' && s[i] != 0x7f {
			b = append(b, s[i])
		}
	}
	return b
}

// recordOf returns a complete record; outer is the record whose message contains this one.
func recordOf(f field.Fields, outer Record) Record {
	r := Record{Time: f.Time(), Host: f.Host(), Unit: f.Unit(), Message: messageOf(f)}
	r.ID, _ = f.First(field.IDNames)
	pid, _ := f.First(field.PIDNames)
	r.PID, _ = strconv.Atoi(pid)
	if r.Time.IsZero() {
		r.Time = outer.Time
	}
	r.Host = cmp.Or(r.Host, outer.Host)
	r.Unit = cmp.Or(r.Unit, outer.Unit)
	r.ID = cmp.Or(r.ID, outer.ID)
	if r.PID <= 0 {
		r.PID = max(outer.PID, 0)
	}
	return r
}

// messageOf returns what was logged: the first of several candidates that looks like a line we can read, or else the
// first of all.
func messageOf(f field.Fields) string {
	best := ""
	for _, name := range field.MessageNames {
		switch v := f[name]; {
		case v == "":
		case speaks(v):
			return v
		case best == "":
			best = v
		}
	}
	return best
}
