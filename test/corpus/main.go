// Command corpus judges the analyzer on the corpus: every entry at every tier,
// then with evidence taken away, then in other forms of the same meaning. It
// prints a calibration table and closes with one line of figures.
//
// It exits with 0 only if nothing was wrongly proven, every entry reached what it
// asks for, and accuracy is at least what is promised.
package main

import (
	"context"
	"flag"
	"os"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

// The promises: the share of right verdicts with all evidence, and with the API alone.
const (
	promisedFull = 0.98
	promisedAPI  = 0.92
)

// allLines is how many single lines the limits were measured with.
const allLines = 1000

// The share of what is called likely that may be wrong. A likely is read as an answer, so
// its errors are errors. The limits are what was measured when they were first counted, and
// only go down.
const (
	// 6 of 210: evidence of another time, ends that answer a shutdown, limits that only the kernel names
	wrongAsItIs = 0.029
	// With evidence taken away the line that told may be missing, and what is left points
	// elsewhere: some of it is beyond any reader.
	wrongPoorer = 0.0049
)

func main() {
	dir := flag.String("dir", "test/corpus/testdata", "directory of the corpus")
	lines := flag.Int("lines", allLines, "how many single lines to take away from an entry at most")
	only := flag.String("entry", "", "judge this entry only")
	verbose := flag.Bool("v", false, "print every verdict that is not right")
	program.Main(func(ctx context.Context) error {
		entries, err := entry.Load(*dir, analyzer.Causes())
		if err != nil {
			return err
		}
		s, err := run(ctx, entries, options{lines: *lines, only: *only})
		if err != nil {
			return err
		}
		s.print(os.Stdout, *verbose)
		return s.verdict()
	})
}
