package safetext

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// Uncoloured removes a terminal's colours and cursor movements from a line: ESC [ … letter.
func Uncoloured(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := 0
		for end < len(rest) && (rest[end] == ';' || rest[end] == '?' || rest[end] >= '0' && rest[end] <= '9') {
			end++
		}
		if end == len(rest) || end > 16 || rest[end] < '@' || rest[end] > '~' {
			b.WriteString("\x1b[") // not a terminal sequence: Clean makes it visible
			s = rest
			continue
		}
		s = rest[end+1:]
	}
}

// UncolouredReader removes them from the lines that it reads. Its Close closes r.
func UncolouredReader(r io.ReadCloser) io.ReadCloser {
	return &plainReader{in: r, br: bufio.NewReaderSize(r, 256<<10)}
}

type plainReader struct {
	in   io.Closer
	br   *bufio.Reader
	rest []byte
	err  error
}

func (p *plainReader) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		var line []byte
		if line, p.err = p.br.ReadSlice('\n'); errors.Is(p.err, bufio.ErrBufferFull) {
			p.err = nil
		}
		p.rest = []byte(Uncoloured(string(line)))
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *plainReader) Close() error { return p.in.Close() }
