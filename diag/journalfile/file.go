package journalfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// File is one journal file, as it was when it was opened: entries added later are not seen. It belongs to a Set.
type File struct {
	Header
	name   string
	r      io.ReaderAt
	size   int64
	pool   *pool
	seed   uint64
	last   *window
	joined []byte
	known  []datum // data that many entries share, by offset
	copied int64   // bytes of fields, unpacked
}

// Name is the name under which the file was added.
func (f *File) Name() string { return f.name }

// Size is the size of the file in bytes when it was opened.
func (f *File) Size() int64 { return f.size }

// open reads the header.
func (p *pool) open(name string, r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, min(size, 4096))
	n, err := r.ReadAt(head, 0)
	p.read += int64(n)
	if n < len(head) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	h, err := parseHeader(head, size)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	f := &File{Header: h, name: name, r: r, size: size, pool: p, seed: p.files * 61}
	p.files++
	f.arena(head)
	return f, nil
}

func (f *File) u64(offset uint64) (uint64, error) {
	b, err := f.bytes(offset, 8)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}

// object checks the object at an offset, and returns its first fixed bytes (at most fixed, as many as the type always
// has) with its flags and size. The bytes are valid until the next read.
func (f *File) object(offset uint64, kind byte, fixed int) (b []byte, flags byte, size uint64, err error) {
	if offset < f.headerSize || offset%8 != 0 {
		return nil, 0, 0, fmt.Errorf("%w: no object can be at offset %d", errCorrupt, offset)
	}
	if b, err = f.bytes(offset, fixed); err != nil {
		return nil, 0, 0, err
	}
	size = binary.LittleEndian.Uint64(b[8:])
	switch {
	case b[0] != kind:
		return nil, 0, 0, fmt.Errorf("%w: an object of type %d instead of %d at offset %d", errCorrupt, b[0], kind, offset)
	case size < uint64(fixed) || size > uint64(f.size)-offset:
		return nil, 0, 0, fmt.Errorf("%w: an object of %d bytes at offset %d", errCorrupt, size, offset)
	}
	return b, b[1], size, nil
}

// Limits for an entry. What exceeds them is reported as a hole. (journald itself accepts 1024 fields from a client, and
// adds some thirty.)
const (
	maxItems      = 8192
	maxFieldBytes = 16 << 20
	maxEntryBytes = 64 << 20
	// maxTime is systemd's own: microseconds in 55 bits, beyond the year 3100.
	maxTime = 1 << 55
)

type entry struct {
	offset, size                     uint64
	seqnum, realtime, monotonic, xor uint64
	boot                             ID128
}

func (f *File) entryAt(offset uint64) (entry, error) {
	b, _, size, err := f.object(offset, typeEntry, entrySize)
	if err != nil {
		return entry{}, err
	}
	u64 := binary.LittleEndian.Uint64
	e := entry{offset: offset, size: size, seqnum: u64(b[16:]), realtime: u64(b[24:]),
		monotonic: u64(b[32:]), boot: ID128(b[40:56]), xor: u64(b[56:])}
	items := size - entrySize
	if items == 0 || items%f.itemSize() != 0 || items/f.itemSize() > maxItems {
		return entry{}, fmt.Errorf("%w: an entry of %d bytes at offset %d", errCorrupt, size, offset)
	}
	if e.seqnum == 0 || e.realtime == 0 || e.realtime >= maxTime || e.monotonic >= maxTime {
		return entry{}, fmt.Errorf("%w: an entry without number or time at offset %d", errCorrupt, offset)
	}
	return e, nil
}

// itemSize is the size of an entry's reference to a data object: its offset in 32
// bits, or in 64 with its hash.
func (f *File) itemSize() uint64 {
	if f.Compact() {
		return 4
	}
	return 16
}

// items reads the offsets of an entry's data into dst.
func (f *File) items(e entry, dst []uint64) ([]uint64, error) {
	step := int(f.itemSize())
	b, err := f.bytes(e.offset+entrySize, int(e.size-entrySize))
	if err != nil {
		return dst, err
	}
	for ; len(b) > 0; b = b[step:] {
		if step == 4 {
			dst = append(dst, uint64(binary.LittleEndian.Uint32(b)))
		} else {
			dst = append(dst, binary.LittleEndian.Uint64(b))
		}
	}
	return dst, nil
}
