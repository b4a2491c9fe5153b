// Package part reads a file in parts: line by line, its JSON objects, or some of it as a file of its own.
//
// It imports diag/evidence for what a file is, and the standard library. What a line or an object says never enters.
package part

import (
	"bufio"
	"errors"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Lines yields the lines of a file with their line breaks; a line that does not fit the buffer is yielded in
// pieces: within is true for all but the first of them.
func Lines(f evidence.File, yield func(piece []byte, within bool) bool) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // read only
	br := bufio.NewReaderSize(r, 256<<10)
	for within := false; ; {
		piece, err := br.ReadSlice('\n')
		if len(piece) > 0 && !yield(piece, within) || errors.Is(err, io.EOF) {
			return nil
		}
		if within = errors.Is(err, bufio.ErrBufferFull); err != nil && !within {
			return err
		}
	}
}

// Of returns parts of a file, as a file: each from one position up to another.
func Of(f evidence.File, path string, keep ...[2]int64) evidence.File {
	var size int64
	for _, k := range keep {
		size += k[1] - k[0]
	}
	return evidence.File{Path: path, Size: size, Open: func() (io.ReadCloser, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		return &parts{ReadCloser: r, keep: keep}, nil
	}}
}

// parts reads parts of a file.
type parts struct {
	io.ReadCloser
	keep    [][2]int64 // the part that is read, and those behind it
	skip    int64      // how much of it was read
	at, pos int64      // in the file, and in what is kept of it
}

func (p *parts) Read(b []byte) (int, error) {
	for ; len(p.keep) > 0; p.keep = p.keep[1:] {
		size := p.keep[0][1] - p.keep[0][0]
		if p.skip >= size {
			p.skip -= size
			continue
		}
		if err := p.goTo(p.keep[0][0] + p.skip); err != nil {
			return 0, err
		}
		n, err := p.ReadCloser.Read(b[:min(int64(len(b)), size-p.skip)])
		p.at, p.pos, p.skip = p.at+int64(n), p.pos+int64(n), p.skip+int64(n)
		return n, err
	}
	return 0, io.EOF
}

func (p *parts) goTo(at int64) (err error) {
	if seeker, ok := p.ReadCloser.(io.Seeker); ok && at != p.at {
		_, err = seeker.Seek(at, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, p.ReadCloser, at-p.at)
	}
	p.at = at
	return err
}

// Seek goes forward from the beginning, as a part of parts needs it.
func (p *parts) Seek(to int64, whence int) (int64, error) {
	if whence != io.SeekStart || to < p.pos {
		return p.pos, errors.ErrUnsupported
	}
	p.pos, p.skip = to, p.skip+to-p.pos
	return to, nil
}
