package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// directory lists the plain files below a directory. They are read in place, through an os.Root that links cannot
// escape; compressed ones are unpacked.
func (b *Bundle) directory(name string, newest *time.Time) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return reasonOf(err)
	}
	b.store.roots = append(b.store.roots, root)
	var total int64
	err = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			b.left.add(p, unread(err))
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if full, why := b.full(); full {
			b.gap("", "the directory has %s: the rest was not read", why)
			return fs.SkipAll
		}
		b.looked++
		info, err := d.Info()
		switch {
		case err != nil:
			b.left.add(p, unread(err))
			return nil
		case !info.Mode().IsRegular():
			b.left.add(p, "it is a "+kindOf(info.Mode()))
			return nil
		}
		if info.ModTime().After(*newest) {
			*newest = info.ModTime()
		}
		before := len(b.Files)
		if err := b.inPlace(root, p, info.Size(), newest); err != nil {
			b.left.add(p, unread(err))
		}
		b.changed(before, info.ModTime())
		for _, f := range b.Files[before:] {
			if !namedJournal(f.Path) { // only the wanted parts of a journal are read
				total += f.Size
			}
		}
		if total > b.store.limits.TotalBytes {
			b.Files = b.Files[:before]
			b.gap("", "the directory holds more than %d MiB: the rest was not read", b.store.limits.TotalBytes/mib)
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		return reasonOf(err)
	}
	return b.nothing(0, "directory")
}

// inPlace adds one file of a directory, if it is useful. A compressed file is unpacked; an archive is read like a
// directory.
func (b *Bundle) inPlace(root *os.Root, p string, size int64, newest *time.Time) error {
	if b.unwanted(p, nil) {
		return nil
	}
	f, err := root.Open(p)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
	head := make([]byte, HeadBytes)
	n, err := io.ReadFull(f, head)
	if head = head[:n]; err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	if packed(head) || isTar(head) || marked(head) {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if bytes.HasPrefix(head, zipMagic) {
			return b.nested(p, b.zip(f, p+"/", newest, 1))
		}
		return b.offer(p, size, f, newest, 0)
	}
	if b.unwanted(p, head) {
		return nil
	}
	limit := b.store.limits.of(p)
	if size > limit && !namedJournal(p) {
		if !isLog(p) {
			b.left.add(p, tooLarge(limit))
			return nil
		}
		b.cut[p] = true
		b.gap("", "%s was cut at %d MiB", p, limit/mib)
		size = limit
	}
	b.kept[p] = true
	b.Files = append(b.Files, evidence.File{Path: p, Size: size, Open: func() (io.ReadCloser, error) {
		f, err := root.Open(p)
		if err != nil {
			return nil, reasonOf(err)
		}
		return struct {
			*io.SectionReader
			io.Closer
		}{io.NewSectionReader(f, 0, size), f}, nil
	}})
	return nil
}

// changed dates the files that were added since, unless they have an archive's time already.
func (b *Bundle) changed(since int, at time.Time) {
	for i := range b.Files[min(since, len(b.Files)):] {
		if f := &b.Files[since+i]; f.Changed.IsZero() && at.Unix() > 0 {
			f.Changed = at
		}
	}
}

func unread(err error) string { return fmt.Sprintf("it cannot be read: %v", reasonOf(err)) }

// alone adds a single file, to be read in place, whatever its format.
func (b *Bundle) alone(name string, size int64, newest *time.Time) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return reasonOf(err)
	}
	b.store.roots = append(b.store.roots, root)
	skip := b.skip
	b.skip = nil
	defer func() { b.skip = skip }()
	return b.inPlace(root, filepath.Base(name), size, newest)
}
