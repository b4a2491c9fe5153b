// Command field judges the program on public incidents that none of its authors made (test/field/testdata), each with
// the evidence that its reporter had and the truth that was established there.
//
// For the open half it prints every verdict that is not right. For the blind half it prints only figures, so that no
// rule can be made to fit it. It ends with one line of figures, and exits with 0 only if every limit below is kept.
package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

// The limits. Nothing untrue may be proven, and nothing may be left out silently: these two are counted over both
// halves and have no tolerance.
const (
	// wrongLikely is the share of "likely" verdicts that may be wrong, over both halves. People act on a likely; they
	// forgive one error in fifty.
	wrongLikely = 0.02
	// rightBlind is the share of the blind half's decidable truths that must be right: what an engineer who knows
	// kubelets well would reach with the same evidence.
	rightBlind = 0.90
)

func main() {
	dir := flag.String("dir", "test/field/testdata", "directory of the entries")
	only := flag.String("entry", "", "show this entry of the open half in full")
	list := flag.Bool("list", false, "write the page of the open half's incidents, and judge nothing")
	inForm := flag.String("forms", "", `read the open half in every form whose name has this word, 1 for all`)
	program.Main(func(ctx context.Context) error {
		if *list {
			entries, err := entry.Load(*dir, analyzer.Causes())
			incidents(os.Stdout, entries)
			return err
		}
		if *inForm != "" {
			entries, err := entry.Load(*dir, analyzer.Causes())
			return errors.Join(err, inForms(ctx, os.Stdout, entries, strings.Trim(*inForm, "1")))
		}
		return field(ctx, os.Stdout, *dir, *only)
	})
}

// field judges what can be read, and fails at the end if something could not be read.
func field(ctx context.Context, w io.Writer, dir, only string) error {
	entries, refused := entry.Load(dir, analyzer.Causes())
	if only != "" {
		return show(w, entries, only)
	}
	s, err := run(ctx, entries)
	if err != nil {
		return errors.Join(err, refused)
	}
	s.print(w)
	return errors.Join(refused, s.verdict())
}
