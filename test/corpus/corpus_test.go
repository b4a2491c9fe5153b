package main

import (
	"context"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// The whole corpus, with a sample of single lines removed from the hand-written entries, and of cuts; `make corpus`
// removes more, and lines of recordings too.
func TestTheCorpusIsJudgedRightly(t *testing.T) {
	entries, err := entry.Load("testdata", analyzer.Causes())
	if err != nil {
		t.Fatal(err)
	}
	s, err := run(context.Background(), entries, options{lines: 4, cuts: 2, seed: 1, whole: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.verdict(); err != nil {
		var out strings.Builder
		s.print(&out, true)
		t.Errorf("%v\n%s", err, out.String())
	}
}

// Every cause is the truth somewhere, and somewhere a rival to rule out; a cause that is only used in chains is in one.
func TestEveryCauseIsATruthAndARival(t *testing.T) {
	entries, err := entry.Load("testdata", analyzer.Causes())
	if err != nil {
		t.Fatal(err)
	}
	truths, rivals := map[string]bool{"unknown": true}, map[string]bool{}
	for _, e := range entries {
		for _, truth := range e.Truths {
			for _, id := range append(truth.Chain, truth.Cause, truth.Mechanism) {
				truths[id] = true
			}
			for _, id := range truth.Rivals {
				rivals[id] = true
			}
		}
	}
	for _, r := range analyzer.Causes() {
		if !truths[r.ID] {
			t.Errorf("%s is the truth of no entry", r.ID)
		}
		if r.Claimed && !rivals[r.ID] {
			t.Errorf("%s is a rival in no entry", r.ID)
		}
	}
}

// The command checks its own promises: a wrong truth fails the run.
func TestAWrongTruthFailsTheRun(t *testing.T) {
	entries, err := entry.Load("testdata", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := run(context.Background(), nil, options{}); err != nil || s.verdict() == nil {
		t.Error("an empty corpus passed")
	}
	e := *entries[0]
	e.Truths = []entry.Truth{e.Truths[0]}
	e.Truths[0].Cause = "node-reboot"
	s, err := run(context.Background(), []*entry.Entry{&e}, options{})
	if err != nil || s.verdict() == nil {
		t.Errorf("a wrong truth passed: %v", err)
	}
	e.Truths[0] = entries[0].Truths[0]
	e.Truths[0].Rivals = []string{"no-such-cause"}
	if s, err = run(context.Background(), []*entry.Entry{&e}, options{}); err != nil || s.verdict() == nil {
		t.Errorf("a rival that stands passed: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := run(ctx, entries, options{}); err == nil {
		t.Error("a cancelled run passed")
	}
}
