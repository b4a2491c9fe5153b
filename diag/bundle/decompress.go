package bundle

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// HeadBytes is how much of a file's beginning is enough to identify it.
const HeadBytes = 8 << 10

var (
	zstdMagic    = []byte{0x28, 0xb5, 0x2f, 0xfd}
	gzipMagic    = []byte{0x1f, 0x8b}
	xzMagic      = []byte{0xfd, '7', 'z', 'X', 'Z', 0}
	bzip2Magic   = []byte("BZh")
	zipMagic     = []byte("PK\x03\x04")
	journalMagic = []byte("LPKSHHRH")
)

// extensions are the suffixes of compressed files; a .tgz then is a .tar.
var extensions = []string{".gz", ".zst", ".xz", ".bz2", ".tgz", ".txz", ".tbz2"}

// packed reports whether bytes are the start of a compressed file or a zip.
func packed(head []byte) bool {
	for _, magic := range [][]byte{zstdMagic, gzipMagic, xzMagic, zipMagic} {
		if bytes.HasPrefix(head, magic) {
			return true
		}
	}
	return isBzip2(head)
}

// isBzip2: "BZh", the level, and the magic of the first block.
func isBzip2(head []byte) bool {
	return len(head) >= 10 && bytes.HasPrefix(head, bzip2Magic) && bytes.Equal(head[4:10], []byte("1AY&SY"))
}

// isTar: "ustar" is in the first header.
func isTar(head []byte) bool {
	const at = 257
	return len(head) > at+5 && string(head[at:at+5]) == "ustar"
}

// decompress unwraps gzip, zstd, xz and bzip2, at most two layers. The result is protected against decompression bombs.
// The caller must call done after reading, even after an error.
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
		head, _ := in.Peek(64)
		var z io.Reader
		switch {
		case bytes.HasPrefix(head, zstdMagic):
			var d *zstd.Decoder
			d, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(decoderMemory),
				zstd.WithDecoderMaxWindow(decoderWindow))
			if err == nil {
				closers = append(closers, d.Close)
				z = d
			}
		case bytes.HasPrefix(head, gzipMagic):
			z, err = gzip.NewReader(in)
		case bytes.HasPrefix(head, xzMagic):
			if err = checkDictionary(head); err == nil {
				z, err = xz.NewReader(in)
			}
		case isBzip2(head):
			z = bzip2.NewReader(in)
		default:
			return plain(in), name, done, nil
		}
		if err != nil {
			return nil, "", done, fmt.Errorf("damaged archive: %w", early(err))
		}
		name = unpackedName(name)
		in = bufio.NewReaderSize(&guard{r: z, in: raw, total: limits.PassedBytes, ratio: limits.Ratio}, 64<<10)
	}
	return plain(in), name, done, nil
}

var errDictionary = errors.New("its dictionary is larger than any that xz makes by itself")

// checkDictionary refuses an xz stream whose first block asks for a dictionary larger than that of level 9: it is
// allocated before anything is read. Format: xz-file-format 1.1.0, §3.1: a 12-byte header, the size of the block's
// header, flags, then filters as id, length and properties.
func checkDictionary(head []byte) error {
	const header, lzma2, level9 = 12, 0x21, 28 // 28 means 64 MiB
	if len(head) <= header || head[header] == 0 {
		return nil // no block: the decoder reports what is wrong
	}
	size := (int(head[header]) + 1) * 4
	if len(head) < header+size {
		return nil
	}
	block := head[header+2 : header+size]
	for i := 0; i+2 < len(block); i++ {
		if block[i] == lzma2 && block[i+1] == 1 {
			if block[i+2] > level9 {
				return errDictionary
			}
			return nil
		}
	}
	return nil
}

// unpackedName is the name of a compressed file's content.
func unpackedName(name string) string {
	for _, ext := range extensions {
		if stem, ok := strings.CutSuffix(name, ext); ok && path.Base(stem) != "" && stem != "" {
			if strings.HasPrefix(ext, ".t") {
				return stem + ".tar"
			}
			return stem
		}
	}
	return name
}
