package journalfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// Entry is one entry of the journal. It is valid until the next one is read.
type Entry struct {
	// Cursor identifies the entry.
	Cursor Cursor
	// File is the name of the file that it was read from.
	File string
	// Fields are its fields in order, as far as the query names them.
	Fields []Field
}

// Field is a field of an entry. The value may be any bytes.
type Field struct{ Name, Value []byte }

// Time is when journald received the entry (__REALTIME_TIMESTAMP).
func (e *Entry) Time() time.Time { return time.UnixMicro(int64(e.Cursor.Realtime)).UTC() }

// Get returns the value of the first field with that name, nil if there is none.
func (e *Entry) Get(name string) []byte {
	for _, f := range e.Fields {
		if string(f.Name) == name {
			return f.Value
		}
	}
	return nil
}

// AppendExport appends the entry in the export format
// (https://systemd.io/JOURNAL_EXPORT_FORMATS), as journalctl 252 writes it.
func (e *Entry) AppendExport(b []byte) []byte {
	b = append(b, "__CURSOR="...)
	b = append(b, e.Cursor.String()...)
	b = append(b, "\n__REALTIME_TIMESTAMP="...)
	b = strconv.AppendUint(b, e.Cursor.Realtime, 10)
	b = append(b, "\n__MONOTONIC_TIMESTAMP="...)
	b = strconv.AppendUint(b, e.Cursor.Monotonic, 10)
	b = append(b, "\n_BOOT_ID="...)
	b = append(b, e.Cursor.Boot.String()...)
	b = append(b, '\n')
	for _, f := range e.Fields {
		if string(f.Name) != "_BOOT_ID" { // written above
			b = AppendField(b, f.Name, f.Value)
		}
	}
	return append(b, '\n')
}

// AppendField appends a field in the export format: as a line of text, or with its length if the value is not plain
// text on one line.
func AppendField(b, name, value []byte) []byte {
	b = append(b, name...)
	if oneLine(value) {
		b = append(b, '=')
	} else {
		b = append(b, '\n')
		b = binary.LittleEndian.AppendUint64(b, uint64(len(value)))
	}
	b = append(b, value...)
	return append(b, '\n')
}

// oneLine reports whether journalctl writes a value as text: UTF-8 without control
// characters other than the tab (utf8_is_printable_newline of systemd).
func oneLine(b []byte) bool {
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 || r <= 0x9f {
			return false
		}
		i += n
	}
	return true
}

// decode reads the fields of an entry that a query wants into e, and returns the buffer that holds them. Unreadable
// data is left out; why describes the first failure.
func (f *File) decode(at entry, q *Query, e *Entry, buf []byte, refs []uint64) (_ []byte, _ []uint64, why string) {
	e.Cursor, e.File, e.Fields = f.cursor(at), f.name, e.Fields[:0]
	refs, err := f.items(at, refs[:0])
	if err != nil {
		return buf, refs, err.Error()
	}
	buf = buf[:0]
	total := 0
	for _, ref := range refs {
		kept := len(buf)
		field, grown, err := f.field(ref, q, buf)
		buf = grown
		if total += len(field); err == nil && total > maxEntryBytes {
			err = fmt.Errorf("an entry of more than %d bytes at offset %d", maxEntryBytes, at.offset)
		}
		switch {
		case err == nil && field != nil:
			name, value, _ := bytes.Cut(field, []byte("="))
			e.Fields = append(e.Fields, Field{name, value})
		case err != nil:
			buf = buf[:kept]
			if why == "" {
				why = err.Error()
			}
		}
		if total > maxEntryBytes {
			break
		}
	}
	return buf, refs, why
}
