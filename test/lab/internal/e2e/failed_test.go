package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRecordingsOfFailedRunsAreKeptAndBounded(t *testing.T) {
	dir, day := t.TempDir(), time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC)
	if where, err := keepFailed(dir, "e2e", day); err != nil || where != filepath.Join(dir, "results") {
		t.Errorf("nothing recorded: %s, %v", where, err)
	}
	for i := range mostFailed + 2 {
		if err := os.MkdirAll(filepath.Join(dir, "results"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "results", "n1.tar.zst"), fmt.Append(nil, i), 0o644); err != nil {
			t.Fatal(err)
		}
		where, err := keepFailed(dir, "e2e", day.Add(time.Duration(i)*time.Hour))
		got, readErr := os.ReadFile(filepath.Join(where, "n1.tar.zst"))
		if err != nil || readErr != nil || string(got) != fmt.Sprint(i) {
			t.Errorf("run %d: %s has %q, %v, %v", i, where, got, err, readErr)
		}
	}
	kept, err := os.ReadDir(filepath.Join(dir, "failed"))
	if err != nil || len(kept) != mostFailed || kept[0].Name() != "20261127T020000Z-e2e" {
		t.Errorf("kept %v, %v", kept, err)
	}
}
