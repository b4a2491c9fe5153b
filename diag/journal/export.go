package journal

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ErrCut is returned when the stream ends within an entry.
var ErrCut = errors.New("the journal export ends within an entry")

// Bad is a place where an export is unreadable or incomplete.
type Bad struct {
	Why     string
	Missing bool // the export is fine: the journal lacked entries
}

// ReadExport reads a journal in export format and passes its entries on in order. A broken entry is skipped: onBad (may
// be nil) is called for it, and also where entries are missing. Field values longer than 1 MiB are cut. An error of
// yield ends the reading and is returned; ErrCut is returned after the last whole entry of a truncated stream.
//
// Entry.Time is __REALTIME_TIMESTAMP: the clock of the journal, which is the same for all writers. Entry.About is set
// only in lines of systemd (PID 1) itself.
func ReadExport(r io.Reader, yield func(evidence.Entry) error, onBad func(Bad)) error {
	s := newScanner(r)
	var d decoder
	tell := func(b Bad) {
		if onBad != nil {
			onBad(b)
		}
	}
	for {
		d.begin()
		err := readEntry(s, wanted, d.field)
		switch {
		case errors.Is(err, errBroken):
			tell(Bad{Why: strings.TrimPrefix(err.Error(), errBroken.Error()+": ")})
			if err := s.skip(); err != nil {
				return ending(err)
			}
			continue
		case err != nil:
			return ending(err)
		}
		if d.fields == 0 {
			continue // an extra empty line
		}
		if d.hole != "" {
			tell(Bad{Why: d.hole, Missing: true})
			continue
		}
		whole, why := d.whole()
		if why != "" {
			tell(Bad{Why: why})
		}
		if !whole {
			continue
		}
		if err := yield(d.entry()); err != nil {
			return err
		}
	}
}

// ending converts the end of a stream into ReadExport's error.
func ending(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrCut
	}
	return err
}

// readEntry reads the fields of one entry.
func readEntry(s *scanner, want func([]byte) bool, take func(name, value []byte)) error {
	for n := 0; ; n++ {
		name, value, err := s.field(want)
		switch {
		case errors.Is(err, io.EOF) && n > 0:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case len(name) == 0:
			return nil
		}
		take(name, value)
	}
}

// wanted reports whether a field is needed for an entry. The conversion in the switch does not allocate.
func wanted(name []byte) bool {
	switch string(name) {
	case "__REALTIME_TIMESTAMP", "_SOURCE_REALTIME_TIMESTAMP", "__MONOTONIC_TIMESTAMP",
		"__SEQNUM", "__SEQNUM_ID", "MESSAGE", "_HOSTNAME", "_SYSTEMD_UNIT", "_SYSTEMD_CGROUP",
		"SYSLOG_IDENTIFIER", "SYSLOG_FACILITY",
		"UNIT", "_PID", "_UID", "_BOOT_ID", "_MACHINE_ID", "_TRANSPORT", "_LINE_BREAK",
		"MESSAGE_ID", "CONTAINER_NAME", holeField:
		return true
	}
	return false
}

// decoder collects the fields of one entry. Strings that repeat between entries are shared.
type decoder struct {
	fields               int
	timed, said, twice   bool
	micros, sent         int64
	pid                  int
	mono                 int64
	seq                  uint64
	host, unit, ident    string
	trusted              // the fields that identify the writer
	seqID, machine, id   string
	cut                  bool // the message ends without a line end
	container            string
	about, boot, message string
	hole                 string
	carried              bool // an earlier entry had a _TRANSPORT
	known                map[string]string
	machines             map[string]string // redacted, by the journal's machine id
	// stream is the writer whose last message was cut.
	stream struct {
		pid int
		cut bool
	}
}

func (d *decoder) begin() {
	*d = decoder{known: d.known, machines: d.machines, stream: d.stream, carried: d.carried || d.transport != ""}
}

// whole reports whether the entry can be used, and why if it lost something on its way here: journald puts a time and
// _TRANSPORT into each, and a message into all but those that a program composes itself (systemd journald-server.c).
func (d *decoder) whole() (ok bool, why string) {
	switch {
	case !d.timed:
		return false, "an entry without __REALTIME_TIMESTAMP"
	case d.twice:
		return false, "two entries without a line between them"
	case d.carried && d.transport == "":
		return false, "an entry without _TRANSPORT, which others have"
	case d.unit == "" && strings.HasSuffix(d.cgroup, ".service"): // cgroup-util.c cg_path_get_unit
		return false, "an entry without _SYSTEMD_UNIT, which its cgroup names"
	case !d.said && d.transport != "" && d.transport != "journal":
		return false, "an entry without its MESSAGE"
	}
	return d.said, ""
}

func (d *decoder) field(name, value []byte) {
	d.fields++
	switch string(name) {
	case "__REALTIME_TIMESTAMP":
		d.twice = d.timed
		d.micros, d.timed = microseconds(value)
	case "_SOURCE_REALTIME_TIMESTAMP":
		d.sent, _ = microseconds(value)
	case holeField:
		d.hole = string(value)
	case "MESSAGE":
		d.message, d.said = string(value), true
	case "_HOSTNAME":
		d.host = d.intern(value)
	case "_SYSTEMD_UNIT":
		d.unit = d.intern(value)
	case "SYSLOG_IDENTIFIER":
		d.ident = d.intern(value)
	case "UNIT":
		d.about = d.intern(value)
	case "CONTAINER_NAME":
		d.container = d.intern(value)
	case "_BOOT_ID":
		d.boot = d.intern(value)
	case "_PID":
		d.pid, _ = strconv.Atoi(string(value))
	case "_TRANSPORT":
		d.transport = d.intern(value)
	case "SYSLOG_FACILITY":
		d.facility = d.intern(value)
	case "_UID":
		d.uid = d.intern(value)
	case "_SYSTEMD_CGROUP":
		d.cgroup = d.intern(value)
	case "_MACHINE_ID":
		d.machine = d.intern(value)
	case "MESSAGE_ID":
		d.id = d.intern(value)
	case "_LINE_BREAK":
		d.cut = true // the reason: nul, line-max, eof, pid-change
	case "__MONOTONIC_TIMESTAMP":
		if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && n > 0 && n < 1<<53 {
			d.mono = n
		}
	case "__SEQNUM":
		d.seq, _ = strconv.ParseUint(string(value), 10, 64)
	case "__SEQNUM_ID":
		d.seqID = d.intern(value)
	}
}

// microseconds parses a wall-clock time. RFC 3339 cannot express times beyond the year 9999.
func microseconds(value []byte) (n int64, ok bool) {
	n, err := strconv.ParseInt(string(value), 10, 64)
	if ok = err == nil && n > 0 && n < 253402300800_000_000; !ok {
		n = 0
	}
	return n, ok
}

// intern returns a string for bytes that were most likely seen before.
func (d *decoder) intern(b []byte) string {
	if s, ok := d.known[string(b)]; ok {
		return s
	}
	if d.known == nil || len(d.known) > 4096 {
		d.known = map[string]string{}
	}
	s := string(b)
	d.known[s] = s
	return s
}
