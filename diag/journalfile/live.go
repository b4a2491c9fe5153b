package journalfile

import "encoding/binary"

// A file that is being written grows while it is read. It is read as of its opening; windows read early may lack what
// was written later, which must not be treated as damage.

// arena corrects the size that a file had before its header was read: what the header counts is within the size that it
// declares as allocated.
func (f *File) arena(b []byte) {
	const arenaSize = 96 // in the header
	size := int64(f.headerSize + binary.LittleEndian.Uint64(b[arenaSize:]))
	if f.State != Online || size <= f.size || size > f.size+1<<30 {
		return
	}
	if n, _ := f.r.ReadAt(make([]byte, 1), size-1); n == 1 {
		f.size = size
	}
}

// again reads a number that was zero, bypassing the windows: a count may be newer than the window with the counted
// items.
func (f *File) again(at uint64, size int) (uint64, error) {
	if f.State != Online {
		return 0, nil
	}
	var b [8]byte
	n, err := f.r.ReadAt(b[:size], int64(at))
	f.pool.read += int64(n)
	if n < size {
		return 0, f.pool.short(f, at+uint64(n), err)
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// counts reports whether a count has grown since it was read.
func (f *File) counts(at, old uint64) bool {
	now, err := f.again(at, 8)
	return err == nil && now > old
}

// later reports whether an object extends beyond the end that the file had when it was opened, and exists now.
func (f *File) later(offset uint64, kind byte) bool {
	const most = 1 << 40
	if f.State != Online || offset%8 != 0 || offset > most {
		return false
	}
	var b [objectHeaderSize]byte
	if n, _ := f.r.ReadAt(b[:], int64(offset)); n < len(b) || b[0] != kind {
		return false
	}
	size := binary.LittleEndian.Uint64(b[8:])
	if size < objectHeaderSize || size > most || offset+size <= uint64(f.size) {
		return false
	}
	n, _ := f.r.ReadAt(b[:1], int64(offset+size-1))
	return n == 1
}

// newer reports whether an entry was added after the opening. If the header still does not count it, the file is broken
// rather than live.
func (f *File) newer(e entry) bool {
	if f.State != Online || e.seqnum <= f.TailSeqnum {
		return false
	}
	const tailSeqnum = 160 // in the header
	now, err := f.again(tailSeqnum, 8)
	return err == nil && now >= e.seqnum
}

// fresh reads an entry again if its window may be older than the entry.
func (f *File) fresh(offset uint64, err error) (entry, error) {
	if f.State != Online {
		return entry{}, err
	}
	if kind, again := f.again(offset, 1); again != nil || kind != typeEntry {
		return entry{}, err
	}
	f.pool.forget(f, offset)
	return f.entryAt(offset)
}
