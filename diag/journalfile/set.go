package journalfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Set is several files read as one journal. The zero value is an empty set. It is not safe for concurrent use.
type Set struct {
	files  []*File
	pool   *pool
	opened []*os.File
}

// Add adds a file: r holds size bytes. The name is used in messages. Errors wrap ErrNotJournal or ErrUnsupported where
// that is the reason.
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

// Open adds a file by its path. Close closes it.
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

// Holds reports whether the file that currently has this path was opened, under whatever name.
func (s *Set) Holds(path string) bool {
	info, err := os.Stat(path)
	return err == nil && slices.ContainsFunc(s.opened, func(f *os.File) bool {
		own, err := f.Stat()
		return err == nil && os.SameFile(own, info)
	})
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

// Some returns a set of those files for which keep is true. It shares the cache of s, and s closes the files.
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

// Named reports whether a name is one of a journal file: system.journal, archived ones (system@….journal), and those
// that were set aside after a crash (….journal~).
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
