package bundle

import (
	"archive/tar"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
)

// ErrExists is wrapped by Create when the file already exists.
var ErrExists = fs.ErrExist

// epoch is the modification time of every entry: the same evidence gives the
// same bytes.
var epoch = time.Unix(0, 0).UTC()

// Create writes a bundle to a file: readable by its owner only, complete or not
// at all. An existing file is replaced only if force is set. It returns the
// size of the archive in bytes.
func Create(path string, force bool, m Manifest, files []evidence.File) (size int64, err error) {
	if _, err := os.Lstat(path); err == nil && !force {
		return 0, fmt.Errorf("write bundle %s: %w", path, ErrExists)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".restartwhy-*") // mode 0600
	if err != nil {
		return 0, fmt.Errorf("write bundle %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write bundle %s: %w", path, errors.Join(err, tmp.Close(), os.Remove(tmp.Name())))
		}
	}()
	if err = Write(tmp, m, files); err != nil {
		return 0, err
	}
	if size, err = tmp.Seek(0, io.SeekCurrent); err != nil {
		return 0, err
	}
	if err = tmp.Sync(); err != nil {
		return 0, err
	}
	if err = os.Rename(tmp.Name(), path); err != nil {
		return 0, err
	}
	return size, tmp.Close()
}

// Write writes a bundle. The bytes depend only on the manifest and the files, not on their order or the machine. A file
// that cannot be opened, or whose path a reader would refuse, becomes a gap in the manifest.
func Write(w io.Writer, m Manifest, files []evidence.File) error {
	m.FormatVersion = FormatVersion
	m.CollectedAt = m.CollectedAt.UTC()
	m.Gaps = slices.Clone(m.Gaps)
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b evidence.File) int { return cmp.Compare(a.Path, b.Path) })
	kept := files[:0]
	for i, f := range files {
		if why := unwritable(f, i > 0 && len(kept) > 0 && kept[len(kept)-1].Path == f.Path); why != "" {
			m.Gaps = append(m.Gaps, evidence.Gap{Source: Source, Why: fmt.Sprintf("%s left out: %s", f.Path, why)})
			continue
		}
		kept = append(kept, f)
	}
	if m.Gaps == nil {
		m.Gaps = []evidence.Gap{}
	}
	if m.Redactions == nil {
		m.Redactions = []string{}
	}
	for i := range m.Gaps { // an error may quote what it could not read
		m.Gaps[i].Why, m.Gaps[i].Hint = secrets.Text(m.Gaps[i].Why), secrets.Text(m.Gaps[i].Hint)
	}
	manifest, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", manifestPath, err)
	}
	// One thread: with more, the bytes would depend on the machine.
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("start compression: %w", err)
	}
	t := tar.NewWriter(z)
	for _, f := range append([]evidence.File{evidence.Bytes(manifestPath, append(manifest, '\n'))}, kept...) {
		if err := writeEntry(t, f); err != nil {
			return errors.Join(err, z.Close())
		}
	}
	if err := t.Close(); err != nil {
		return errors.Join(fmt.Errorf("finish archive: %w", err), z.Close())
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("finish compression: %w", err)
	}
	return nil
}

func writeEntry(t *tar.Writer, f evidence.File) error {
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("open %s: %w", f.Path, err)
	}
	defer func() { _ = r.Close() }() // read only: nothing can be lost
	h := &tar.Header{Typeflag: tar.TypeReg, Name: f.Path, Size: f.Size, Mode: 0o600, ModTime: epoch}
	if err := t.WriteHeader(h); err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	n, err := io.Copy(t, io.LimitReader(r, f.Size)) // it may have grown since
	if err == nil && n < f.Size {
		err = fmt.Errorf("%d bytes instead of %d", n, f.Size)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	return nil
}

// unwritable returns why a file cannot go into a bundle, or "".
func unwritable(f evidence.File, twice bool) string {
	if why := refuse(f.Path); why != "" {
		return why
	}
	if f.Path == manifestPath {
		return "the manifest's own name"
	}
	if twice {
		return "a second file of this name"
	}
	r, err := f.Open()
	if err != nil {
		return err.Error()
	}
	if err := r.Close(); err != nil {
		return err.Error()
	}
	return ""
}
