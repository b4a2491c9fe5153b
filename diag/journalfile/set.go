package journalfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Set is several files that are read as one journal. The zero value is an empty
// set. It is not safe for concurrent use.
type Set struct {
	files  []*File
	pool   *pool
	opened []io.Closer
}

// Add takes a file in: r holds size bytes. The name is used in messages. Errors
// wrap ErrNotJournal or ErrUnsupported where that is why.
func (s *Set) Add(name string, r io.ReaderAt, size int64) error {
	if s.pool == nil {
		s.pool = &pool{}
	}
	f, err := s.pool.open(name, r, size)
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	return nil
}

// Open takes a file in by its path. Close closes it.
func (s *Set) Open(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w: no regular file", path, ErrNotJournal)
	}
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	// The size after opening: journald may have replaced the file in between.
	if info, err = f.Stat(); err == nil {
		err = s.Add(path, f, info.Size())
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	s.opened = append(s.opened, f)
	return nil
}

// Close closes the files that Open opened.
func (s *Set) Close() error {
	var errs []error
	for _, c := range s.opened {
		errs = append(errs, c.Close())
	}
	s.opened = nil
	return errors.Join(errs...)
}

// Files returns the files of the set.
func (s *Set) Files() []*File { return slices.Clone(s.files) }

// Some returns a set of those files for which keep is true. It reads through the
// same windows, and s closes the files.
func (s *Set) Some(keep func(*File) bool) *Set {
	out := &Set{pool: s.pool}
	for _, f := range s.files {
		if keep(f) {
			out.files = append(out.files, f)
		}
	}
	return out
}

// BytesRead is how many bytes were read from the files so far.
func (s *Set) BytesRead() int64 {
	if s.pool == nil {
		return 0
	}
	return s.pool.read
}

// Named tells whether a file is called as journal files are: system.journal,
// archived ones (system@….journal), and those that were set aside after a crash
// (….journal~).
func Named(name string) bool {
	return strings.HasSuffix(name, ".journal") || strings.HasSuffix(name, ".journal~")
}

// Find lists the journal files in a directory and in the directories directly
// below it (journald keeps a directory for each machine id), sorted by name.
func Find(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	var errs []error
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if Named(e.Name()) {
			out = append(out, path)
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			continue
		}
		below, err := os.ReadDir(path)
		if err != nil {
			errs = append(errs, err)
		}
		for _, e := range below {
			if Named(e.Name()) {
				out = append(out, filepath.Join(path, e.Name()))
			}
		}
	}
	slices.Sort(out)
	return out, errors.Join(errs...)
}

// breach is a place between two files where entries are missing.
type breach struct {
	file, why string
	passed    func(*Cursor) bool // this entry lies behind it
}

// breaks finds the places where the files do not follow on one another: numbers
// that no file has, a sequence that does not begin with 1 although there is
// something before it, and files whose writer died.
func (s *Set) breaks() []breach {
	var out []breach
	files := slices.DeleteFunc(slices.Clone(s.files), func(f *File) bool { return f.Entries == 0 })
	slices.SortStableFunc(files, func(a, b *File) int {
		return cmp.Or(slices.Compare(a.SeqnumID[:], b.SeqnumID[:]), cmp.Compare(a.HeadSeqnum, b.HeadSeqnum))
	})
	reached := uint64(0) // the last number of the present sequence that a file has
	for i, f := range files {
		id, head := f.SeqnumID, f.HeadSeqnum
		switch same := i > 0 && files[i-1].SeqnumID == id; {
		case same && head > reached+1:
			out = append(out, breach{f.name, fmt.Sprintf("entries %d to %d before it are in no file", reached+1, head-1),
				func(c *Cursor) bool { return c.SeqnumID == id && c.Seqnum >= head }})
		case !same && head > 1:
			out = append(out, breach{f.name, fmt.Sprintf("its journal begins with entry %d: earlier ones were rotated away", head),
				func(c *Cursor) bool { return c.SeqnumID == id }})
		}
		if i == 0 || files[i-1].SeqnumID != id {
			reached = 0
		}
		reached = max(reached, f.TailSeqnum)
		if f.State == Online {
			out = append(out, breach{f.name, "it was not closed: what was written last before the machine stopped may be missing", f.left})
		}
	}
	return out
}

// left tells whether an entry comes after the end of a file, in a later boot.
func (f *File) left(c *Cursor) bool {
	if c.Boot == f.TailBoot {
		return false
	}
	if c.SeqnumID == f.SeqnumID {
		return c.Seqnum > f.TailSeqnum
	}
	return c.Realtime > f.TailRealtime
}
