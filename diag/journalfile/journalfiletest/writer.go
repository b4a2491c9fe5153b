// Package journalfiletest writes small journal files for tests: in every variant of the format, with the content that a
// test wants, at offsets that it can find again to break them.
//
// It is written from the description of the format, like the reader that it tests, but shares only hashes with it,
// which the recorded files of systemd check. Only tests may import it.
package journalfiletest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
)

// Options choose the variant. The zero value is a regular file with Jenkins'
// hash, without compression, closed properly.
type Options struct {
	Compact, Keyed bool
	Compress       string // "", "zstd", "lz4" or "xz"; for fields of 64 bytes and more
	State          byte   // 0 offline, 1 online, 2 archived
	// FileID, MachineID and SeqnumID are 16 bytes; a short one is padded.
	FileID, MachineID, SeqnumID string
	// Hash is the hash function of the variant.
	Hash func(fileID [16]byte, keyed bool, b []byte) uint64
	// Buckets is the size of the hash tables; 7.
	Buckets int
	// ArrayItems is the size of the first array of a list; 2.
	ArrayItems int
}

// Writer writes one file.
type Writer struct {
	// Arrays, Entries, Data and Fields are the offsets of the objects so far.
	Arrays, Entries []int
	Data, Fields    map[string]int

	o         Options
	b         []byte
	dataTable int
	fieldTab  int
	main      chain
	lists     map[int]*chain // by offset of the data
	sums      map[string]uint64
	head      [4]uint64 // first and last number, first and last time
}

// chain is a list of entries under construction.
type chain struct {
	link        int // offset of the field for its first array
	array       int // the last array
	size, used  int // of the last array
	total       int
	countAt     int // offset of the field for its length
	singleFirst int // offset of the field for its first entry; 0 if there is none
}

var le = binary.LittleEndian

// ID pads s to an identifier.
func ID(s string) (id [16]byte) {
	copy(id[:], s)
	return id
}

// New begins a file.
func New(o Options) *Writer {
	if o.Buckets == 0 {
		o.Buckets = 7
	}
	if o.ArrayItems == 0 {
		o.ArrayItems = 2
	}
	const headerSize = 272
	w := &Writer{o: o, b: make([]byte, headerSize), Data: map[string]int{},
		Fields: map[string]int{}, lists: map[int]*chain{}, sums: map[string]uint64{}}
	copy(w.b, "LPKSHHRH")
	le.PutUint32(w.b[12:], w.flags())
	w.b[16] = o.State
	for at, s := range map[int]string{24: o.FileID, 40: o.MachineID, 72: o.SeqnumID} {
		id := ID(s)
		copy(w.b[at:], id[:])
	}
	w.u64(88, headerSize)
	w.fieldTab = w.object(5, make([]byte, 16*o.Buckets)) + 16
	w.dataTable = w.object(4, make([]byte, 16*o.Buckets)) + 16
	w.u64(104, uint64(w.dataTable))
	w.u64(112, uint64(16*o.Buckets))
	w.u64(120, uint64(w.fieldTab))
	w.u64(128, uint64(16*o.Buckets))
	w.main = chain{link: 176, countAt: 152}
	return w
}

func (w *Writer) flags() (f uint32) {
	f = map[string]uint32{"": 0, "xz": 1, "lz4": 2, "zstd": 8}[w.o.Compress]
	if w.o.Keyed {
		f |= 4
	}
	if w.o.Compact {
		f |= 16
	}
	return f
}

func (w *Writer) u64(at int, v uint64) { le.PutUint64(w.b[at:], v) }

// object appends an object and returns its offset.
func (w *Writer) object(kind byte, body []byte) int {
	at := len(w.b)
	w.b = append(w.b, kind, 0, 0, 0, 0, 0, 0, 0)
	w.b = le.AppendUint64(w.b, uint64(16+len(body)))
	w.b = append(w.b, body...)
	for len(w.b)%8 != 0 {
		w.b = append(w.b, 0)
	}
	w.u64(136, uint64(at))
	w.u64(144, le.Uint64(w.b[144:])+1)
	return at
}

// Entry is an entry to write. Times are in microseconds.
type Entry struct {
	Seqnum, Realtime, Monotonic uint64
	Boot                        string // 16 bytes, padded
	Fields                      []string
}

