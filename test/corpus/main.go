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
	"fmt"
	"os"
	"os/signal"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// The promises: the share of right verdicts with all evidence, and with the API alone.
const (
	promisedFull = 0.98
	promisedAPI  = 0.85
)

func main() {
	dir := flag.String("dir", "test/corpus/testdata", "directory of the corpus")
	lines := flag.Int("lines", 1000, "how many single lines to take away from an entry at most")
	only := flag.String("entry", "", "judge this entry only")
	verbose := flag.Bool("v", false, "print every verdict that is not right")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	entries, err := entry.Load(*dir, catalogue.All())
	if err == nil {
		var s *sums
		if s, err = run(ctx, entries, options{lines: *lines, only: *only}); err == nil {
			s.print(os.Stdout, *verbose)
			err = s.verdict()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		stop()
		os.Exit(1)
	}
}
