package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ErrNotABundle is wrapped by Open for input that is neither a bundle, nor an
// archive of logs, nor a log.
var ErrNotABundle = errors.New("neither a bundle nor a log")

// ErrNewer is wrapped by Open for a bundle of a later format.
var ErrNewer = errors.New("made by a newer version of this tool")

// Options say how to read a bundle.
type Options struct {
	// Node is the node of log files that stand outside a bundle. Without it they
	// are filed under UnknownNode.
	Node string
	// Stdin is read for the path "-".
	Stdin io.Reader
	// Now stands in where the input tells no time of collection.
	Now    time.Time
	Limits Limits
}

// Bundle is what was read. Files keep the paths of CONTRACT's layout. Close
// removes the temporary files that large entries are held in.
type Bundle struct {
	Manifest Manifest
	Files    []evidence.File
	// Gaps are what the reading itself had to leave out; those of the collection
	// are in the manifest.
	Gaps  []evidence.Gap
	cut   map[string]bool // by path
	store *store
}

// Cut tells whether a file of the bundle was read only in part: it reaches no
// further than what it says itself.
func (b *Bundle) Cut(path string) bool { return b.cut[path] }

// Close frees what the bundle holds. Files must not be opened afterwards.
func (b *Bundle) Close() error { return b.store.close() }

// gap records something that was left out.
func (b *Bundle) gap(hint, format string, args ...any) {
	b.Gaps = append(b.Gaps, evidence.Gap{Source: Source, Why: fmt.Sprintf(format, args...), Hint: hint})
}

// Open reads a bundle (.tar.zst, .tar.gz, .tar), a directory of the same shape,
// an archive, directory or single file of logs, or standard input ("-"). Damage
// costs what is damaged, as a gap; an error means that nothing could be had.
func Open(name string, o Options) (*Bundle, error) {
	if name == "-" {
		if o.Stdin == nil {
			return nil, errors.New("read -: no standard input")
		}
		return Read("stdin", o.Stdin, o)
	}
	return start(name, o, func(b *Bundle, newest *time.Time) error { return b.path(name, newest) })
}

// Read reads what Open would read from a file of this name. It needs r no more
// once it has returned.
func Read(name string, r io.Reader, o Options) (*Bundle, error) {
	return start(name, o, func(b *Bundle, newest *time.Time) error { return b.stream(name, r, newest) })
}

func start(name string, o Options, read func(b *Bundle, newest *time.Time) error) (*Bundle, error) {
	limits := o.Limits.withDefaults()
	b := &Bundle{cut: map[string]bool{}, store: &store{limits: limits, inMemory: limits.MemoryBytes}}
	newest := time.Time{}
	err := read(b, &newest)
	if err == nil {
		err = b.arrange(o, newest)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", name, err), b.Close())
	}
	return b, nil
}

// path reads a file or a directory.
func (b *Bundle) path(name string, newest *time.Time) error {
	info, err := os.Stat(name)
	if err != nil {
		return reasonOf(err)
	}
	switch {
	case info.IsDir():
		return b.directory(name, newest)
	case info.Mode().IsRegular():
		*newest = info.ModTime()
		return b.file(name, info.Size(), newest)
	}
	return fmt.Errorf("%w: it is a %s", ErrNotABundle, kindOf(info.Mode()))
}

func (b *Bundle) file(name string, size int64, newest *time.Time) error {
	f, err := os.Open(name)
	if err != nil {
		return reasonOf(err)
	}
	defer func() { _ = f.Close() }() // read only
	magic := make([]byte, len(journalMagic))
	if _, err := f.ReadAt(magic, 0); err == nil && bytes.Equal(magic, journalMagic) && namedJournal(name) {
		return b.journal(name, size)
	}
	return b.stream(filepath.Base(name), f, newest)
}

