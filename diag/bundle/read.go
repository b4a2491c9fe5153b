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
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
)

// ErrNotABundle is wrapped by Open for input that is neither a bundle, nor an
// archive of logs, nor a log.
var ErrNotABundle = errors.New("neither a bundle nor a log")

// ErrNewer is wrapped by Open for a bundle of a later format version.
var ErrNewer = errors.New("made by a newer version of this tool")

// Options configure reading a bundle.
type Options struct {
	// Stdin is read for the path "-".
	Stdin io.Reader
	// Now is used where the input has no time of collection.
	Now    time.Time
	Limits Limits
	// Skip returns why a file outside of a bundle is useless, "" to keep it. It is called twice: with only the path
	// (head is nil), before anything is read, and with the file's first bytes, at most HeadBytes of them. Nil keeps
	// everything.
	Skip func(path string, head []byte) string
}

// Bundle is the result of reading. Files keep the paths of CONTRACT's layout. Close removes the temporary files of
// large entries.
type Bundle struct {
	// Name is the input's name.
	Name     string
	Manifest Manifest
	// Now is when it was read: nothing in it is later.
	Now   time.Time
	Files []evidence.File
	// Gaps are what reading had to leave out; those of the collection are in the manifest.
	Gaps []evidence.Gap
	// Foreign: not a bundle of this tool. Files keep their own paths; an archive inside the archive appears as a
	// directory.
	Foreign bool
	// Skipped counts the files that Options.Skip refused, by its reason.
	Skipped map[string]int

	skip   func(path string, head []byte) string
	own    bool // a manifest was seen: nothing is skipped
	looked int
	left   refusals
	kept   map[string]bool // by path, before arrange
	cut    map[string]bool // by path
	store  *store
}

// Cut reports whether a file of the bundle was only partly read: it covers only the time of its own lines.
func (b *Bundle) Cut(path string) bool { return b.cut[path] }

// Made reports whether a collection of this tool made it and recorded its time.
func (b *Bundle) Made() bool { return !b.Foreign && b.Manifest.FormatVersion > 0 }

// Disk is where more data may be kept until Close.
func (b *Bundle) Disk() *spool.Disk { return b.store.room() }

// Close frees the bundle's resources. Files must not be opened afterwards.
func (b *Bundle) Close() error { return b.store.close() }

// gap records something that was left out.
func (b *Bundle) gap(hint, format string, args ...any) {
	b.Gaps = append(b.Gaps, evidence.Gap{Source: Source, Why: fmt.Sprintf(format, args...), Hint: hint})
}

// Open reads a bundle (.tar.zst, .tar.gz, .tar), a directory of the same shape, an archive, directory or single file of
// logs, or standard input ("-"). Damage loses only the damaged part, as a gap; an error means that nothing could be
// read.
func Open(name string, o Options) (*Bundle, error) {
	if name == "-" {
		if o.Stdin == nil {
			return nil, errors.New("read -: no standard input")
		}
		return Read("stdin", o.Stdin, o)
	}
	return start(name, o, func(b *Bundle, newest *time.Time) error { return b.path(name, newest) })
}

// Read reads what Open would read from a file with this name. After it returns, r is no longer needed.
func Read(name string, r io.Reader, o Options) (*Bundle, error) {
	return start(name, o, func(b *Bundle, newest *time.Time) error { return b.stream(name, r, newest) })
}

func start(name string, o Options, read func(b *Bundle, newest *time.Time) error) (*Bundle, error) {
	limits := o.Limits.withDefaults()
	b := &Bundle{
		Name: name, Now: o.Now,
		Skipped: map[string]int{}, skip: o.Skip, cut: map[string]bool{}, kept: map[string]bool{},
		store: &store{limits: limits, inMemory: limits.MemoryBytes},
	}
	newest := time.Time{}
	err := read(b, &newest)
	b.left.tell(b)
	if err == nil {
		err = b.arrange(o, newest)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", name, err), b.Close())
	}
	return b, nil
}

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
	if isZip(f) {
		return b.zip(f, "", newest, 0)
	}
	head := make([]byte, HeadBytes)
	n, err := f.ReadAt(head, 0)
	head = head[:n]
	switch {
	case err != nil && !errors.Is(err, io.EOF):
	case bytes.HasPrefix(head, journalMagic) && namedJournal(name), n > 0 && asItIs(head):
		return b.alone(name, size, newest)
	}
	return b.stream(filepath.Base(name), f, newest)
}

// asItIs reports whether a text needs no conversion.
func asItIs(head []byte) bool {
	return !packed(head) && !isTar(head) && !marked(head) && looksLikeText(head) && !bytes.HasPrefix(head, journalMagic)
}

// arrange gives the files the paths of a bundle: it removes a single directory around a bundle, and reads the manifest.
// Input with neither a manifest nor a bundle's layout is foreign.
func (b *Bundle) arrange(o Options, newest time.Time) error {
	top := enclosing(b.Files)
	shaped, stray, rest, cut := false, false, b.Files[:0], map[string]bool{}
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
		// Other archives have directories called nodes too, but not only that.
		shaped, stray = shaped || inLayout(f.Path), stray || !inLayout(f.Path) && strings.Contains(f.Path, "/")
		rest = append(rest, f)
	}
	b.Files, b.cut = rest, cut
	shaped = shaped && !stray
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
	if b.Foreign = manifest == nil && !shaped; b.Foreign && len(b.Files) <= fewFiles {
		for i, f := range b.Files {
			b.Files[i] = ended(f)
		}
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

func inLayout(p string) bool {
	return p == manifestPath || strings.HasPrefix(p, "cluster/") || strings.HasPrefix(p, "nodes/")
}

// enclosing returns the one directory (with its slash) that contains all files if a bundle's layout begins below it,
// else "".
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

// clean normalizes an entry's path to the form of the layout.
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
