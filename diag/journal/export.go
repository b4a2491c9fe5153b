package journal

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ErrCut is returned when the stream ends within an entry: it was cut.
var ErrCut = errors.New("the journal export ends within an entry")

// Bad is a place where an export is no good.
type Bad struct {
	Offset  int64 // bytes, of the end of the entry
	Why     string
	Missing bool // nothing is wrong with the export: the journal lacked entries
}

// ReadExport reads a journal in export format and hands on its entries in order.
// An entry that is broken costs only itself: onBad is told (it
// may be nil), and also of the places where entries are missing. Field values longer than 1 MiB are cut. An error of yield ends
// the reading and is returned; ErrCut is returned after the last whole entry of
// a stream that was cut.
//
// Entry.Time is __REALTIME_TIMESTAMP: the clock of the journal, which is the same
// for all writers. Entry.About is set only in lines of systemd (PID 1) itself.
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
			tell(Bad{Offset: s.offset, Why: strings.TrimPrefix(err.Error(), errBroken.Error()+": ")})
			if err := s.skip(); err != nil {
				return ending(err)
			}
			continue
		case err != nil:
			return ending(err)
		}
		if d.fields == 0 {
			continue // an empty line more than needed
		}
		if d.hole != "" {
			tell(Bad{Offset: s.offset, Why: d.hole, Missing: true})
			continue
		}
		if !d.timed {
			tell(Bad{Offset: s.offset, Why: "an entry without __REALTIME_TIMESTAMP"})
			continue
		}
		if !d.said {
			continue // not every entry has a MESSAGE
		}
		if err := yield(d.entry()); err != nil {
			return err
		}
	}
}

// ending turns the two ends of a stream into ReadExport's results.
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

// wanted are the fields that an entry is made of. Comparing a converted byte
// slice allocates nothing.
func wanted(name []byte) bool {
	switch string(name) {
	case "__REALTIME_TIMESTAMP", "MESSAGE", "_HOSTNAME", "_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER", "UNIT", "_PID", "_BOOT_ID", "_TRANSPORT", "CONTAINER_NAME", holeField:
		return true
	}
	return false
}

// decoder gathers the fields of one entry. Strings that repeat from entry to
// entry are kept.
type decoder struct {
	fields               int
	timed, said          bool
	micros               int64
	pid                  int
	kernel               bool
	host, unit, ident    string
	container            string
	about, boot, message string
	hole                 string
	known                map[string]string
}

func (d *decoder) begin() {
	*d = decoder{known: d.known}
}

func (d *decoder) field(name, value []byte) {
	d.fields++
	switch string(name) {
	case "__REALTIME_TIMESTAMP":
		n, err := strconv.ParseInt(string(value), 10, 64)
		// Beyond the year 9999 no time can be written as RFC 3339.
		d.micros, d.timed = n, err == nil && n > 0 && n < 253402300800_000_000
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
		d.kernel = string(value) == "kernel"
	}
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

func (d *decoder) entry() evidence.Entry {
	e := evidence.Entry{Time: time.UnixMicro(d.micros).UTC(), Host: d.host, Unit: d.unit, PID: d.pid, Kernel: d.kernel, BootID: d.boot, Message: d.message}
	if e.Unit == "" {
		e.Unit = d.ident
	}
	// Docker's journald driver writes what its containers say under its own unit:
	// hyperkube runs the kubelet in a container of that name.
	if d.container != "" && d.unit == "docker.service" {
		e.Unit = d.container
	}
	// UNIT is a field that anyone may write; only systemd's own is believed.
	if d.pid == 1 {
		e.About = d.about
		e.Unit = "init.scope"
	}
	return e
}
