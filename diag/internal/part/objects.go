package part

import "github.com/restartwhy/kubectl-restartwhy/diag/evidence"

// Objects returns where the consecutive JSON objects in a file are, at most so many: each begins a line, or follows
// another one. cut reports that the last has no end.
func Objects(f evidence.File, most int) (found [][2]int64, cut bool, err error) {
	var braces Braces
	var at, from int64 // of the line, and of the current object
	err = Lines(f, func(piece []byte, within bool) bool {
		if braces.Depth > 0 || !within && piece[0] == '{' {
			for i, c := range piece {
				before := braces.Depth
				switch after := braces.Add(c); {
				case before == 0 && after == 1:
					from = at + int64(i)
				case before == 1 && after == 0:
					if len(found) < most {
						found = append(found, [2]int64{from, at + int64(i) + 1})
					}
				}
			}
		}
		at += int64(len(piece))
		return true
	})
	return found, braces.Depth > 0, err
}

// Braces counts the braces of JSON that are open, in a text that is read in pieces.
type Braces struct {
	Depth          int
	quoted, escape bool
}

// Add reads the next character, and returns the depth after it.
func (b *Braces) Add(c byte) int {
	switch {
	case b.escape:
		b.escape = false
	case b.quoted:
		b.escape, b.quoted = c == '\\', c != '"'
	case c == '"':
		b.quoted = b.Depth > 0
	case c == '{':
		b.Depth++
	case c == '}' && b.Depth > 0:
		b.Depth--
	}
	return b.Depth
}
