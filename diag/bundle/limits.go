package bundle

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
)

// Limits bound what reading a bundle may cost. Zero values mean the defaults.
type Limits struct {
	// Entries is the number of files that are kept; 10 000.
	Entries int
	// Looked is the number of entries that are examined, kept or not: 100 times Entries.
	Looked int
	// FileBytes is the size of one JSON file of a node, uncompressed; 64 MiB. A
	// larger one is left out.
	FileBytes int64
	// ObjectBytes is the size of one file of the cluster's objects, uncompressed; 512 MiB. A
	// larger one is left out.
	ObjectBytes int64
	// LogBytes is the size of one log, or of what may be one, uncompressed; 64 GiB. A larger one is cut. It is kept
	// compressed, and read in pieces.
	LogBytes int64
	// TotalBytes is the size of all kept files together, uncompressed; 64 GiB.
	TotalBytes int64
	// PassedBytes is the limit for an archive's content, uncompressed, kept or not; twice TotalBytes.
	PassedBytes int64
	// Ratio is the limit of bytes out per compressed byte, checked once 16 MiB have come out; 200.
	Ratio int64
	// MemoryBytes is the size up to which a file is kept in memory instead of a temporary file; 1 MiB.
	MemoryBytes int64
}

const (
	mib = 1 << 20
	// ratioFloor is how much may come out of an archive before its ratio is checked: a short log of equal lines
	// compresses well.
	ratioFloor = 16 * mib
	// decoderMemory and decoderWindow limit what a zstd frame may request.
	decoderMemory = 256 * mib
	decoderWindow = 64 * mib
)

func (l Limits) withDefaults() Limits {
	if l.Entries <= 0 {
		l.Entries = 10_000
	}
	if l.Looked <= 0 {
		l.Looked = 100 * l.Entries
	}
	for _, d := range []struct {
		have  *int64
		value int64
	}{{&l.FileBytes, 64 * mib}, {&l.ObjectBytes, 512 * mib}, {&l.LogBytes, 64 * 1024 * mib},
		{&l.TotalBytes, 64 * 1024 * mib}, {&l.Ratio, 200}, {&l.MemoryBytes, mib}} {
		if *d.have <= 0 {
			*d.have = d.value
		}
	}
	if l.PassedBytes <= 0 {
		l.PassedBytes = 2 * l.TotalBytes
	}
	return l
}

// of returns the limit for one file. The objects of a large cluster may be as large as a log.
func (l Limits) of(path string) int64 {
	switch {
	case isLog(path):
		return l.LogBytes
	case strings.HasPrefix(path, "nodes/"):
		return l.FileBytes
	case strings.HasPrefix(path, "cluster/"):
		return l.ObjectBytes
	}
	return l.LogBytes // a log store's records are JSON too
}

// isLog distinguishes logs from structured files: a log that was cut anywhere is still readable, JSON is not.
func isLog(p string) bool { return path.Ext(p) != ".json" }

// namedJournal reports whether a file is named like systemd's journal files.
func namedJournal(p string) bool {
	ext := path.Ext(p)
	return ext == ".journal" || ext == ".journal~" // set aside by journald after a crash
}

// refuse returns why an entry with this path is not accepted, or "".
func refuse(p string) string {
	switch {
	case p == "" || len(p) > 1024:
		return "its path is empty or too long"
	case strings.ContainsAny(p, "\\\x00"):
		return "its path holds a backslash or a zero byte"
	case path.IsAbs(p) || !filepath.IsLocal(filepath.FromSlash(p)):
		return "its path leads outside the bundle"
	}
	return ""
}

var (
	errRatio  = errors.New("it expands too much for an honest archive")
	errTotal  = errors.New("it is larger than the limit for a whole bundle")
	errPassed = errors.New("it holds more than may be looked through")
)

// counter counts the bytes that are read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// guard is a decompressed stream that fails when it grows too large in total, or too large relative to its compressed
// input.
type guard struct {
	r     io.Reader
	in    *counter // compressed side; nil for a stream that is not compressed
	out   int64
	ended bool // the end of the stream was reached
	total int64
	ratio int64
}

func (g *guard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	g.out += int64(n)
	g.ended = g.ended || n == 0 && errors.Is(err, io.EOF)
	switch {
	case g.out > g.total:
		return n, fmt.Errorf("%w (%d MiB)", errPassed, g.total/mib)
	case g.in != nil && g.out > ratioFloor && g.out/g.ratio > g.in.n:
		return n, fmt.Errorf("%w (over %d:1)", errRatio, g.ratio)
	}
	return n, err
}
