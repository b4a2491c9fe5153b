package journalfile

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Cursor names an entry, whatever file it is in. Times are in microseconds:
// Realtime since 1970, Monotonic since the boot.
type Cursor struct {
	SeqnumID  ID128
	Seqnum    uint64
	Boot      ID128
	Monotonic uint64
	Realtime  uint64
	Xor       uint64 // of the hashes of its data
}

// String writes the cursor as the journal does (__CURSOR).
func (c Cursor) String() string {
	b := make([]byte, 0, 128)
	b = append(b, "s="...)
	b = append(b, c.SeqnumID.String()...)
	b = append(b, ";i="...)
	b = strconv.AppendUint(b, c.Seqnum, 16)
	b = append(b, ";b="...)
	b = append(b, c.Boot.String()...)
	b = append(b, ";m="...)
	b = strconv.AppendUint(b, c.Monotonic, 16)
	b = append(b, ";t="...)
	b = strconv.AppendUint(b, c.Realtime, 16)
	b = append(b, ";x="...)
	b = strconv.AppendUint(b, c.Xor, 16)
	return string(b)
}

// ParseCursor reads a cursor as journalctl --show-cursor prints it.
func ParseCursor(s string) (Cursor, error) {
	var c Cursor
	seen := 0
	for part := range strings.SplitSeq(s, ";") {
		name, value, ok := strings.Cut(part, "=")
		if !ok || len(name) != 1 {
			return Cursor{}, fmt.Errorf("parse cursor %q: %q is no part of one", s, part)
		}
		bit := 1 << max(0, strings.Index("sibmtx", name))
		var err error
		switch name {
		case "s":
			c.SeqnumID, err = ParseID(value)
		case "b":
			c.Boot, err = ParseID(value)
		case "i":
			c.Seqnum, err = strconv.ParseUint(value, 16, 64)
		case "m":
			c.Monotonic, err = strconv.ParseUint(value, 16, 64)
		case "t":
			c.Realtime, err = strconv.ParseUint(value, 16, 64)
		case "x":
			c.Xor, err = strconv.ParseUint(value, 16, 64)
		default:
			continue // of a later systemd
		}
		if err == nil && seen&bit != 0 {
			err = fmt.Errorf("%s stands twice", name)
		}
		if err != nil {
			return Cursor{}, fmt.Errorf("parse cursor %q: %w", s, err)
		}
		seen |= bit
	}
	if seen != 1<<6-1 {
		return Cursor{}, fmt.Errorf("parse cursor %q: it does not have all of s, i, b, m, t, x", s)
	}
	return c, nil
}

// cursor is the cursor of an entry of the file.
func (f *File) cursor(e entry) Cursor {
	return Cursor{f.SeqnumID, e.seqnum, e.boot, e.monotonic, e.realtime, e.xor}
}

// compare orders entries as journalctl does (sd-journal.c compare_locations): by
// number where one sequence counted both, by the monotonic clock within a boot,
// else by the wall clock. 0 means that it is the same entry.
func (c *Cursor) compare(d *Cursor) int {
	if *c == *d {
		return 0
	}
	if c.SeqnumID == d.SeqnumID && c.Seqnum != d.Seqnum {
		return cmp.Compare(c.Seqnum, d.Seqnum)
	}
	if c.Boot == d.Boot && c.Monotonic != d.Monotonic {
		return cmp.Compare(c.Monotonic, d.Monotonic)
	}
	return cmp.Or(cmp.Compare(c.Realtime, d.Realtime), cmp.Compare(c.Xor, d.Xor))
}

// behind tells which entries of the file may stand behind c.
func (f *File) behind(c *Cursor) func(entry) bool {
	return func(e entry) bool {
		switch {
		case f.SeqnumID == c.SeqnumID:
			return e.seqnum > c.Seqnum
		case e.boot == c.Boot:
			return e.monotonic >= c.Monotonic
		}
		return e.realtime >= c.Realtime
	}
}
