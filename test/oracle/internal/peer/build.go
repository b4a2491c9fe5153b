package peer

import (
	"os"
	"path/filepath"
	"strings"
)

// Build returns the path of a program by its name, which includes everything that determines its content, from the
// cache directory dir if it is there. Otherwise compile creates it in the directory work, as out.
func Build(dir, name string, compile func(work, out string) error) (string, error) {
	// The go command works in another directory.
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, "program")
	if err := compile(work, out); err != nil {
		return "", err
	}
	return path, os.Rename(out, path)
}

// CopyPackage copies the Go files of one directory, without its tests and the fakes that only tests need.
func CopyPackage(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "fake_") {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
