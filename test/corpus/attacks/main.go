// Command attacks tries to make the analyzer prove something wrong: with every true story of the corpus and the
// hand-written ones, changed by clocks that step, journals that stall, logs of other machines, forged lines, holes. It
// ends with one line of figures, and exits with 0 only if no proven verdict is wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

func main() {
	dir := flag.String("dir", "test/corpus/testdata", "directory of the corpus")
	seed := flag.Uint64("seed", uint64(clock.Now().Unix()), "what stories and values are drawn by")
	cases := flag.Int("cases", 600, "how many variants of each class")
	only := flag.String("class", "", "try this class only")
	say := flag.Bool("say", false, "show what the wrong verdicts rest on")
	program.Main(func(context.Context) error {
		entries, err := entry.Load(*dir, analyzer.Causes())
		if err != nil {
			return err
		}
		on := all(entries)
		tried, bad, classes := 0, 0, 0
		for _, a := range attacks() {
			if *only != "" && a.name != *only {
				continue
			}
			began := clock.Now()
			n, failed := generate(a, on, *seed, *cases)
			for _, f := range failed {
				fmt.Println("FAILED:", f)
				if *say {
					show(f.report)
				}
			}
			fmt.Printf("%-18s %5d variants, %4d wrong, %s\n", a.name, n, len(failed), clock.Now().Sub(began).Round(time.Second))
			tried, bad, classes = tried+n, bad+len(failed), classes+1
		}
		fmt.Printf("attacks: seed %d, %d classes, %d stories, %d variants, %d wrong proven\n",
			*seed, classes, len(on), tried, bad)
		return program.Hold(bad == 0 && tried > 0)
	})
}

func show(r *report.Report) {
	by := map[string]*report.Evidence{}
	for i := range r.Evidence {
		by[r.Evidence[i].ID] = &r.Evidence[i]
	}
	for _, it := range r.Items {
		if it.Verdict.Confidence != report.Proven {
			continue
		}
		fmt.Printf("  %s/%s/%s: %s\n", it.Namespace, it.Pod, it.Container, it.Verdict.Summary)
		for _, l := range it.Verdict.Chain {
			fmt.Printf("    %s\n", l.Text)
			for _, id := range l.Evidence {
				if e := by[id]; e != nil {
					fmt.Printf("      %+v\n", *e)
				}
			}
		}
	}
}
