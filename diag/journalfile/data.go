package journalfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// datum is the cached field of a data object, which entries share.
type datum struct {
	offset uint64
	field  []byte // FIELD=value
	name   bool   // only FIELD=: the value is long and was not wanted
}

const (
	// knownSlots is the size of a file's cache of shared fields.
	knownSlots = 1024
	// knownBytes is the longest field that is cached.
	knownBytes = 1024
)

// data is the fixed part of a data object.
type data struct {
	offset, size          uint64
	flags                 byte
	hash, nextHash        uint64
	first, array, entries uint64 // the entries that have it
}

func (f *File) dataSize() int {
	if f.Compact() {
		return dataSizeCompact
	}
	return dataSize
}

func (f *File) dataAt(offset uint64) (data, error) {
	b, flags, size, err := f.object(offset, typeData, f.dataSize())
	if err != nil {
		return data{}, err
	}
	u64 := binary.LittleEndian.Uint64
	d := data{offset: offset, size: size, flags: flags, hash: u64(b[16:]), nextHash: u64(b[24:]),
		first: u64(b[40:]), array: u64(b[48:]), entries: u64(b[56:])}
	if size == uint64(f.dataSize()) {
		return data{}, fmt.Errorf("%w: an empty data object at offset %d", errCorrupt, offset)
	}
	return d, nil
}

// errSpent ends the reading of a file whose unpacked content is absurdly large.
var errSpent = fmt.Errorf("%w: what it holds is out of all proportion to its size", errCorrupt)

// spent reports whether more was copied or unpacked from the file than a valid one can yield: entries share data, but
// not hundreds of times.
func (f *File) spent() bool { return f.copied>>8 > f.size+1<<20 }

// list returns the list of the entries with this data.
func (d *data) list(f *File) list {
	if d.entries == 0 {
		return list{f: f}
	}
	return list{f: f, first: d.first, array: d.array, left: d.entries - 1, counted: d.entries, countAt: d.offset + 56}
}

// payload appends the field (FIELD=value) of a data object to dst.
func (f *File) payload(d *data, dst []byte) (out []byte, err error) {
	if f.spent() {
		return dst, errSpent
	}
	at := len(dst)
	defer func() { f.copied += int64(len(out) - at) }()
	from, n := d.offset+uint64(f.dataSize()), d.size-uint64(f.dataSize())
	if n > maxFieldBytes {
		return dst, fmt.Errorf("a field of %d bytes at offset %d", n, d.offset)
	}
	if d.flags&(dataXZ|dataLZ4|dataZstd) != 0 {
		packed := make([]byte, n)
		if err := f.copy(packed, from); err != nil {
			return dst, err
		}
		out, err := f.pool.unpack.unpack(d.flags, packed, dst)
		if err != nil {
			return dst, fmt.Errorf("%w: the data at offset %d: %w", errCorrupt, d.offset, err)
		}
		return out, nil
	}
	if n <= windowSize {
		b, err := f.bytes(from, int(n))
		return append(dst, b...), err
	}
	dst = append(dst, make([]byte, n)...)
	return dst, f.copy(dst[at:], from)
}

// field returns the field of the data object at an offset, nil if the query does not want it. It is valid until buf is
// used again; buf is returned, possibly grown.
func (f *File) field(offset uint64, q *Query, buf []byte) (field, grown []byte, err error) {
	if f.known == nil {
		f.known = make([]datum, knownSlots)
	}
	k := &f.known[offset/8%knownSlots]
	if k.field != nil && k.offset == offset {
		if !q.wants(k.field) {
			return nil, buf, nil
		}
		if !k.name {
			return k.field, buf, nil
		}
	}
	d, err := f.dataAt(offset)
	if err != nil {
		return nil, buf, err
	}
	if f.unwanted(&d, q) {
		return nil, buf, nil
	}
	at := len(buf)
	if buf, err = f.payload(&d, buf); err != nil {
		return nil, buf, err
	}
	field = buf[at:len(buf):len(buf)]
	equals := bytes.IndexByte(field, '=')
	if equals < 0 {
		return nil, buf, fmt.Errorf("%w: a field without a name at offset %d", errCorrupt, offset)
	}
	wanted := q.wants(field)
	switch {
	case d.entries < 2:
	case len(field) <= knownBytes:
		*k = datum{offset, bytes.Clone(field), false}
	case !wanted && equals < knownBytes:
		*k = datum{offset, bytes.Clone(field[:equals+1]), true}
	}
	if !wanted {
		return nil, buf[:at], nil
	}
	return field, buf, nil
}

// unwanted reports, from the start of a long field, whether the query does not want it, so that it need not be copied.
func (f *File) unwanted(d *data, q *Query) bool {
	const enough = 128
	from := d.offset + uint64(f.dataSize())
	if len(q.Fields) == 0 || d.size < knownBytes || d.flags&(dataXZ|dataLZ4|dataZstd) != 0 {
		return false
	}
	b, err := f.bytes(from, enough)
	return err == nil && bytes.IndexByte(b, '=') > 0 && !q.wants(b)
}

// find looks up the data object of "FIELD=value". found is false when no entry
// has it; an error means that the table cannot be trusted.
func (f *File) find(field []byte) (d data, found bool, err error) {
	if f.dataTable == 0 {
		return data{}, false, fmt.Errorf("%w: no data hash table", errCorrupt)
	}
	hash := f.hash(field)
	offset, err := f.u64(f.dataTable + hash%(f.dataTableSize/hashItemSize)*hashItemSize)
	if err != nil {
		return data{}, false, err
	}
	var buf []byte
	for offset != 0 {
		if d, err = f.dataAt(offset); err != nil {
			return data{}, false, err
		}
		if d.hash == hash {
			if buf, err = f.payload(&d, buf[:0]); err != nil {
				return data{}, false, err
			}
			if bytes.Equal(buf, field) {
				return d, true, nil
			}
		}
		// Objects are only ever appended: the next one has a higher offset.
		if d.nextHash != 0 && d.nextHash < offset+d.size {
			return data{}, false, fmt.Errorf("%w: the hash chain leads back at offset %d", errCorrupt, offset)
		}
		offset = d.nextHash
	}
	return data{}, false, nil
}
