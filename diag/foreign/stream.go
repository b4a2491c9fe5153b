package foreign

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// maxDocuments is how many objects of one stream are read: a dump has a few for each namespace.
const maxDocuments = 20_000

// documents finds the consecutive JSON objects in a file, as `kubectl cluster-info dump` prints them, and skips the
// logs of containers in between. A file without an object is returned unchanged. cut reports that the last one has no
// end.
//
// A container's log could print the mark of its own end and continue with an object that a reader cannot distinguish
// from the dump's own: a dump into a directory (--output-directory) does not have this problem.
func documents(f evidence.File) (docs []evidence.File, cut bool, err error) {
	r, err := f.Open()
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = r.Close() }() // read only
	s := splitter{from: -1}
	br := bufio.NewReaderSize(r, 256<<10)
	err = eachPiece(br, func(piece []byte, within bool) bool {
		s.add(piece, within)
		return len(s.parts) < maxDocuments
	})
	if err != nil {
		return nil, false, err
	}
	if len(s.parts) == 0 {
		return []evidence.File{f}, false, nil // its own reader reports what is wrong
	}
	for i, p := range s.parts {
		name := f.Path
		if len(s.parts) > 1 {
			name = fmt.Sprintf("%s.%d", f.Path, i+1)
		}
		docs = append(docs, section(f, name, p[0], p[1]))
	}
	return docs, s.from >= 0, nil
}

var (
	logStart = []byte("==== START logs for container ")
	logEnd   = []byte("==== END logs for container ")
)

// splitter finds objects in the lines of a stream.
type splitter struct {
	at     int64  // of the line's beginning
	log    []byte // whose log it is, between the marks of a container's log
	from   int64  // of the current object, -1 for none
	depth  int    // of its braces
	quoted bool   // inside a string
	escape bool   // after a backslash
	parts  [][2]int64
}

func (s *splitter) add(line []byte, within bool) {
	defer func() { s.at += int64(len(line)) }()
	if s.from < 0 && !within {
		if whose, ok := bytes.CutPrefix(line, logStart); ok && s.log == nil {
			s.log = bytes.Clone(whose)
			return
		}
		if whose, ok := bytes.CutPrefix(line, logEnd); ok && bytes.Equal(whose, s.log) {
			s.log = nil
			return
		}
	}
	if s.log != nil || s.from < 0 && (within || len(line) == 0 || line[0] != '{') {
		return
	}
	for i, c := range line {
		switch {
		case s.escape:
			s.escape = false
		case s.quoted:
			s.escape, s.quoted = c == '\\', c != '"'
		case c == '"':
			s.quoted = s.from >= 0
		case c == '{':
			if s.depth++; s.depth == 1 {
				s.from = s.at + int64(i)
			}
		case c == '}' && s.depth > 0:
			if s.depth--; s.depth == 0 {
				s.parts = append(s.parts, [2]int64{s.from, s.at + int64(i) + 1})
				s.from = -1
			}
		}
	}
}

// section returns a part of a file, as a file.
func section(f evidence.File, path string, from, to int64) evidence.File {
	return evidence.File{Path: path, Size: to - from, Open: func() (io.ReadCloser, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		if seeker, ok := r.(io.Seeker); ok {
			_, err = seeker.Seek(from, io.SeekStart)
		} else {
			_, err = io.CopyN(io.Discard, r, from)
		}
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(r, to-from), r}, nil
	}}
}
