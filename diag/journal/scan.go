package journal

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	// maxField is the longest field value that is kept, in bytes.
	maxField = 1 << 20
	// maxBinary is the length above which a binary field's length must be wrong. (systemd's own importer stops at 768
	// MiB.)
	maxBinary = 768 << 20
)

// errBroken marks an entry that cannot be read; the next one can.
var errBroken = errors.New("broken entry")

// scanner reads fields of the export format. It allocates only for fields that
// do not fit its buffer.
type scanner struct {
	r      *bufio.Reader
	offset int64
	long   []byte
	limit  int // per line, in bytes; maxField if 0
}

func newScanner(r io.Reader) *scanner { return &scanner{r: bufio.NewReaderSize(r, 256<<10)} }

// field returns the next field of the entry. At the end of an entry the name is
// empty and the error nil; at the end of the stream the error is io.EOF, or
// io.ErrUnexpectedEOF within a field. The slices are valid until the next call.
func (s *scanner) field(want func(name []byte) bool) (name, value []byte, err error) {
	line, err := s.line()
	if err != nil {
		return nil, nil, err
	}
	if len(line) == 0 {
		return nil, nil, nil
	}
	for i, c := range line {
		if c == '=' {
			if i == 0 {
				break
			}
			return line[:i], line[i+1:], nil
		}
		if c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			break
		}
		if i == len(line)-1 && i < 128 {
			return s.binary(line, want)
		}
	}
	return nil, nil, fmt.Errorf("%w: no field name at byte %d", errBroken, s.offset)
}

// binary reads the value of a field whose name is alone on its line: a length (64 bits, little-endian), the bytes, a
// newline.
func (s *scanner) binary(line []byte, want func(name []byte) bool) (name, value []byte, err error) {
	keep := want(line)
	s.long = append(s.long[:0], line...)
	n := len(s.long)
	var size [8]byte
	if _, err := io.ReadFull(s.r, size[:]); err != nil {
		return nil, nil, io.ErrUnexpectedEOF
	}
	s.offset += 8
	length := binary.LittleEndian.Uint64(size[:])
	if length > maxBinary {
		return nil, nil, fmt.Errorf("%w: a field of %d bytes at byte %d", errBroken, length, s.offset)
	}
	kept := 0
	if keep {
		kept = int(min(length, maxField))
		// Grown as bytes arrive: a length alone must not allocate memory.
		for len(s.long) < n+kept {
			step := min(64<<10, n+kept-len(s.long))
			at := len(s.long)
			s.long = append(s.long, make([]byte, step)...)
			if _, err := io.ReadFull(s.r, s.long[at:]); err != nil {
				return nil, nil, io.ErrUnexpectedEOF
			}
		}
	}
	for left := int64(length) - int64(kept) + 1; left > 0; {
		d, err := s.r.Discard(int(min(left, 1<<20)))
		left -= int64(d)
		if err != nil {
			return nil, nil, io.ErrUnexpectedEOF
		}
	}
	s.offset += int64(length) + 1
	return s.long[:n], s.long[n:], nil
}

// line reads a line without its newline; the part beyond the limit is skipped. A last line without newline returns
// io.ErrUnexpectedEOF: something was cut.
func (s *scanner) line() ([]byte, error) {
	line, err := s.r.ReadSlice('\n')
	s.offset += int64(len(line))
	if err == nil {
		return line[:len(line)-1], nil
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		s.long = append(s.long[:0], line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = s.r.ReadSlice('\n')
			s.offset += int64(len(line))
			if room := cmp.Or(s.limit, maxField) - len(s.long); room > 0 {
				s.long = append(s.long, line[:min(room, len(line))]...)
			}
		}
		if err == nil {
			if n := len(s.long); s.long[n-1] == '\n' {
				return s.long[:n-1], nil
			}
			return s.long, nil
		}
		if errors.Is(err, io.EOF) {
			return nil, io.ErrUnexpectedEOF // even if the buffer took the last byte
		}
	}
	if errors.Is(err, io.EOF) {
		if len(line) > 0 {
			return nil, io.ErrUnexpectedEOF
		}
		return nil, io.EOF
	}
	return nil, fmt.Errorf("read journal export at byte %d: %w", s.offset, err)
}

// skip reads to the end of a broken entry.
func (s *scanner) skip() error {
	for {
		line, err := s.line()
		if err != nil || len(line) == 0 {
			return err
		}
	}
}
