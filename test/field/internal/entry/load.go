package entry

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
)

// Load reads the entries of a directory, by name. It leaves out invalid ones and reports all of them in the error, so
// that their author can fix them together. Such an error is only about the form, and so the same for either half.
func Load(dir string, catalogue []analyzer.Cause) ([]*Entry, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, fmt.Errorf("read field %s: %w", dir, err)
	}
	known := make([]string, len(catalogue))
	for i, r := range catalogue {
		known[i] = r.ID
	}
	var all []*Entry
	var refused []error
	evidence := map[[sha256.Size]byte]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			refused = append(refused, fmt.Errorf("read field: %w", err))
			continue
		}
		e, err := Parse(strings.TrimSuffix(filepath.Base(name), ".txtar"), text, known)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		print := e.print()
		if other := evidence[print]; other != "" {
			refused = append(refused, fmt.Errorf("read entry %s: its evidence is that of %s", e.Name, other))
			continue
		}
		evidence[print] = e.Name
		all = append(all, e)
	}
	return all, errors.Join(refused...)
}

// print returns the same sum for entries with the same files.
func (e *Entry) print() (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, p := range e.Paths() {
		fmt.Fprintf(h, "%q %q\n", p, e.Files[p])
	}
	h.Sum(sum[:0])
	return sum
}
