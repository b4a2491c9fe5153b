package bundle

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// stream reads one input of any kind: an archive, compressed or not, or one log.
func (b *Bundle) stream(name string, r io.Reader, newest *time.Time) error {
	in, name, done, err := b.decompress(name, r)
	defer done()
	if err != nil {
		return err
	}
	head, err := in.Peek(HeadBytes)
	if len(head) == 0 {
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("damaged archive: %w", early(err))
		}
		return fmt.Errorf("%w: it is empty", ErrNotABundle)
	}
	switch {
	case isTar(head):
		return b.tar(in, "", newest, 0)
	case bytes.HasPrefix(head, zipMagic):
		return b.spooledZip(in, "", newest, 0)
	case !bytes.HasPrefix(head, journalMagic) && !looksLikeText(head):
		return ErrNotABundle
	}
	return b.lone(clean(name), in)
}

// tar reads the entries of an archive until its end, damage or a limit. prefix is the directory that represents the
// archive, "" for the input itself.
func (b *Bundle) tar(in io.Reader, prefix string, newest *time.Time, depth int) error {
	g := &guard{r: in, total: b.store.limits.PassedBytes}
	t := tar.NewReader(g)
	kept := len(b.Files)
	if depth == 0 {
		*newest = time.Time{} // the archive's own time is when it was copied
	}
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			if g.ended && len(b.Files)+b.skipped() > 0 { // cut between two files, which archive/tar treats as the end
				return b.broken(prefix, kept, io.ErrUnexpectedEOF)
			}
			return b.nothing(depth, "archive")
		}
		if err != nil {
			return b.broken(prefix, kept, err)
		}
		name, done := b.take(prefix, h.Name, h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader,
			h.Typeflag == tar.TypeReg)
		if done {
			return nil
		}
		if name == "" {
			continue
		}
		if h.ModTime.After(*newest) {
			*newest = h.ModTime
		}
		before := len(b.Files)
		err = b.offer(name, h.Size, t, newest, depth)
		b.changed(before, h.ModTime)
		if err != nil {
			return b.broken(prefix, kept, err)
		}
	}
}

// take returns the name under which an entry of an archive is examined, "" for one that is left out. done: the limit of
// entries is reached.
func (b *Bundle) take(prefix, entry string, structure, plain bool) (name string, done bool) {
	if full, why := b.full(); full {
		b.gap("", "the archive has %s: the rest was not read", why)
		return "", true
	}
	b.looked++
	name = prefix + clean(entry)
	switch why := refuse(entry); {
	case structure:
		return "", false
	case !plain:
		b.left.add("entry "+entry, "it is not a plain file")
	case why != "":
		b.left.add("entry "+entry, why)
	case b.kept[name]:
		b.left.add("entry "+entry, "a second file of this name")
	default:
		return name, false
	}
	return "", false
}

// full reports whether the limit of entries is reached.
func (b *Bundle) full() (bool, string) {
	switch l := b.store.limits; {
	case len(b.Files) >= l.Entries:
		return true, fmt.Sprintf("more than %d entries", l.Entries)
	case b.looked >= l.Looked:
		return true, fmt.Sprintf("more than %d entries", l.Looked)
	}
	return false, ""
}

// skipped is the number of useless files.
func (b *Bundle) skipped() int {
	n := 0
	for _, count := range b.Skipped {
		n += count
	}
	return n
}

// nothing is the error for an input without a file, or without a useful one.
func (b *Bundle) nothing(depth int, what string) error {
	n := b.skipped()
	switch {
	case depth > 0 || len(b.Files) > 0:
		return nil
	case n > 0:
		if n == 1 {
			return fmt.Errorf("%w: the only file in the %s is not recognised", ErrNotABundle, what)
		}
		return fmt.Errorf("%w: none of the %d files in the %s is of a known kind", ErrNotABundle, n, what)
	}
	return fmt.Errorf("%w: the %s holds no file that can be read", ErrNotABundle, what)
}

// broken handles an archive that cannot be read further. What was read counts; kept is the number of files before this
// archive.
func (b *Bundle) broken(prefix string, kept int, err error) error {
	if prefix == "" && len(b.Files) == 0 {
		return fmt.Errorf("damaged archive: %w", early(err))
	}
	name := "the archive"
	if prefix != "" {
		name = strings.TrimSuffix(prefix, "/")
	}
	b.gap("copy or collect it again", "%s was read only in part: %v; %d files came before",
		name, early(err), len(b.Files)-kept)
	return nil
}

func tooLarge(limit int64) string {
	return fmt.Sprintf("it is larger than the limit of %d MiB", limit/mib)
}

// keep stores one file. size is what the archive announces, -1 if it does not. A log that is too large is cut, and one
// that breaks off is kept as far as it goes: then kept is true and there is an error.
func (b *Bundle) keep(name string, size int64, r io.Reader) (kept bool, err error) {
	limit, left := b.store.limits.of(name), b.store.limits.TotalBytes-b.store.total
	if left <= 0 || min(size, limit) > left {
		return false, fmt.Errorf("%w (%d MiB)", errTotal, b.store.limits.TotalBytes/mib)
	}
	limit = min(limit, left)
	if size > limit && !isLog(name) {
		b.left.add(name, tooLarge(limit))
		return false, nil
	}
	f, more, err := b.store.add(name, io.LimitReader(r, limit+1), limit)
	switch {
	case more && !isLog(name):
		b.left.add(name, tooLarge(limit))
		return false, nil
	case more:
		b.cut[name] = true
		b.gap("", "%s was cut at %d MiB", name, f.Size/mib)
	case err != nil && (f.Open == nil || !isLog(name)):
		return false, fmt.Errorf("in %s: %w", name, err)
	}
	if err != nil {
		b.cut[name] = true
	}
	b.kept[name] = true
	b.Files = append(b.Files, f)
	return true, err
}

// lone keeps a single log that is in no archive.
func (b *Bundle) lone(name string, r io.Reader) error {
	kept, err := b.keep(name, -1, r)
	if kept && err != nil {
		b.gap("", "%s was read only in part: %v", name, early(err))
		return nil
	}
	return err
}

func early(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends early")
	}
	return err
}

// looksLikeText reports whether a file is a log, by its first bytes. The journal's export format counts as text too,
// though its binary fields may hold anything.
func looksLikeText(head []byte) bool {
	if bytes.HasPrefix(head, []byte("__CURSOR=")) || bytes.HasPrefix(head, []byte("__REALTIME_TIMESTAMP=")) {
		return true
	}
	odd := 0
	for p := head; len(p) > 0; {
		r, n := utf8.DecodeRune(p)
		if r == 0 || r == utf8.RuneError && n == 1 || r < ' ' && r != '\n' && r != '\t' && r != '\r' && r != 0x1b {
			odd++
		}
		p = p[n:]
	}
	return odd*10 <= len(head)
}
