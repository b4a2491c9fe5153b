package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// Every story as it is, in every form of its logs.
func TestNoStoryIsWronglyProven(t *testing.T) {
	for class, list := range classes() {
		for _, w := range list {
			name := class + "/" + w.Name
			t.Run(name, func(t *testing.T) {
				var all []string
				for _, f := range w.Story().Forms {
					s := w.Story()
					e := s.Entry(w.Name, f)
					var also []score.Outcome
					if s.Plain {
						also = []score.Outcome{score.Wrong}
					}
					r, err := analysed(e, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, text := range wrong(e, r, also...) {
						all = append(all, string(f)+": "+text)
					}
				}
				if len(all) > 0 {
					t.Error(strings.Join(all, "\n"))
				}
			})
		}
	}
}

// Each of these was proven wrongly without one source, object or line.
func TestNothingTakenAwayProvesAStory(t *testing.T) {
	broke := []string{"StartError with 1", "SIGTERM 0.3 s before a liveness kill, and code 143",
		"lost every word, and code 1",
		"SIGKILL from the node 0.4 s", "a table that was cut, 0.5 s",
		"12 s after a kill (liveness), known by its boot id, and code 137", "told by unit without UNIT=, and code 3",
		"nothing was written for a while: Journal stopped"}
	for _, w := range allWritten() {
		if !slices.ContainsFunc(broke, func(end string) bool { return strings.Contains(w.name, end) }) {
			continue
		}
		for _, f := range w.Story().Forms {
			e := w.Story().Entry(w.name, f)
			for _, v := range story.Poorer(e, f) {
				if r, err := analysed(v.Entry, v.Change); err == nil { // else nothing is left to read
					for _, text := range wrong(v.Entry, r) {
						t.Errorf("%s (%s), %s: %s", w.name, f, v.How, text)
					}
				}
			}
		}
	}
}

// A sample of what make attacks tries.
func TestNoVariantIsWronglyProven(t *testing.T) {
	entries, err := entry.Load("../testdata", analyzer.Causes())
	if err != nil {
		t.Fatal(err)
	}
	on := all(entries)
	for _, a := range attacks() {
		t.Run(a.name, func(t *testing.T) {
			tried, failed := generate(a, on, 1, 200)
			if tried < 200 {
				t.Errorf("only %d variants were tried", tried)
			}
			for _, f := range failed {
				t.Error(f)
			}
		})
	}
}
