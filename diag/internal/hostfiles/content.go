package hostfiles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
	"time"
)

// Below returns where a file of the node is below root. A symbolic link there is resolved against the node's own root,
// not ours.
func Below(root, name string) string {
	name = path.Join("/", name)
	if root == "/" {
		return name
	}
	for range 8 {
		target, err := os.Readlink(filepath.Join(root, name))
		if err != nil {
			break
		}
		if !path.IsAbs(target) {
			target = path.Join(path.Dir(name), target)
		}
		name = path.Join("/", target)
	}
	return filepath.Join(root, name)
}

// ErrIrregular means that a file is not a regular file.
var ErrIrregular = errors.New("not a regular file")

// Open opens a regular file and returns when it was modified. It does not wait for the writer of a pipe.
func Open(name string) (*os.File, time.Time, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, time.Time{}, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w", name, ErrIrregular)
	}
	if err != nil {
		return nil, time.Time{}, errors.Join(err, f.Close())
	}
	return f, info.ModTime(), nil
}

// Content returns the content of a regular file and when it was modified. A file longer than most bytes is an error.
func Content(name string, most int64) ([]byte, time.Time, error) {
	f, changed, err := Open(name)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("read %s: longer than %d MiB", filepath.Base(name), most>>20)
	}
	return data, changed.UTC(), err
}

// Hint says what would help to read a file of the node, "" if that is unknown.
func Hint(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "run as root on the node"
	}
	return ""
}
