package bundle

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
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
