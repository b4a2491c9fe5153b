package textlog

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unsafe"
)

const (
	// chunkBytes is how much of a log is read at once.
	chunkBytes = 1 << 20
	// chunkLines is the maximum number of lines read at once: what is kept of each is hundreds of times as long as an
	// empty line. A log has about 10 000 in chunkBytes.
	chunkLines = 32 << 10
)

// splitter cuts a stream into chunks of whole lines.
type splitter struct {
	r     io.Reader
	size  int    // of a chunk, in bytes
	carry []byte // the incomplete line at the end of the last chunk
	skip  bool   // the rest of an overlong line
	err   error  // of the stream
}

// next fills buf with whole lines and returns it, grown if a line needs it. It drops the part of a line beyond maxLine.
// At the end the chunk may come with io.EOF, or with io.ErrUnexpectedEOF if a last line without its end was dropped.
func (s *splitter) next(buf []byte) ([]byte, error) {
	if cap(buf) < s.size {
		buf = make([]byte, 0, s.size)
	}
	buf = append(buf[:0], s.carry...)
	s.carry = s.carry[:0]
	for {
		from := len(buf)
		if s.err == nil && bytes.Count(buf, newline) < chunkLines {
			if cap(buf)-from < s.size/8+1 {
				buf = append(buf, make([]byte, s.size)...)[:from]
			}
			n, err := io.ReadFull(s.r, buf[from:cap(buf)])
			if s.err = err; errors.Is(err, io.ErrUnexpectedEOF) {
				s.err = io.EOF
			}
			buf = buf[:from+n]
		}
		if s.skip {
			end := bytes.IndexByte(buf[from:], '\n')
			if end < 0 {
				if buf = buf[:from]; s.err != nil {
					return buf, s.err
				}
				continue
			}
			buf = append(buf[:from], buf[from+end+1:]...)
			s.skip = false
		}
		if end := lastEnd(buf); end >= 0 {
			s.carry = append(s.carry, buf[end+1:]...)
			return buf[:end+1], s.end()
		}
		if len(buf) >= maxLine {
			s.skip = s.err == nil
			return append(buf[:maxLine], '\n'), s.end()
		}
		if s.err != nil {
			if len(buf) > 0 && errors.Is(s.err, io.EOF) {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, s.err
		}
	}
}

var newline = []byte{'\n'}

// lastEnd returns the place of the last line's end in a chunk, -1 if there is none.
func lastEnd(buf []byte) int {
	if bytes.Count(buf, newline) <= chunkLines {
		return bytes.LastIndexByte(buf, '\n')
	}
	end := -1
	for range chunkLines {
		end += 1 + bytes.IndexByte(buf[end+1:], '\n')
	}
	return end
}

// end returns the error for a chunk: nil as long as an incomplete line is left.
func (s *splitter) end() error {
	if len(s.carry) > 0 {
		return nil
	}
	return s.err
}

// slab clones strings into larger blocks of memory: one allocation for many. A string that is kept retains its block,
// so blocks are not too large.
type slab struct{ b []byte }

const slabBytes = 8 << 10

func (s *slab) clone(text string) string {
	if len(text) > slabBytes/4 {
		return strings.Clone(text)
	}
	if cap(s.b)-len(s.b) < len(text) {
		s.b = make([]byte, 0, slabBytes)
	}
	at := len(s.b)
	s.b = append(s.b, text...)
	if text == "" {
		return ""
	}
	return unsafe.String(&s.b[at], len(text)) // never written again
}
