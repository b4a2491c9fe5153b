package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// store holds the content of files that were read from a stream: small ones in
// memory, large ones in a temporary directory, under numbers and never under
// their own names.
type store struct {
	limits   Limits
	inMemory int64 // size up to which a file stays in memory
	held     int64 // bytes in memory
	total    int64 // bytes in all
	dir      string
	n        int
	roots    []io.Closer // directories that files are read from in place
}

// memoryBudget is how much all files together may hold in memory; beyond it
// even small ones go to the temporary directory.
const memoryBudget = 256 * mib

// add reads r to its end, or to limit bytes; more tells that there was more. On
// an error the file holds what came before, or has no Open if nothing did.
func (s *store) add(name string, r io.Reader, limit int64) (f evidence.File, more bool, err error) {
	var head bytes.Buffer
	room := min(s.inMemory, limit)
	if s.held > memoryBudget {
		room = 0
	}
	n, err := io.CopyN(&head, r, room)
	whole := errors.Is(err, io.EOF)
	switch {
	case whole:
		err = nil
	case err == nil && n < limit:
		path, size, err := s.spill(io.MultiReader(&head, r), limit)
		s.total += size
		if size == 0 && err != nil {
			return evidence.File{}, false, err
		}
		return evidence.File{Path: name, Size: size, Open: func() (io.ReadCloser, error) { return os.Open(path) }},
			err == nil && overflows(r), err
	case err == nil:
		more = overflows(r)
	case n == 0:
		return evidence.File{}, false, err
	}
	s.held += n
	s.total += n
	return evidence.Bytes(name, head.Bytes()), more, err
}

// spill copies r, up to limit bytes, into a new temporary file.
func (s *store) spill(r io.Reader, limit int64) (path string, n int64, err error) {
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "restartwhy-"); err != nil {
			return "", 0, fmt.Errorf("make temporary directory: %w", err)
		}
	}
	s.n++
	path = filepath.Join(s.dir, strconv.Itoa(s.n))
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", 0, err
	}
	n, err = io.Copy(w, io.LimitReader(r, limit))
	return path, n, errors.Join(err, w.Close())
}

// overflows tells whether r has another byte.
func overflows(r io.Reader) bool {
	n, _ := io.ReadFull(r, make([]byte, 1))
	return n > 0
}

func (s *store) close() error {
	var errs []error
	for _, r := range s.roots {
		errs = append(errs, r.Close())
	}
	s.roots = nil
	if s.dir != "" {
		errs = append(errs, os.RemoveAll(s.dir))
		s.dir = ""
	}
	return errors.Join(errs...)
}
