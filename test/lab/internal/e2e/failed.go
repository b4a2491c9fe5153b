package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// mostFailed is how many recordings of failed runs are kept, the newest.
const mostFailed = 8

// keepFailed moves the reports and bundles of a failed run to a place where the next run does not overwrite them, and
// returns that place: a wrong verdict is rare and cannot be provoked again at will.
func keepFailed(dir, name string, at time.Time) (string, error) {
	results, failed := filepath.Join(dir, "results"), filepath.Join(dir, "failed")
	to := filepath.Join(failed, at.UTC().Format("20060102T150405Z-")+name)
	if _, err := os.Stat(results); err != nil {
		return results, nil // nothing was recorded
	}
	if err := os.MkdirAll(failed, 0o755); err != nil {
		return results, fmt.Errorf("keep the recording of a failed run: %w", err)
	}
	if err := os.Rename(results, to); err != nil {
		return results, fmt.Errorf("keep the recording of a failed run: %w", err)
	}
	kept, err := os.ReadDir(failed) // by name: the oldest first
	for ; err == nil && len(kept) > mostFailed; kept = kept[1:] {
		err = os.RemoveAll(filepath.Join(failed, kept[0].Name()))
	}
	if err != nil {
		return to, fmt.Errorf("remove old recordings of failed runs: %w", err)
	}
	return to, nil
}
