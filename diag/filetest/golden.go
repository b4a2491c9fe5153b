package filetest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update says that the golden files are written again. It is one flag for all tests: two of one name cannot be in one
// test.
var Update = flag.Bool("update", false, "write the golden files again")

// Golden compares a text with a file.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if *Update {
		write(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs; -update writes it again (-want +got):\n%s", path, diff)
	}
}

// Folder compares texts with the files of a folder, by their names; the folder has no other files.
func Folder(t testing.TB, dir string, want map[string]string) {
	t.Helper()
	for name, text := range want {
		Golden(t, filepath.Join(dir, name), text)
	}
	have, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range have {
		if _, ok := want[filepath.Base(path)]; ok {
			continue
		}
		if !*Update {
			t.Errorf("%s is of nothing that there is; -update removes it", path)
		} else if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
