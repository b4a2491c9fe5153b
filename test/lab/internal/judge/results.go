package judge

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// ReadResults reads what KeepResults wrote; fs.ErrNotExist if there is nothing.
func ReadResults(path string) ([]Result, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []Result
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("read results %s: %w", path, err)
	}
	return out, nil
}

// KeepResults writes the results for a later run.
func KeepResults(path string, results []Result) error {
	raw, err := json.Marshal(results)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, raw, 0o644)
	}
	if err != nil {
		return fmt.Errorf("keep results: %w", err)
	}
	return nil
}
