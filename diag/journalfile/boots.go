package journalfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// Boot is one run of a machine, as far back as the journal goes.
type Boot struct {
	ID          ID128
	First, Last time.Time // of its entries
}

// Boots lists the boots with entries in the files, oldest first. It reads only the index. The error, returned along
// with the boots that were found, says what could not be read.
func (s *Set) Boots() ([]Boot, error) {
	found := map[ID128]Boot{}
	var bad error
	for _, f := range s.files {
		err := f.eachBoot(func(b Boot) {
			if old, ok := found[b.ID]; ok {
				if old.First.Before(b.First) {
					b.First = old.First
				}
				if old.Last.After(b.Last) {
					b.Last = old.Last
				}
			}
			found[b.ID] = b
		})
		if err != nil && bad == nil {
			bad = fmt.Errorf("list boots of %s: %w", f.name, err)
		}
	}
	var out []Boot
	for _, b := range found {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b Boot) int {
		if n := a.First.Compare(b.First); n != 0 {
			return n
		}
		return bytes.Compare(a.ID[:], b.ID[:])
	})
	return out, bad
}

// eachBoot visits the data objects of field _BOOT_ID.
func (f *File) eachBoot(take func(Boot)) error {
	const name = "_BOOT_ID"
	offset, err := f.firstData(name)
	if err != nil {
		return err
	}
	var buf []byte
	for offset != 0 {
		d, err := f.dataAt(offset)
		if err != nil {
			return err
		}
		if buf, err = f.payload(&d, buf[:0]); err != nil {
			return err
		}
		value, ok := bytes.CutPrefix(buf, []byte(name+"="))
		if !ok {
			return fmt.Errorf("%w: other data among %s at offset %d", errCorrupt, name, offset)
		}
		if id, err := ParseID(string(value)); err == nil {
			l := d.list(f)
			if first, last, ok := l.ends(); ok {
				take(Boot{id, time.UnixMicro(int64(first.realtime)).UTC(), time.UnixMicro(int64(last.realtime)).UTC()})
			}
		}
		// A new object is put in front of the older ones.
		if d.nextInField >= offset {
			return fmt.Errorf("%w: the list of %s leads forwards at offset %d", errCorrupt, name, offset)
		}
		offset = d.nextInField
	}
	return nil
}

// firstData is the offset of the newest data object of a field, 0 if there is none.
func (f *File) firstData(name string) (uint64, error) {
	if f.fieldTable == 0 {
		return 0, fmt.Errorf("%w: no field hash table", errCorrupt)
	}
	hash := f.hash([]byte(name))
	offset, err := f.u64(f.fieldTable + hash%(f.fieldTableSize/hashItemSize)*hashItemSize)
	if err != nil {
		return 0, err
	}
	for offset != 0 {
		b, _, size, err := f.object(offset, typeField, fieldSize)
		if err != nil {
			return 0, err
		}
		u64 := binary.LittleEndian.Uint64
		found, next, data := u64(b[16:]), u64(b[24:]), u64(b[32:])
		if found == hash && size == fieldSize+uint64(len(name)) {
			if b, err = f.bytes(offset+fieldSize, len(name)); err != nil {
				return 0, err
			}
			if string(b) == name {
				return data, nil
			}
		}
		if next != 0 && next < offset+size {
			return 0, fmt.Errorf("%w: the hash chain leads back at offset %d", errCorrupt, offset)
		}
		offset = next
	}
	return 0, nil
}

// ends returns the first and the last entry of a list. It consumes the list.
func (l *list) ends() (first, last entry, ok bool) {
	at := l.next(1)
	for ; at != 0; at = l.next(at + 1) {
		var err error
		if first, err = l.f.entryAt(at); err == nil {
			break
		}
	}
	if at == 0 {
		return first, last, false
	}
	last = first
	// Arrays double in size: a valid list has no more than these.
	for arrays := 0; arrays < 64 && l.enter(); arrays++ {
		for i := l.n; i > 0 && l.n-i < 64; i-- { // the last readable one
			if e, ok := l.readable(i - 1); ok {
				last = e
				break
			}
		}
		l.leave()
	}
	return first, last, true
}
