package journalfile

import (
	"encoding/binary"
	"fmt"
	"sort"
)

// list is a file's list of all its entries, or of those of a data object: a first entry, then a chain of arrays that
// double in size. Its offsets increase. It is read once, forwards.
type list struct {
	f     *File
	first uint64 // an entry outside of the arrays; 0 for none, or passed
	array uint64 // the current array, 0 at the end
	left  uint64 // items from the beginning of the current array on
	// counted is the length of the whole list; it is stored at countAt.
	counted, countAt uint64
	// About the current array, once it was opened:
	open    bool
	n, i    uint64 // items in use, and the next one
	after   uint64 // the next array
	highest uint64 // the last entry that was returned
	bad     string // what was broken since the last entry, "" for nothing
}

// main is the list of all entries of the file.
func (f *File) main() list {
	const nEntries = 152 // in the header
	return list{f: f, array: f.entryArray, left: f.Entries, counted: f.Entries, countAt: nEntries}
}

// next returns the first entry at or after an offset, and after the previously returned one; 0 at the end.
func (l *list) next(from uint64) uint64 {
	from = max(from, l.highest+1)
	if l.first != 0 {
		offset := l.first
		l.first = 0
		if !l.plausible(offset) {
			l.broken("an entry at offset %d", offset)
		} else if offset >= from {
			return l.found(offset)
		}
	}
	for l.enter() {
		if from > l.highest+1 && l.skip(from) {
			l.leave()
			continue
		}
		for ; l.i < l.n; l.i++ {
			offset, err := l.item(l.i)
			switch {
			case err != nil:
				l.fail(err)
				return 0
			case !l.plausible(offset):
				if l.f.later(offset, typeEntry) {
					l.array, l.open = 0, false
					return 0
				}
				l.broken("an entry at offset %d", offset)
			case offset >= from:
				l.i++
				return l.found(offset)
			}
		}
		l.leave()
	}
	return 0
}

// skip finds the first item at or after an offset by binary search, and reports whether there is none in the current
// array. If the array's ends make no sense, the items must be checked one by one.
func (l *list) skip(from uint64) (none bool) {
	if l.i >= l.n {
		return true
	}
	at, err := l.item(l.i)
	if err != nil || !l.plausible(at) || at >= from {
		return false
	}
	last, err := l.item(l.n - 1)
	if err != nil || !l.plausible(last) || last < at {
		return false
	}
	if last < from {
		return true
	}
	n := l.n - l.i
	l.i += uint64(sort.Search(int(n), func(k int) bool {
		offset, err := l.item(l.i + uint64(k))
		return err != nil || offset == 0 || offset >= from
	}))
	return false
}

func (l *list) found(offset uint64) uint64 {
	l.highest = offset
	return offset
}

// plausible reports whether an entry can be at that offset.
func (l *list) plausible(offset uint64) bool {
	return offset >= l.f.headerSize && offset%8 == 0 && offset < uint64(l.f.size) && offset > l.highest
}

func (l *list) broken(format string, args ...any) {
	if l.bad == "" {
		l.bad = "a list of entries has " + fmt.Sprintf(format, args...)
	}
}

// fail abandons the rest of the list.
func (l *list) fail(err error) {
	if l.bad == "" {
		l.bad = err.Error()
	}
	l.array, l.open = 0, false
}

// enter opens the current array; false at the end of the list.
func (l *list) enter() bool {
	if l.open {
		return true
	}
	if l.array == 0 || l.left == 0 {
		return false
	}
	b, _, size, err := l.f.object(l.array, typeEntryArray, entryArraySize)
	if err != nil {
		if l.f.later(l.array, typeEntryArray) {
			l.array = 0
			return false
		}
		l.fail(err)
		return false
	}
	after := binary.LittleEndian.Uint64(b[16:])
	items := (size - entryArraySize) / l.f.arrayItem()
	// Objects are only ever appended: the next one has a higher offset.
	if items == 0 || after != 0 && after < l.array+size {
		l.fail(fmt.Errorf("%w: the array at offset %d has %d items and leads to offset %d",
			errCorrupt, l.array, items, after))
		return false
	}
	l.open, l.n, l.i, l.after = true, min(items, l.left), 0, after
	return true
}

// leave moves to the next array.
func (l *list) leave() {
	l.left -= l.n
	if l.left == 0 && l.after != 0 && !l.f.counts(l.countAt, l.counted) {
		l.broken("more arrays than it counts entries")
	}
	if l.after == 0 && l.left > 0 {
		if l.after, _ = l.f.again(l.array+16, 8); l.after < l.array { // not even now
			l.broken("%d entries fewer than it counts", l.left)
			l.after = 0
		}
	}
	l.array, l.open = l.after, false
}

func (f *File) arrayItem() uint64 {
	if f.Compact() {
		return 4
	}
	return 8
}

// item reads an item of the current array.
func (l *list) item(i uint64) (uint64, error) {
	at := l.array + entryArraySize + i*l.f.arrayItem()
	size := int(l.f.arrayItem())
	b, err := l.f.bytes(at, size)
	if err != nil {
		return 0, err
	}
	var offset uint64
	if size == 4 {
		offset = uint64(binary.LittleEndian.Uint32(b))
	} else {
		offset = binary.LittleEndian.Uint64(b)
	}
	if offset == 0 {
		return l.f.again(at, size)
	}
	return offset, nil
}

// seek returns the first entry of the file for which reached is true, by binary search: reached must be false for all
// entries before it. That holds for times: journald begins a new file when the clock leaps back (journald-server.c). 0
// means that there is none. sure is false if the search came across a broken part: then it may have missed the answer.
func (f *File) seek(reached func(entry) bool) (offset uint64, sure bool) {
	l := f.main()
	for l.enter() {
		if e, ok := l.readable(l.n - 1); ok && !reached(e) {
			l.leave()
			continue
		}
		lo, hi := uint64(0), l.n // the answer is in lo…hi
		for lo < hi {
			mid := lo + (hi-lo)/2
			if e, ok := l.readable(mid); ok && reached(e) {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		if lo < l.n {
			offset, _ = l.item(lo)
			return offset, l.bad == ""
		}
		l.leave()
	}
	return 0, l.bad == ""
}

// readable reads the entry of an item. An unreadable one marks the list as bad.
func (l *list) readable(i uint64) (entry, bool) {
	offset, err := l.item(i)
	if err == nil {
		var e entry
		if e, err = l.f.entryAt(offset); err == nil {
			return e, true
		}
	}
	l.broken("an entry that cannot be read: %v", err)
	return entry{}, false
}
