package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// Every story as it is, in every form of its logs.
func TestNoStoryIsWronglyProven(t *testing.T) {
	for class, list := range stories() {
		for _, w := range list {
			name := class + "/" + w.name
			t.Run(name, func(t *testing.T) {
				var all []string
				for _, f := range w.story().forms {
					e := w.story().entry(w.name, f)
					r, err := analysed(e, nil)
					if err != nil {
						t.Fatal(err)
					}
					for _, text := range wrong(e, r) {
						all = append(all, string(f)+": "+text)
					}
				}
				switch is := slices.Contains(known(), name); {
				case is && len(all) == 0:
					t.Error("it holds: take it out of known.txt")
				case is:
					t.Skip("known:", all)
				case len(all) > 0:
					t.Error(strings.Join(all, "\n"))
				}
			})
		}
	}
}

// A sample of what make attacks tries. A class that is known to fail is left to that.
func TestNoVariantIsWronglyProven(t *testing.T) {
	entries, err := entry.Load("../testdata", catalogue.All())
	if err != nil {
		t.Fatal(err)
	}
	on := all(entries)
	for _, a := range attacks() {
		t.Run(a.name, func(t *testing.T) {
			if slices.Contains(known(), a.name) {
				t.Skip("known")
			}
			tried, failed := generate(a, on, 1, 20)
			if tried < 20 {
				t.Errorf("only %d variants were tried", tried)
			}
			for _, f := range failed {
				t.Error(f)
			}
		})
	}
}

// What is said of one story, for a person: ATTACK='overflow' go test -run TestWhatIsSaid -v
func TestWhatIsSaid(t *testing.T) {
	want := os.Getenv("ATTACK")
	if want == "" {
		t.Skip("ATTACK names no story")
	}
	for class, list := range stories() {
		for _, w := range list {
			if !strings.Contains(class+"/"+w.name, want) {
				continue
			}
			for _, f := range w.story().forms {
				r, err := analysed(w.story().entry(w.name, f), nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, it := range r.Items {
					v := it.Verdict
					t.Logf("%s (%s): %s/%s is %s (%s): %s\nmissing %v", w.name, f, it.Pod, it.Container, v.Cause, v.Confidence, v.Summary, v.Missing)
				}
			}
		}
	}
}
