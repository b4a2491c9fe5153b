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
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
)

// store holds the content of files read from a stream: small ones in memory, large ones in a temporary directory, under
// numbers and never under their own names.
type store struct {
	limits   Limits
	inMemory int64 // size up to which a file stays in memory
	held     int64 // bytes in memory
	total    int64 // bytes in all
	disk     *spool.Disk
	dir      string
	n        int
	roots    []io.Closer // files, and directories from which files are read in place
}

// memoryBudget is the limit for all files in memory together; beyond it even small ones go to the temporary directory.
const memoryBudget = 256 * mib

// plainBytes limits what must be on disk uncompressed: journals, and archives inside others.
const plainBytes = 4096 * mib

// add reads r to its end, or to limit bytes; more reports that there was more. On an error the file holds what came
// before, or has no Open if nothing did.
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
	case err == nil && n < limit && !bytes.HasPrefix(head.Bytes(), journalMagic):
		f, err := s.pack(name, io.LimitReader(io.MultiReader(&head, r), limit))
		s.total += f.Size
		if f.Size == 0 && err != nil {
			return evidence.File{}, false, err
		}
		return f, err == nil && overflows(r), err
	case err == nil && n < limit: // a journal needs random access
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

// pack keeps r in a temporary file, compressed: a bomb takes no more space there than in its archive, and a log of
// gigabytes takes some hundred megabytes.
func (s *store) pack(name string, r io.Reader) (evidence.File, error) {
	b := spool.OnDisk(s.room())
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		b.Add(buf[:n])
		switch {
		case b.Err() != nil:
			return b.File(name), b.Err()
		case errors.Is(err, io.EOF):
			f := b.File(name)
			return f, b.Err()
		case err != nil:
			return b.File(name), err
		}
	}
}

// room is the disk shared by packed files.
func (s *store) room() *spool.Disk {
	if s.disk == nil {
		s.disk = spool.NewDisk(s.limits.MemoryBytes, s.scratch)
	}
	return s.disk
}

// scratch makes a temporary file that close removes.
func (s *store) scratch() (*os.File, error) {
	if s.dir == "" {
		var err error
		if s.dir, err = os.MkdirTemp("", "restartwhy-"); err != nil {
			return nil, fmt.Errorf("make temporary directory: %w", err)
		}
	}
	s.n++
	f, err := os.OpenFile(filepath.Join(s.dir, strconv.Itoa(s.n)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		s.roots = append(s.roots, f)
	}
	return f, err
}

// spill copies r, up to limit bytes, into a new temporary file.
func (s *store) spill(r io.Reader, limit int64) (path string, n int64, err error) {
	w, err := s.scratch()
	if err != nil {
		return "", 0, err
	}
	n, err = io.Copy(w, io.LimitReader(r, min(limit, plainBytes)))
	return w.Name(), n, err
}

// overflows reports whether r has another byte.
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
