package main

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
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
