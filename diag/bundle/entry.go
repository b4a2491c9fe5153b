package bundle

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"
)

// maxDepth is the nesting limit of archives: one in another.
const maxDepth = 1

// offer takes one entry of an archive or one packed file of a directory: it is kept, unpacked, walked or skipped. depth
// counts the archives around it. An error means that the input around it cannot be read further.
func (b *Bundle) offer(name string, size int64, r io.Reader, newest *time.Time, depth int) error {
	if b.unwanted(name, nil) {
		return nil
	}
	outer := &counter{r: r}
	in, inner, done, err := b.decompress(name, outer)
	defer done()
	if err != nil {
		return b.nested(name, err)
	}
	head, err := in.Peek(HeadBytes)
	archive := isTar(head) || bytes.HasPrefix(head, zipMagic)
	switch {
	case len(head) == 0 && inner != name: // nothing could be unpacked
		return b.nested(name, err)
	case archive && depth >= maxDepth:
		b.left.add(name, "it is an archive inside an archive inside an archive")
		return nil
	case archive && isTar(head):
		return b.nested(name, b.tar(in, stemOf(inner)+"/", newest, depth+1))
	case archive:
		return b.nested(name, b.spooledZip(in, stemOf(inner)+"/", newest, depth+1))
	case b.unwanted(inner, head):
		return nil
	}
	if inner != name {
		size = -1
	}
	if inner != name && b.kept[inner] {
		b.left.add(name, "its content is already there")
		return nil
	}
	kept, err := b.keep(inner, size, in)
	if inner == name {
		return err
	}
	// Unpacking it failed; the input around it is still readable.
	if err != nil && kept {
		b.gap("", "%s was read only in part: %v", name, early(err))
		return nil
	}
	return b.nested(name, err)
}

// nested turns the failure of an archive or compressed file inside another into
// a gap.
func (b *Bundle) nested(name string, err error) error {
	if err != nil && !errors.Is(err, io.EOF) {
		b.left.add(name, unread(early(err)))
	}
	return nil
}

// unwanted reports whether a file is useless, and counts it.
func (b *Bundle) unwanted(name string, head []byte) bool {
	if b.skip == nil || b.ours(name) {
		return false
	}
	why := b.skip(name, head)
	if why != "" {
		b.Skipped[why]++
	}
	return why != ""
}

// ours reports whether a file is, or may be, part of a bundle: its name is, or is
// below one directory, or a manifest came before.
func (b *Bundle) ours(name string) bool {
	_, below, _ := strings.Cut(name, "/")
	b.own = b.own || name == manifestPath || below == manifestPath
	return b.own || inLayout(name) || inLayout(below)
}

// stemOf is the name of an archive without the extension.
func stemOf(name string) string {
	for _, ext := range []string{".tar", ".zip"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
