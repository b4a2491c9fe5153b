package peer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCopyPackageLeavesTestsAndFakesOut(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, name := range []string{"a.go", "a_test.go", "fake_manager.go", "b_linux.go", "OWNERS"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte("package p\n"), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := CopyPackage(from, to); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(to)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != "a.go b_linux.go" {
		t.Errorf("copied %v, want a.go and b_linux.go", got)
	}
}