// arrange gives the files the paths of a bundle: it takes a single directory
// around a bundle away, reads the manifest, and files foreign logs under their
// node.
func (b *Bundle) arrange(o Options, newest time.Time) error {
	top := enclosing(b.Files)
	shaped, rest, cut := false, b.Files[:0], map[string]bool{}
	var manifest *evidence.File
	for _, f := range b.Files {
		was := b.cut[f.Path]
		f.Path = strings.TrimPrefix(f.Path, top)
		if was {
			cut[f.Path] = true
		}
		if f.Path == manifestPath {
			manifest = &f
			continue
		}
		shaped = shaped || inLayout(f.Path)
		rest = append(rest, f)
	}
	b.Files, b.cut = rest, cut
	if manifest != nil {
		if err := b.readManifest(*manifest); err != nil {
			return err
		}
	} else if shaped {
		b.gap("", "%s is missing: scope and time of the collection are not known", manifestPath)
	}
	if b.Manifest.CollectedAt.IsZero() || b.Manifest.CollectedAt.After(o.Now.Add(24*time.Hour)) {
		b.Manifest.CollectedAt = o.Now
		if newest.Unix() > 0 && newest.Before(o.Now) {
			b.Manifest.CollectedAt = newest
		}
	}
	b.Manifest.CollectedAt = b.Manifest.CollectedAt.UTC()
	if manifest == nil && !shaped {
		b.fileForeign(o)
	}
	return nil
}

func (b *Bundle) readManifest(f evidence.File) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // read only
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		b.gap("", "%s cannot be read: %v", manifestPath, err)
		return nil
	}
	if m.FormatVersion > FormatVersion {
		return fmt.Errorf("format version %d: %w", m.FormatVersion, ErrNewer)
	}
	b.Manifest = m
	return nil
}

// fileForeign names files that are no part of a bundle: objects as kubectl
// prints them go to cluster/, journal files to journal/, everything else is a
// log of a node.
func (b *Bundle) fileForeign(o Options) {
	taken := map[string]bool{}
	for i := range b.Files {
		f := &b.Files[i]
		base := strings.ReplaceAll(f.Path, "/", "_")
		node := o.Node
		if node == "" || refuse(node) != "" || strings.Contains(node, "/") {
			node = UnknownNode
		}
		dir := "nodes/" + node + "/logs/"
		switch head := head(*f); {
		case bytes.HasPrefix(head, journalMagic):
			dir = "nodes/" + node + "/journal/"
			if !namedJournal(base) {
				base += ".journal"
			}
		case isObjects(head):
			dir = "cluster/"
		}
		for taken[dir+base] {
			base = "_" + base // its extension says how it is read
		}
		f.Path = dir + base
		taken[f.Path] = true
	}
}

// isObjects tells whether a file begins like `kubectl get -o json` or `-o yaml`.
func isObjects(head []byte) bool {
	head = bytes.TrimSpace(head)
	return bytes.HasPrefix(head, []byte("apiVersion:")) ||
		bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"apiVersion"`))
}

// head returns the first bytes of a file, nil if it cannot be read.
func head(f evidence.File) []byte {
	r, err := f.Open()
	if err != nil {
		return nil
	}
	defer func() { _ = r.Close() }() // read only
	buf := make([]byte, 4096)
	n, _ := io.ReadFull(r, buf)
	return buf[:n]
}

func inLayout(p string) bool {
	return p == manifestPath || strings.HasPrefix(p, "cluster/") || strings.HasPrefix(p, "nodes/")
}

// enclosing returns the one directory (with its slash) that all files stand in
// if a bundle's layout begins below it, else "".
func enclosing(files []evidence.File) string {
	if len(files) == 0 {
		return ""
	}
	first, _, ok := strings.Cut(files[0].Path, "/")
	top, below := first+"/", false
	for _, f := range files {
		if inLayout(f.Path) || !strings.HasPrefix(f.Path, top) {
			return ""
		}
		below = below || inLayout(f.Path[len(top):])
	}
	if !ok || !below {
		return ""
	}
	return top
}

// clean brings an entry's path into the form that the layout uses.
func clean(p string) string { return path.Clean(strings.TrimPrefix(p, "./")) }

// reasonOf drops the operation and path of a file error: the caller names them.
func reasonOf(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func kindOf(m os.FileMode) string {
	switch {
	case m&os.ModeNamedPipe != 0:
		return "pipe"
	case m&os.ModeSocket != 0:
		return "socket"
	case m&os.ModeDevice != 0:
		return "device"
	case m&os.ModeSymlink != 0:
		return "link"
	}
	return "special file"
}
