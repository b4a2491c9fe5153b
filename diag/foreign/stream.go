package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// maxDocuments is how many objects of one stream are read: a dump has a few for each namespace.
const maxDocuments = 20_000

// documents finds the consecutive JSON objects in a file, as `kubectl cluster-info dump` prints them, and skips the
// logs of containers in between. A file without an object is returned unchanged. lack says what is not read, if
// anything.
//
// A container's log could print the mark of its own end and continue with an object that looks like the dump's own.
// Then the real mark, or one that the log needs to hide it, is one too many: what is behind the first log counts no
// more.
func documents(f evidence.File) (docs []evidence.File, lack string, err error) {
	s := splitter{from: -1, seen: map[string]bool{}}
	err = eachPiece(f, func(piece []byte, within bool) bool {
		s.add(piece, within)
		return true // also behind the last object that is read: a mark may show that it was forged
	})
	if err != nil {
		return nil, "", err
	}
	if s.from >= 0 {
		lack = "the last object has no end"
	}
	if s.forged {
		s.parts = s.parts[:s.before]
		lack = "a container's log imitates the marks of the dump: the objects behind the first log are left out"
	}
	if len(s.parts) == 0 {
		return []evidence.File{f}, lack, nil // its own reader reports what is wrong
	}
	for i, p := range s.parts {
		name := f.Path
		if len(s.parts) > 1 {
			name = fmt.Sprintf("%s.%d", f.Path, i+1)
		}
		docs = append(docs, section(f, name, p[0], p[1]))
	}
	return docs, lack, nil
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
	seen   map[string]bool // the containers whose logs began
	before int             // how many parts are before the first log
	forged bool            // there is a mark that kubectl does not print there
}

func (s *splitter) add(line []byte, within bool) {
	defer func() { s.at += int64(len(line)) }()
	if !within && s.mark(line) {
		return
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
				if len(s.parts) < maxDocuments {
					s.parts = append(s.parts, [2]int64{s.from, s.at + int64(i) + 1})
				}
				s.from = -1
			}
		}
	}
}

// mark reports whether a line begins or ends the log of a container. Of each there is one (kubectl pkg/cmd/clusterinfo
// clusterinfo_dump.go Run), and none within an object.
func (s *splitter) mark(line []byte) bool {
	if whose, ok := bytes.CutPrefix(line, logStart); ok && s.log == nil {
		if len(s.seen) == 0 {
			s.before = len(s.parts)
		}
		s.forged = s.forged || s.from >= 0 || s.seen[string(whose)]
		s.seen[string(whose)], s.log = true, bytes.Clone(whose)
		return true
	}
	whose, ok := bytes.CutPrefix(line, logEnd)
	if !ok {
		return false
	}
	if s.log != nil && bytes.Equal(whose, s.log) {
		s.log = nil
		return true
	}
	s.forged = s.forged || s.log == nil || s.seen[string(whose)]
	return true
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
