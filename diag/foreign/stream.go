package foreign

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
)

// maxDocuments is how many objects of one stream are read: a dump has a few for each namespace.
const maxDocuments = 20_000

// documents finds the consecutive JSON objects in a file, as `kubectl cluster-info dump` prints them. A file without an
// object is returned unchanged. lack says what is not read, if anything.
func documents(f evidence.File) (docs []evidence.File, lack string, err error) {
	s := splitter{from: -1}
	err = part.Lines(f, func(piece []byte, within bool) bool {
		s.add(piece, within)
		return true
	})
	if err != nil {
		return nil, "", err
	}
	if s.from >= 0 {
		lack = "the last object has no end"
	}
	if len(s.parts) == 0 {
		return []evidence.File{f}, lack, nil // its own reader reports what is wrong
	}
	for i, p := range s.parts {
		name := f.Path
		if len(s.parts) > 1 {
			name = fmt.Sprintf("%s.%d", f.Path, i+1)
		}
		docs = append(docs, part.Of(f, name, p))
	}
	return docs, lack, nil
}

// splitter finds objects in the lines of a stream.
type splitter struct {
	at     int64 // of the line's beginning
	from   int64 // of the current object, -1 for none
	depth  int   // of its braces
	quoted bool  // inside a string
	escape bool  // after a backslash
	parts  [][2]int64
}

func (s *splitter) add(line []byte, within bool) {
	defer func() { s.at += int64(len(line)) }()
	if s.from < 0 && (within || len(line) == 0 || line[0] != '{') {
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
