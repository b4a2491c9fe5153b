package bundle

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

var (
	zstdMagic    = []byte{0x28, 0xb5, 0x2f, 0xfd}
	gzipMagic    = []byte{0x1f, 0x8b}
	journalMagic = []byte("LPKSHHRH")
)

// tarMagicAt is where "ustar" stands in the first header of a tar.
const tarMagicAt = 257

// stream reads one input of any kind: a tar, compressed or not, or one log.
func (b *Bundle) stream(name string, r io.Reader, newest *time.Time) error {
	in, name, done, err := b.decompress(name, r)
	if err != nil {
		return err
	}
	defer done()
	head, err := in.Peek(4096)
	if len(head) == 0 {
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("damaged archive: %w", early(err))
		}
		return fmt.Errorf("%w: it is empty", ErrNotABundle)
	}
	if len(head) > tarMagicAt+5 && string(head[tarMagicAt:tarMagicAt+5]) == "ustar" {
		return b.tar(in, newest)
	}
	if !bytes.HasPrefix(head, journalMagic) && !looksLikeText(head) {
		return ErrNotABundle
	}
	return b.lone(clean(name), in)
}

// decompress looks through gzip and zstd, one inside the other at most. What it
// returns is guarded against growing without end.
func (b *Bundle) decompress(name string, r io.Reader) (in *bufio.Reader, inner string, done func(), err error) {
	limits := b.store.limits
	var closers []func()
	done = func() {
		for _, c := range closers {
			c()
		}
	}
	raw := &counter{r: r}
	in = bufio.NewReaderSize(raw, 64<<10)
	for range 2 {
		head, _ := in.Peek(4)
		switch {
		case bytes.HasPrefix(head, zstdMagic):
			z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(decoderMemory), zstd.WithDecoderMaxWindow(decoderWindow))
			if err != nil {
				return nil, "", done, fmt.Errorf("damaged archive: %w", early(err))
			}
			closers = append(closers, z.Close)
			name = strings.TrimSuffix(name, ".zst")
			in = bufio.NewReaderSize(&guard{r: z, in: raw, total: limits.TotalBytes, ratio: limits.Ratio}, 64<<10)
		case bytes.HasPrefix(head, gzipMagic):
			z, err := gzip.NewReader(in)
			if err != nil {
				return nil, "", done, fmt.Errorf("damaged archive: %w", early(err))
			}
			name = strings.TrimSuffix(name, ".gz")
			in = bufio.NewReaderSize(&guard{r: z, in: raw, total: limits.TotalBytes, ratio: limits.Ratio}, 64<<10)
		default:
			return in, name, done, nil
		}
	}
	return in, name, done, nil
}

// tar reads the entries of an archive until its end, its damage or a limit.
func (b *Bundle) tar(in io.Reader, newest *time.Time) error {
	g := &guard{r: in, total: b.store.limits.TotalBytes}
	t := tar.NewReader(g)
	seen := map[string]bool{}
	*newest = time.Time{} // the archive's own time says when it was copied
	for n := 0; ; n++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			if len(b.Files) == 0 {
				return fmt.Errorf("%w: the archive holds no file", ErrNotABundle)
			}
			if g.ended { // between two files, where archive/tar takes it for the end
				return b.broken(io.ErrUnexpectedEOF)
			}
			return nil
		}
		if err != nil {
			return b.broken(err)
		}
		if n >= b.store.limits.Entries {
			b.gap("", "the archive has more than %d entries: the rest was not read", n)
			return nil
		}
		name := clean(h.Name)
		switch why := refuse(h.Name); {
		case h.Typeflag == tar.TypeDir:
			continue
		case h.Typeflag == tar.TypeXGlobalHeader:
			continue
		case h.Typeflag != tar.TypeReg:
			b.gap("", "entry %s left out: it is not a plain file", h.Name)
			continue
		case why != "":
			b.gap("", "entry %s left out: %s", h.Name, why)
			continue
		case seen[name]:
			b.gap("", "entry %s left out: a second file of this name", h.Name)
			continue
		}
		seen[name] = true
		if h.ModTime.After(*newest) {
			*newest = h.ModTime
		}
		if _, err := b.keep(name, h.Size, t); err != nil {
			return b.broken(err)
		}
	}
}

// broken ends an archive that cannot be read on. What was read counts.
func (b *Bundle) broken(err error) error {
	if len(b.Files) == 0 {
		return fmt.Errorf("damaged archive: %w", early(err))
	}
	b.gap("copy or collect it again", "the archive was read only in part: %v; %d files came before", early(err), len(b.Files))
	return nil
}

// keep stores one file. size is what the archive announces, -1 if it does not.
// A log that is too large is cut, and one that breaks off is kept as far as it
// goes: then kept is true and there is an error.
func (b *Bundle) keep(name string, size int64, r io.Reader) (kept bool, err error) {
	limit := min(b.store.limits.of(name), b.store.limits.TotalBytes-b.store.total)
	if limit <= 0 {
		return false, errTotal // a sparse file of zeros passes no guard
	}
	if size > limit && !isLog(name) {
		b.gap("", "%s left out: %d MiB, more than the limit of %d MiB", name, size/mib, limit/mib)
		return false, nil
	}
	f, more, err := b.store.add(name, io.LimitReader(r, limit+1), limit)
	switch {
	case more && !isLog(name):
		b.gap("", "%s left out: more than the limit of %d MiB", name, limit/mib)
		return false, nil
	case more:
		b.cut[name] = true
		b.gap("", "%s was cut at %d MiB", name, limit/mib)
	case err != nil && (f.Open == nil || !isLog(name)):
		return false, fmt.Errorf("in %s: %w", name, err)
	}
	if err != nil {
		b.cut[name] = true
	}
	b.Files = append(b.Files, f)
	return true, err
}

// lone keeps a log that stands by itself, in no archive.
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

// looksLikeText tells a log from other bytes by its first ones. The journal's
// export format is text too, though its binary fields may hold anything.
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

// compressed tells whether a file's name says that it is compressed.
func compressed(name string) bool {
	ext := path.Ext(name)
	return ext == ".gz" || ext == ".zst"
}
