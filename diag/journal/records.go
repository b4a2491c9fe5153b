package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// maxRecord is the longest JSON record that is read, in bytes: a message of maxField bytes written as a list of
// numbers.
const maxRecord = 5 * maxField

// IsRecord reports whether a line can be the first of journalctl's JSON outputs
// (json, json-pretty, json-seq, json-sse).
func IsRecord(line string) bool {
	line = unframed(line)
	if line == "" || line[0] != '{' {
		return false
	}
	return line == "{" || strings.Contains(line, `"__REALTIME_TIMESTAMP"`) || strings.Contains(line, `"__CURSOR"`)
}

// unframed removes the prefixes of json-seq (a record separator) and json-sse ("data: ").
func unframed(line string) string {
	return strings.TrimPrefix(strings.TrimPrefix(line, "\x1e"), "data: ")
}

// ReadRecords reads journalctl's JSON outputs as ReadExport reads the export format. A record may be on one line or
// several (json-pretty).
func ReadRecords(r io.Reader, yield func(evidence.Entry) error, onBad func(Bad)) error {
	s := &scanner{r: bufio.NewReaderSize(r, 256<<10), limit: maxRecord}
	var d decoder
	var record []byte
	open, tooLong := false, false
	for {
		raw, err := s.line()
		if err != nil {
			if open && errors.Is(err, io.EOF) {
				return ErrCut
			}
			return ending(err)
		}
		line := raw
		for _, frame := range []string{"\x1e", "data: "} {
			if len(line) >= len(frame) && string(line[:len(frame)]) == frame {
				line = line[len(frame):]
			}
		}
		switch {
		case len(line) == 0:
			continue
		case line[0] == '{' && line[len(line)-1] == '}':
			record, open, tooLong = append(record[:0], line...), false, false
		case line[0] == '{':
			record, open, tooLong = append(record[:0], line...), true, false
			continue
		case !open:
			if string(line) != "}" && onBad != nil {
				onBad(Bad{Why: "a line outside of a record"})
			}
			continue
		default:
			if tooLong = tooLong || len(record)+len(line) > maxRecord; !tooLong {
				record = append(record, line...)
			}
			if line[0] != '}' {
				continue
			}
			open = false
		}
		if tooLong {
			record = record[:0]
		}
		e, ok, why := d.record(record)
		if why != "" && onBad != nil {
			onBad(Bad{Why: why})
		}
		if !ok {
			continue
		}
		if err := yield(e); err != nil {
			return err
		}
	}
}

// record parses one object. why is empty if it is fine.
func (d *decoder) record(b []byte) (e evidence.Entry, ok bool, why string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(b, &fields) != nil {
		return e, false, "a record that is not JSON"
	}
	d.begin()
	for name, raw := range fields {
		if n := []byte(name); wanted(n) {
			if v, ok := fieldText(raw); ok {
				d.field(n, v)
			}
		}
	}
	if ok, why = d.whole(); !ok {
		return e, false, why
	}
	return d.entry(), true, ""
}

// fieldText reads a field's value: a string; a list of numbers, which are the bytes of text that is not UTF-8; a list
// of those, for a repeated field, of which the first counts; or null for one that is too long.
func fieldText(raw json.RawMessage) ([]byte, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil && string(raw) != "null" {
		return []byte(s), true
	}
	var numbers []uint16
	if json.Unmarshal(raw, &numbers) == nil && len(numbers) > 0 {
		out := make([]byte, len(numbers))
		for i, n := range numbers {
			if n > 255 {
				return nil, false
			}
			out[i] = byte(n)
		}
		return out, true
	}
	var several []json.RawMessage
	if json.Unmarshal(raw, &several) == nil && len(several) > 0 && len(several[0]) > 0 &&
		several[0][0] != '[' || len(several) > 0 && allNumbers(several[0]) {
		return fieldText(several[0])
	}
	return nil, false
}

// allNumbers reports whether a value is a flat list of numbers: fieldText supports only one level of nesting.
func allNumbers(raw json.RawMessage) bool {
	var numbers []uint16
	return json.Unmarshal(raw, &numbers) == nil
}

// IsVerbose reports whether a line begins an entry of journalctl's verbose output:
// "Sat 2026-11-21 07:21:31.823345 UTC [s=…;i=…;b=…;m=…;t=…;x=…]".
func IsVerbose(line string) bool {
	_, _, ok := cursor(line)
	return ok
}

// cursor parses the time (microseconds since 1970, exact and without a zone) and the boot id in the cursor of a verbose
// entry's first line.
func cursor(line string) (micros int64, boot string, ok bool) {
	start := strings.Index(line, " [s=")
	if start < 0 || start > 64 || !strings.HasSuffix(line, "]") || len(line) > 512 {
		return 0, "", false
	}
	for part := range strings.SplitSeq(line[start+2:len(line)-1], ";") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			n, err := strconv.ParseInt(value, 16, 64)
			micros, ok = n, err == nil && n > 0
		case "b":
			boot = value
		}
	}
	return micros, boot, ok
}

// printedMicros is the time of an entry's first line: the cursor's, which is exact, or the printed one if someone
// shortened the cursor.
func printedMicros(line string, cursor int64) int64 {
	words := strings.Fields(line)
	if time.UnixMicro(cursor).Year() >= 2010 || len(words) < 4 {
		return cursor
	}
	at, err := time.Parse("2006-01-02 15:04:05.999999 MST", strings.Join(words[1:4], " "))
	if err != nil {
		return cursor
	}
	return at.UnixMicro()
}

// ReadVerbose reads journalctl's verbose output as ReadExport reads the export format: a line with time and cursor,
// then indented fields. Further lines of a multi-line message are indented more.
func ReadVerbose(r io.Reader, yield func(evidence.Entry) error, onBad func(Bad)) error {
	s := newScanner(r)
	var d decoder
	const indent = "    "
	name, value := "", []byte(nil)
	take := func() {
		if name != "" && wanted([]byte(name)) {
			d.field([]byte(name), value)
		}
		name = ""
	}
	flush := func() error {
		take()
		if !d.timed || !d.said {
			return nil
		}
		e := d.entry()
		d.begin()
		return yield(e)
	}
	for {
		raw, err := s.line()
		if err != nil {
			if e := flush(); e != nil && errors.Is(err, io.EOF) {
				return e
			}
			return ending(err)
		}
		line := string(raw)
		if micros, boot, ok := cursor(line); ok {
			if err := flush(); err != nil {
				return err
			}
			d.begin()
			d.field([]byte("__REALTIME_TIMESTAMP"), strconv.AppendInt(nil, printedMicros(line, micros), 10))
			d.field([]byte("_BOOT_ID"), []byte(boot))
			continue
		}
		field, indented := strings.CutPrefix(line, indent)
		key, text, pair := strings.Cut(field, "=")
		switch {
		case !indented:
			if line != "" && !strings.HasPrefix(line, "-- ") && onBad != nil {
				onBad(Bad{Why: "a line outside of an entry"})
			}
		case pair && fieldName(key):
			take()
			name, value = key, []byte(text)
		case name != "" && len(value)+len(field) < maxField:
			// A multi-line value: its further lines are below the first.
			value = append(append(value, '\n'), strings.TrimLeft(field, " ")...)
		}
	}
}

func fieldName(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
