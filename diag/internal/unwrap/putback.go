package unwrap

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// This file continues after a JSON value: a decoder reads beyond its end.

// follows reports whether the next value follows directly.
func follows(d *json.Decoder) bool {
	if !d.More() {
		return false
	}
	next := make([]byte, 1)
	_, err := d.Buffered().Read(next)
	return err == nil && (next[0] == '{' || next[0] == '[')
}

// backed is a stream with a way to put back what was read too far.
type backed struct {
	ahead [][]byte // in reverse order
	rest  io.Reader
}

// putBack puts back what a decoder and its reader had read ahead.
func (b *backed) putBack(d *json.Decoder, r *bufio.Reader) {
	held, _ := r.Peek(r.Buffered())
	left, _ := io.ReadAll(d.Buffered()) // from memory, so it cannot fail
	b.ahead = append(b.ahead, bytes.Clone(held), left)
	r.Reset(b)
}

// Read implements io.Reader.
func (b *backed) Read(p []byte) (int, error) {
	for last := len(b.ahead) - 1; last >= 0; last-- {
		if n := copy(p, b.ahead[last]); n > 0 {
			b.ahead[last] = b.ahead[last][n:]
			return n, nil
		}
		b.ahead = b.ahead[:last]
	}
	return b.rest.Read(p)
}
