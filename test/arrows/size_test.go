package arrows

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Packages of more than maxFiles files or maxLines lines hide several things under one name. Tests and tables do not
// count.
const maxFiles, maxLines = 25, 2500

func TestPackagesStaySmall(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && len(name) > 2):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go", strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, "_table.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		files[filepath.ToSlash(dir)]++
		lines[filepath.ToSlash(dir)] += strings.Count(string(text), "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 100 {
		t.Errorf("only %d packages seen", len(files))
	}
	for dir, n := range lines {
		if n > maxLines || files[dir] > maxFiles {
			t.Errorf("%s has %d lines in %d files, more than %d in %d: split it by what it knows", dir, n, files[dir],
				maxLines, maxFiles)
		}
	}
}
