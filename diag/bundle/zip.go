package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// maxDirectory limits a zip's central directory, which is read into memory whole: enough for half a million entries.
const maxDirectory = 64 * mib

var errZipDirectory = errors.New("its list of entries is too long")

// isZip checks the first bytes of a file.
func isZip(f io.ReaderAt) bool {
	head := make([]byte, len(zipMagic))
	_, err := f.ReadAt(head, 0)
	return err == nil && bytes.Equal(head, zipMagic)
}

// spooledZip reads a zip from a stream: its directory is at the end.
func (b *Bundle) spooledZip(r io.Reader, prefix string, newest *time.Time, depth int) error {
	p, size, err := b.store.spill(r, b.store.limits.TotalBytes-b.store.total)
	b.store.total += size
	if err != nil {
		return err
	}
	f, err := os.Open(p)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
	return b.zip(f, prefix, newest, depth)
}

// zip reads the entries of a zip, as tar does.
func (b *Bundle) zip(f *os.File, prefix string, newest *time.Time, depth int) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := checkDirectory(f, info.Size()); err != nil {
		return fmt.Errorf("damaged archive: %w", early(err))
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return fmt.Errorf("damaged archive: %w", early(err))
	}
	if depth == 0 {
		*newest = time.Time{}
	}
	for _, e := range z.File {
		name, done := b.take(prefix, e.Name, e.Mode().IsDir(), e.Mode().IsRegular())
		if done {
			return nil
		}
		if name == "" {
			continue
		}
		if e.Modified.After(*newest) {
			*newest = e.Modified
		}
		before := len(b.Files)
		err := b.zipped(name, e, newest, depth)
		b.changed(before, e.Modified)
		if err != nil {
			b.left.add("entry "+e.Name, unread(early(err)))
		}
	}
	return b.nothing(depth, "archive")
}

func (b *Bundle) zipped(name string, e *zip.File, newest *time.Time, depth int) error {
	r, err := e.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // read only
	limits := b.store.limits
	// The directory's sizes may be lies; the actual output is counted.
	g := &guard{r: r, in: &counter{n: int64(min(e.CompressedSize64, 1<<62))},
		total: limits.PassedBytes, ratio: limits.Ratio}
	return b.offer(name, int64(min(e.UncompressedSize64, 1<<62)), g, newest, depth)
}

// checkDirectory finds the end of the central directory and refuses one that would not fit in memory. (APPNOTE.TXT
// 4.3.16: signature, counts, its size at byte 12; all ones where only the 64-bit record has it.)
func checkDirectory(f io.ReaderAt, size int64) error {
	tail := make([]byte, min(size, 64<<10+22))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	at := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if at < 0 || at+22 > len(tail) {
		return io.ErrUnexpectedEOF
	}
	n := int64(binary.LittleEndian.Uint32(tail[at+12:]))
	if n == 0xffffffff {
		n = size
	}
	if n > maxDirectory {
		return errZipDirectory
	}
	return nil
}
