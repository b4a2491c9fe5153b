package unwrap

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// This file goes on behind a value of JSON: a decoder reads further than the value goes.

// follows reports whether the next value stands right behind the last one.
func follows(d *json.Decoder) bool {
	if !d.More() {
		return false
	}
	next := make([]byte, 1)
	_, err := d.Buffered().Read(next)
	return err == nil && (next[0] == '{' || next[0] == '[')
}

// backed is a stream to which what was read too far can be put back.
type backed struct {
	ahead [][]byte // the last one comes first
	rest  io.Reader
}

// putBack takes what a decoder and the reader below it had read on.
func (b *backed) putBack(d *json.Decoder, r *bufio.Reader) {
	held, _ := r.Peek(r.Buffered())
	left, _ := io.ReadAll(d.Buffered()) // of memory: it cannot fail
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