// Add appends an entry; without a number it gets the next one. The boot is written as field _BOOT_ID too.
func (w *Writer) Add(e Entry) {
	boot := ID(e.Boot)
	if e.Seqnum == 0 {
		e.Seqnum = w.head[1] + 1
	}
	var items []int
	xor := uint64(0)
	for _, f := range append(e.Fields, fmt.Sprintf("_BOOT_ID=%x", boot)) {
		items = append(items, w.data(f))
		if _, ok := w.sums[f]; !ok {
			w.sums[f] = w.o.Hash([16]byte{}, false, []byte(f))
		}
		xor ^= w.sums[f]
	}
	body := make([]byte, 48)
	le.PutUint64(body, e.Seqnum)
	le.PutUint64(body[8:], e.Realtime)
	le.PutUint64(body[16:], e.Monotonic)
	copy(body[24:], boot[:])
	le.PutUint64(body[40:], xor)
	for _, at := range items {
		if w.o.Compact {
			body = le.AppendUint32(body, uint32(at))
		} else {
			body = le.AppendUint64(body, uint64(at))
			body = le.AppendUint64(body, le.Uint64(w.b[at+16:]))
		}
	}
	at := w.object(3, body)
	w.Entries = append(w.Entries, at)
	w.link(&w.main, at)
	for _, d := range items {
		w.link(w.lists[d], at)
	}
	if w.main.total == 1 {
		w.head[0], w.head[2] = e.Seqnum, e.Realtime
	}
	w.head[1], w.head[3] = e.Seqnum, e.Realtime
	for i, at := range []int{168, 160, 184, 192} {
		w.u64(at, w.head[i])
	}
	copy(w.b[56:], boot[:])
	w.u64(200, e.Monotonic)
}

// data returns the offset of the object of "FIELD=value".
func (w *Writer) data(field string) int {
	if at, ok := w.Data[field]; ok {
		return at
	}
	name, _, _ := strings.Cut(field, "=")
	head := 48
	if w.o.Compact {
		head = 56
	}
	payload, flag := w.pack([]byte(field))
	hash := w.o.Hash(ID(w.o.FileID), w.o.Keyed, []byte(field))
	body := make([]byte, head, head+len(payload))
	le.PutUint64(body, hash)
	at := w.object(1, append(body, payload...))
	w.b[at+1] = flag
	w.Data[field] = at
	w.hang(w.dataTable, hash, at)
	w.lists[at] = &chain{link: at + 48, countAt: at + 56, singleFirst: at + 40}
	of, ok := w.Fields[name]
	if !ok {
		hash := w.o.Hash(ID(w.o.FileID), w.o.Keyed, []byte(name))
		body := make([]byte, 24)
		le.PutUint64(body, hash)
		of = w.object(2, append(body, name...))
		w.Fields[name] = of
		w.hang(w.fieldTab, hash, of)
	}
	w.u64(at+32, le.Uint64(w.b[of+32:]))
	w.u64(of+32, uint64(at))
	return at
}

// hang appends an object to the chain of its bucket.
func (w *Writer) hang(table int, hash uint64, at int) {
	bucket := table + int(hash%uint64(w.o.Buckets))*16
	if tail := int(le.Uint64(w.b[bucket+8:])); tail == 0 {
		w.u64(bucket, uint64(at))
	} else {
		w.u64(tail+24, uint64(at))
	}
	w.u64(bucket+8, uint64(at))
}

// link appends an entry to a list.
func (w *Writer) link(c *chain, entry int) {
	c.total++
	defer func() { w.u64(c.countAt, uint64(c.total)) }()
	if c.total == 1 && c.singleFirst != 0 {
		w.u64(c.singleFirst, uint64(entry))
		return
	}
	item := 8
	if w.o.Compact {
		item = 4
	}
	if c.used == c.size {
		c.size, c.used = max(w.o.ArrayItems, 2*c.size), 0
		array := w.object(6, make([]byte, 8+item*c.size))
		w.Arrays = append(w.Arrays, array)
		w.u64(c.link, uint64(array))
		c.array, c.link = array, array+16
	}
	at := c.array + 24 + item*c.used
	if w.o.Compact {
		le.PutUint32(w.b[at:], uint32(entry))
	} else {
		w.u64(at, uint64(entry))
	}
	c.used++
}

// pack compresses a field as the options say.
func (w *Writer) pack(field []byte) (payload []byte, flag byte) {
	if len(field) < 64 {
		return field, 0
	}
	switch w.o.Compress {
	case "zstd":
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
			zstd.WithWindowSize(1<<17))
		if err != nil {
			panic(err)
		}
		return enc.EncodeAll(field, nil), 4
	case "lz4":
		out := make([]byte, 8+lz4.CompressBlockBound(len(field)))
		le.PutUint64(out, uint64(len(field)))
		n, err := lz4.CompressBlock(field, out[8:], nil)
		if err != nil || n == 0 {
			return field, 0 // it does not get shorter
		}
		return out[:8+n], 2
	case "xz":
		var out bytes.Buffer
		z, err := xz.WriterConfig{NoCheckSum: true, DictCap: 1 << 16}.NewWriter(&out)
		if err == nil {
			_, err = z.Write(field)
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			panic(err)
		}
		return out.Bytes(), 1
	}
	return field, 0
}

// Bytes returns the file. The caller may change it.
func (w *Writer) Bytes() []byte {
	out := bytes.Clone(w.b)
	le.PutUint64(out[96:], uint64(len(out)-272))
	return out
}

// DataTable is the offset of the first bucket of the data hash table.
func (w *Writer) DataTable() int { return w.dataTable }
