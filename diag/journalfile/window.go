package journalfile

import (
	"errors"
	"fmt"
	"io"
)

const (
	// windowSize is how many bytes are read at once. Larger windows would read more around the probes of a binary
	// search.
	windowSize = 32 << 10
	// poolSlots is the number of cached windows, 16 MiB: of entries, of the arrays that list them, and of data that
	// entries share.
	poolSlots = 512
)

// pool caches the windows of all files of a set. It is not safe for concurrent use.
type pool struct {
	slots  [poolSlots]window
	unpack unpacker
	files  uint64 // number of files that got a seed
	read   int64  // bytes
}

type window struct {
	file *File
	at   uint64 // offset of the first byte
	data []byte
}

// window returns the window with an offset of a file.
func (p *pool) window(f *File, offset uint64) (*window, error) {
	number := offset / windowSize
	w := &p.slots[(number+f.seed)%poolSlots]
	at := number * windowSize
	if w.file == f && w.at == at {
		return w, nil
	}
	if w.data == nil {
		w.data = make([]byte, windowSize)
	}
	want := int(min(windowSize, uint64(f.size)-at))
	w.file = nil // invalid while it is filled
	n, err := f.r.ReadAt(w.data[:want], int64(at))
	p.read += int64(n)
	if n < want {
		return nil, p.short(f, at+uint64(n), err)
	}
	w.file, w.at, w.data = f, at, w.data[:want]
	return w, nil
}

// forget drops the windows with the bytes at an offset and just after it.
func (p *pool) forget(f *File, offset uint64) {
	for number := offset / windowSize; number <= offset/windowSize+1; number++ {
		if w := &p.slots[(number+f.seed)%poolSlots]; w.file == f && w.at == number*windowSize {
			w.file = nil
		}
	}
}

// short explains a short read: journald cuts the unused end off when it archives a file.
func (p *pool) short(f *File, end uint64, err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the file ends at byte %d, it had %d", errCorrupt, end, f.size)
	}
	return fmt.Errorf("read %s at byte %d: %w", f.name, end, err)
}

// bytes returns n bytes at an offset of the file; they are valid until the next
// call for any file of the set.
func (f *File) bytes(offset uint64, n int) ([]byte, error) {
	if offset > uint64(f.size) || uint64(n) > uint64(f.size)-offset {
		return nil, fmt.Errorf("%w: offset %d behind the end", errCorrupt, offset)
	}
	w := f.last
	if w == nil || w.file != f || offset-w.at >= uint64(len(w.data)) {
		var err error
		if w, err = f.pool.window(f, offset); err != nil {
			return nil, err
		}
		f.last = w
	}
	if in := w.data[offset-w.at:]; len(in) >= n {
		return in[:n:n], nil
	}
	if cap(f.joined) < n {
		f.joined = make([]byte, max(n, 4096))
	}
	f.joined = f.joined[:n]
	return f.joined, f.copy(f.joined, offset)
}

// copy fills dst from an offset of the file. Large reads bypass the windows.
func (f *File) copy(dst []byte, offset uint64) error {
	if len(dst) > 4*windowSize {
		n, err := f.r.ReadAt(dst, int64(offset))
		f.pool.read += int64(n)
		if n < len(dst) {
			return f.pool.short(f, offset+uint64(n), err)
		}
		return nil
	}
	for len(dst) > 0 {
		w, err := f.pool.window(f, offset)
		if err != nil {
			return err
		}
		n := copy(dst, w.data[offset-w.at:])
		dst, offset = dst[n:], offset+uint64(n)
	}
	return nil
}
