package spool

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// reader unpacks one chunk at a time and can seek.
type reader struct {
	chunks []chunk
	disk   *Disk
	dec    *zstd.Decoder
	size   int64
	at     int64  // where Read continues
	buf    []byte // unpacked: the chunk that begins at begin
	packed []byte
	begin  int64
	have   int // index of that chunk, -1 for none
}

func (b *Buffer) open(path string) (io.ReadCloser, error) {
	r := &reader{chunks: b.chunks, disk: b.disk, size: b.size, have: -1}
	if b.enc != nil {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4*chunkSize))
		if err != nil {
			return nil, fmt.Errorf("unpack %s: %w", path, err)
		}
		r.dec = dec
	}
	return r, nil
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.ReadAt(p, r.at)
	if r.at += int64(n); n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// Seek implements io.Seeker.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return r.at, errors.New("seek before the beginning")
	}
	r.at = offset
	return offset, nil
}

// ReadAt implements io.ReaderAt, for one caller at a time.
func (r *reader) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at >= r.size {
			return n, io.EOF
		}
		if err := r.load(at); err != nil {
			return n, err
		}
		m := copy(p[n:], r.buf[at-r.begin:])
		n, at = n+m, at+int64(m)
	}
	return n, nil
}

// load unpacks the chunk that contains the byte at an offset.
func (r *reader) load(at int64) error {
	if r.have >= 0 && at >= r.begin && at < r.begin+int64(len(r.buf)) {
		return nil
	}
	i, begin := 0, int64(0)
	if r.have >= 0 && at >= r.begin {
		i, begin = r.have, r.begin
	}
	for at >= begin+r.chunks[i].raw {
		begin += r.chunks[i].raw
		i++
	}
	c, packed := &r.chunks[i], r.chunks[i].packed
	r.have = -1
	if packed == nil {
		if cap(r.packed) < c.size {
			r.packed = make([]byte, c.size)
		}
		packed = r.packed[:c.size]
		if _, err := r.disk.file.ReadAt(packed, c.at); err != nil {
			return fmt.Errorf("read log: %w", err)
		}
	}
	if r.dec == nil {
		r.buf = packed
	} else {
		out, err := r.dec.DecodeAll(packed, r.buf[:0])
		if err != nil {
			return fmt.Errorf("unpack log: %w", err)
		}
		r.buf = out
	}
	if int64(len(r.buf)) != c.raw {
		return errors.New("unpack log: it is not as long as it was")
	}
	r.have, r.begin = i, begin
	return nil
}

// Close implements io.Closer. It leaves the file to its owner.
func (r *reader) Close() error {
	if r.dec != nil {
		r.dec.Close()
	}
	return nil
}
