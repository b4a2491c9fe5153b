package bundle

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// directory lists the plain files below a directory. They are read in place,
// through a root that no link leads out of; compressed ones are unpacked.
func (b *Bundle) directory(name string, newest *time.Time) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return reasonOf(err)
	}
	b.store.roots = append(b.store.roots, root)
	var total int64
	err = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			b.gap("", "%s cannot be read: %v", p, reasonOf(err))
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if len(b.Files) >= b.store.limits.Entries {
			b.gap("", "the directory has more than %d files: the rest was not read", len(b.Files))
			return fs.SkipAll
		}
		info, err := d.Info()
		switch {
		case err != nil:
			b.gap("", "%s cannot be read: %v", p, reasonOf(err))
			return nil
		case !info.Mode().IsRegular():
			b.gap("", "%s left out: it is a %s", p, kindOf(info.Mode()))
			return nil
		}
		if !namedJournal(p) { // of a journal only what is wanted is read
			total += info.Size()
		}
		if total > b.store.limits.TotalBytes {
			b.gap("", "the directory holds more than %d MiB: the rest was not read", b.store.limits.TotalBytes/mib)
			return fs.SkipAll
		}
		if info.ModTime().After(*newest) {
			*newest = info.ModTime()
		}
		b.inPlace(root, p, info.Size())
		return nil
	})
	if err != nil {
		return reasonOf(err)
	}
	if len(b.Files) == 0 {
		return fmt.Errorf("%w: the directory holds no file that can be read", ErrNotABundle)
	}
	return nil
}

// inPlace adds one file of a directory.
func (b *Bundle) inPlace(root *os.Root, p string, size int64) {
	limit := b.store.limits.of(p)
	if compressed(p) {
		if err := b.unpacked(root, p); err != nil {
			b.gap("", "%s cannot be read: %v", p, reasonOf(err))
		}
		return
	}
	if size > limit && !namedJournal(p) {
		if !isLog(p) {
			b.gap("", "%s left out: %d MiB, more than the limit of %d MiB", p, size/mib, limit/mib)
			return
		}
		b.cut[p] = true
		b.gap("", "%s was cut at %d MiB", p, limit/mib)
		size = limit
	}
	f := evidence.File{Path: p, Size: size, Open: func() (io.ReadCloser, error) {
		f, err := root.Open(p)
		if err != nil {
			return nil, reasonOf(err)
		}
		return struct {
			*io.SectionReader
			io.Closer
		}{io.NewSectionReader(f, 0, size), f}, nil
	}}
	r, err := f.Open()
	if err != nil {
		b.gap("", "%s cannot be read: %v", p, err)
		return
	}
	_ = r.Close() // read only
	b.Files = append(b.Files, f)
}

// journal adds a journal file that stands by itself, to be read in place.
func (b *Bundle) journal(name string, size int64) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return reasonOf(err)
	}
	b.store.roots = append(b.store.roots, root)
	b.inPlace(root, filepath.Base(name), size)
	return nil
}

// unpacked adds one compressed file of a directory.
func (b *Bundle) unpacked(root *os.Root, p string) error {
	f, err := root.Open(p)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
	in, inner, done, err := b.decompress(p, f)
	if err != nil {
		return err
	}
	defer done()
	return b.lone(inner, in)
}
