package bundle

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var (
	bom8    = []byte("\xef\xbb\xbf")
	bom16le = []byte("\xff\xfe")
	bom16be = []byte("\xfe\xff")
)

// marked reports whether text must be converted before reading: UTF-16, as PowerShell's > writes it, or UTF-8 with a
// byte order mark.
func marked(head []byte) bool {
	_, wide := wideOrder(head)
	return wide || bytes.HasPrefix(head, bom8)
}

// wideOrder detects UTF-16 by its byte order mark or, as some tools omit that, by the zero that is every second byte of
// text in Latin letters.
func wideOrder(head []byte) (order unicode.Endianness, wide bool) {
	switch {
	case bytes.HasPrefix(head, bom16le):
		return unicode.LittleEndian, true
	case bytes.HasPrefix(head, bom16be):
		return unicode.BigEndian, true
	case len(head) < 32:
		return unicode.BigEndian, false
	}
	head = head[:len(head)&^1]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case zeros[1] > half*9/10 && zeros[0] == 0:
		return unicode.LittleEndian, true
	case zeros[0] > half*9/10 && zeros[1] == 0:
		return unicode.BigEndian, true
	}
	return unicode.BigEndian, false
}

// plain returns the text as UTF-8 without a mark; text that is that already is returned unchanged.
func plain(in *bufio.Reader) *bufio.Reader {
	head, _ := in.Peek(512)
	if order, wide := wideOrder(head); wide {
		decoder := unicode.UTF16(order, unicode.UseBOM).NewDecoder()
		return bufio.NewReaderSize(io.Reader(transform.NewReader(in, decoder)), 64<<10)
	}
	if bytes.HasPrefix(head, bom8) {
		_, _ = in.Discard(len(bom8)) // just peeked
	}
	return in
}

// What somebody pastes is a few files of at most this size.
const (
	fewFiles    = 16
	pastedBytes = 64 << 10
)

// ended returns a short text with an end for its last line: who copies lines out of a terminal or a page leaves that
// out. The last line of a longer file without its end, or of a journal's export, is half of one, as readers of logs
// take it.
func ended(f evidence.File) evidence.File {
	if f.Size == 0 || f.Size > pastedBytes {
		return f
	}
	r, err := f.Open()
	if err != nil {
		return f // whoever reads it reports that
	}
	defer func() { _ = r.Close() }() // read only
	data, err := io.ReadAll(io.LimitReader(r, pastedBytes+1))
	if err != nil || int64(len(data)) != f.Size || bytes.HasSuffix(data, []byte("\n")) || !asItIs(data) ||
		bytes.HasPrefix(data, []byte("__")) {
		return f
	}
	whole := evidence.Bytes(f.Path, append(data, '\n'))
	whole.Changed = f.Changed
	return whole
}
