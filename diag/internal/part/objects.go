package part

import "github.com/restartwhy/kubectl-restartwhy/diag/evidence"

// Objects returns where the consecutive JSON objects in a file are, at most so many: each begins a line, or follows
// another one. cut reports that the last has no end.
func Objects(f evidence.File, most int) (found [][2]int64, cut bool, err error) {
	s := splitter{from: -1, most: most}
	err = Lines(f, func(piece []byte, within bool) bool {
		s.add(piece, within)
		return true
	})
	return s.found, s.from >= 0, err
}

// splitter finds objects in the lines of a stream.
type splitter struct {
	most   int
	at     int64 // of the line's beginning
	from   int64 // of the current object, -1 for none
	depth  int   // of its braces
	quoted bool  // inside a string
	escape bool  // after a backslash
	found  [][2]int64
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
				if len(s.found) < s.most {
					s.found = append(s.found, [2]int64{s.from, s.at + int64(i) + 1})
				}
				s.from = -1
			}
		}
	}
}
