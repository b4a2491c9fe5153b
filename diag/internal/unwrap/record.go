package unwrap

import (
	"strconv"
	"strings"
	"time"
)

// Record is one message of a log, with what its wrapping knows about it.
type Record struct {
	Time time.Time // zero when the wrapping gives none
	Host string
	Unit string // systemd unit or syslog identifier
	PID  int
	// ID is the store's own name of the record, by which a second copy is known.
	ID      string
	Message string
}

// Sink takes what is found in a file. Raw bytes are valid during the call only.
type Sink struct {
	Record func(Record)
	// Object takes a pod, event or node, whose kind stands in kind when the object
	// itself does not tell.
	Object func(kind string, raw []byte)
	// Journal takes a record of journalctl -o json.
	Journal func(raw []byte)
}

// Tally counts what was found.
type Tally struct {
	Records, Objects, Journal int
	// OfContainers are records of containers' output, which are not believed.
	OfContainers int
	// Strange are records without a message or kind that is known.
	Strange int
	// Broken are places that are not of the file's format; Why is the first.
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

// Found reports whether anything came out.
func (t *Tally) Found() bool { return t.Records+t.Objects+t.Journal > 0 }

// separator stands between the fields of a line that Append writes: no log has it.
const separator = '\x1f'

// Append appends a record as lines of the format "record" of diag/textlog: time,
// host, unit, process and message. A message of several lines becomes several, as
// journald stores a kubelet's.
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

// appendField appends a field without what would end it.
func appendField(b []byte, s string) []byte {
	for i := 0; i < len(s) && i < maxName; i++ {
		if s[i] > ' ' && s[i] != 0x7f {
			b = append(b, s[i])
		}
	}
	return b
}

// maxName is longer than the longest name of a host or unit.
const maxName = 255
