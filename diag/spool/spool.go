// Package spool keeps the raw text of one log while it is collected: compressed,
// in memory, within a budget, the newest part.
//
// It holds the buffer and nothing of what the text means. It may import
// diag/evidence, a compressor and the standard library. It never touches a disk:
// a node that is in trouble may have none left.
package spool

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// chunkSize is what is compressed, and dropped, at once.
const chunkSize = 2 << 20

// Buffer takes records and keeps the newest of them. It is not safe for
// concurrent use.
type Buffer struct {
	budget  int64
	enc     *zstd.Encoder
	pending []byte
	chunks  []chunk
	size    int64 // raw bytes kept, without pending
	dropped int64
}

type chunk struct {
	packed []byte
	raw    int64
}

// New returns a buffer that keeps at least the newest budget bytes of raw text,
// and at most a chunk (2 MiB) more.
func New(budget int64) *Buffer {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		// The options are constants: the encoder accepts them or the tests fail.
		// Without it the text is kept as it is.
		enc = nil
	}
	return &Buffer{budget: budget, enc: enc}
}

// Add appends one whole record. Records are never torn apart.
func (b *Buffer) Add(record []byte) {
	b.pending = append(b.pending, record...)
	if len(b.pending) >= chunkSize {
		b.pack()
	}
}

func (b *Buffer) pack() {
	if len(b.pending) == 0 {
		return
	}
	c := chunk{raw: int64(len(b.pending))}
	if b.enc != nil {
		c.packed = b.enc.EncodeAll(b.pending, nil)
	} else {
		c.packed = bytes.Clone(b.pending)
	}
	b.chunks, b.pending = append(b.chunks, c), b.pending[:0]
	b.size += c.raw
	for len(b.chunks) > 1 && b.size-b.chunks[0].raw >= b.budget {
		b.size -= b.chunks[0].raw
		b.dropped += b.chunks[0].raw
		b.chunks[0].packed = nil
		b.chunks = b.chunks[1:]
	}
}

// Size is how many raw bytes are kept.
func (b *Buffer) Size() int64 { return b.size + int64(len(b.pending)) }

// Dropped is how many raw bytes were too old for the budget: final after File.
func (b *Buffer) Dropped() int64 { return b.dropped }

// File is what is kept, as a file. Nothing may be added afterwards.
func (b *Buffer) File(path string) evidence.File {
	b.pack()
	b.pending = nil
	return evidence.File{Path: path, Size: b.size, Open: func() (io.ReadCloser, error) {
		if b.enc == nil {
			return &reader{chunks: b.chunks}, nil
		}
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4*chunkSize))
		if err != nil {
			return nil, fmt.Errorf("unpack %s: %w", path, err)
		}
		return &reader{chunks: b.chunks, dec: dec}, nil
	}}
}

// reader unpacks one chunk at a time.
type reader struct {
	chunks []chunk
	dec    *zstd.Decoder
	buf    []byte
	rest   []byte
}

func (r *reader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if len(r.chunks) == 0 {
			return 0, io.EOF
		}
		packed := r.chunks[0].packed
		r.chunks = r.chunks[1:]
		if r.dec == nil {
			r.rest = packed
			continue
		}
		out, err := r.dec.DecodeAll(packed, r.buf[:0])
		if err != nil {
			return 0, fmt.Errorf("unpack log: %w", err)
		}
		r.buf, r.rest = out, out
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *reader) Close() error {
	if r.dec != nil {
		r.dec.Close()
	}
	return nil
}
