// Package oneline reads a line of a stream that anyone may have written: however long it is, only a part of it is kept.
// It imports only the standard library.
package oneline

import (
	"bufio"
	"bytes"
	"errors"
)

// Read returns the next line without its end, valid until the next read. Of a line that does not fit the reader's
// buffer at most limit bytes are returned; cut says that this is not all. The error is the reader's: with io.EOF, the
// line has no end.
func Read(br *bufio.Reader, limit int) (line []byte, cut bool, err error) {
	line, err = br.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line = bytes.Clone(line)
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		var more []byte
		more, err = br.ReadSlice('\n')
		room := max(limit-len(line), 0)
		cut = cut || len(more) > room
		line = append(line, more[:min(room, len(more))]...)
	}
	return bytes.TrimRight(line, "\r\n"), cut, err
}
