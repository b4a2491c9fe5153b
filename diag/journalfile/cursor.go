package journalfile

import (
	"cmp"
	"strconv"
)

// Cursor identifies an entry, whatever file it is in. Times are in microseconds: Realtime since 1970, Monotonic since
// the boot.
type Cursor struct {
	SeqnumID  ID128
	Seqnum    uint64
	Boot      ID128
	Monotonic uint64
	Realtime  uint64
	Xor       uint64 // of the hashes of its data
}

// String returns the cursor in the journal's notation (__CURSOR).
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

// cursor returns the cursor of an entry of the file.
func (f *File) cursor(e entry) Cursor {
	return Cursor{f.SeqnumID, e.seqnum, e.boot, e.monotonic, e.realtime, e.xor}
}

// compare orders entries as journalctl does (sd-journal.c compare_locations): by number within one sequence, by the
// monotonic clock within a boot, else by the wall clock. 0 means that it is the same entry.
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
