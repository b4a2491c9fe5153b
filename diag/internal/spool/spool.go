// Package spool keeps the raw text of one log while it is read: compressed, within a budget, the newest part; or all of
// it, with the part beyond a size in a file on disk.
//
// It holds the buffer and nothing of what the text means. It may import diag/evidence, a compressor and the standard
// library. A collection never writes to a disk: a node in trouble may have no space left. Only reading input uses one.
package spool

import (
	"bytes"
	"io"
	"math"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// chunkSize is how many bytes are compressed, or dropped, at once.
const chunkSize = 2 << 20

// Buffer takes records and keeps the newest of them. It is not safe for concurrent use.
type Buffer struct {
	budget  int64
	enc     *zstd.Encoder
	pending []byte
	chunks  []chunk
	size    int64 // raw bytes kept, without pending
	dropped int64
	disk    *Disk // nil for a buffer in memory
	err     error
}

// Disk is the storage of buffers that keep everything: some memory, and a file beyond that. Its buffers are filled one
// at a time.
type Disk struct {
	free    int64 // of the memory
	file    *os.File
	written int64
	create  func() (*os.File, error)
}

// NewDisk returns a disk with that much memory, and a file that create makes when it is needed. The caller removes it.
func NewDisk(memory int64, create func() (*os.File, error)) *Disk {
	return &Disk{free: memory, create: create}
}

// chunk is packed text, in memory or at an offset in the file.
type chunk struct {
	packed []byte
	at     int64 // in the file
	size   int
	raw    int64
}

// New returns a buffer that keeps at least the newest budget bytes of raw text, and at most a chunk (2 MiB) more.
func New(budget int64) *Buffer {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		// The options are constants: the encoder accepts them or the tests fail. Without an encoder the text is kept
		// uncompressed.
		enc = nil
	}
	return &Buffer{budget: budget, enc: enc}
}

// OnDisk returns a buffer that keeps everything; without a disk, in memory.
func OnDisk(d *Disk) *Buffer {
	b := New(math.MaxInt64)
	b.disk = d
	return b
}

// Err returns why text could not be written to the disk; nothing after that point was kept.
func (b *Buffer) Err() error { return b.err }

// Add appends one whole record. Records are never split.
func (b *Buffer) Add(record []byte) {
	if b.err != nil {
		return
	}
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
	c.size = len(c.packed)
	if b.disk != nil {
		if b.err = b.disk.take(&c); b.err != nil {
			b.pending = nil
			return
		}
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

// Size returns how many raw bytes are kept.
func (b *Buffer) Size() int64 { return b.size + int64(len(b.pending)) }

// Dropped returns how many raw bytes were too old for the budget. It is final after File.
func (b *Buffer) Dropped() int64 { return b.dropped }

// take stores a chunk in memory or in the file.
func (d *Disk) take(c *chunk) (err error) {
	if int64(c.size) <= d.free {
		d.free -= int64(c.size)
		return nil
	}
	if d.file == nil {
		if d.file, err = d.create(); err != nil {
			return err
		}
	}
	if _, err := d.file.WriteAt(c.packed, d.written); err != nil {
		return err
	}
	c.at, c.packed = d.written, nil
	d.written += int64(c.size)
	return nil
}

// File returns the kept text as a file. Nothing may be added afterwards.
func (b *Buffer) File(path string) evidence.File {
	b.pack()
	b.pending = nil
	return evidence.File{Path: path, Size: b.size, Open: func() (io.ReadCloser, error) { return b.open(path) }}
}
