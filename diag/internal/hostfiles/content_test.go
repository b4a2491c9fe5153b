//go:build unix

package hostfiles

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file of a node is read up to a limit, and what would keep a reader waiting is not.
func TestContentIsThatOfARegularFile(t *testing.T) {
	dir := t.TempDir()
	pipe, full := filepath.Join(dir, "pipe"), filepath.Join(dir, "full")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		file, want, trouble string
		most                int64
	}{
		"a file":             {file: full, most: 5, want: "12345"},
		"a longer one":       {file: full, most: 4, trouble: "longer than"},
		"a pipe":             {file: pipe, most: 5, trouble: "not a regular file"},
		"a directory":        {file: dir, most: 5, trouble: "not a regular file"},
		"one that is absent": {file: filepath.Join(dir, "none"), most: 5, trouble: "no such file"},
	} {
		data, changed, err := Content(tt.file, tt.most)
		switch {
		case tt.trouble == "" && (err != nil || string(data) != tt.want || changed.IsZero()):
			t.Errorf("%s: %q at %v, %v", name, data, changed, err)
		case tt.trouble != "" && (err == nil || !strings.Contains(err.Error(), tt.trouble)):
			t.Errorf("%s: %v, want %s", name, err, tt.trouble)
		}
	}
}
