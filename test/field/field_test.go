package main

import (
	"context"
	"crypto/sha256"
	"os"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

func load(t *testing.T) []*entry.Entry {
	t.Helper()
	entries, err := entry.Load("testdata", analyzer.Causes())
	if err != nil {
		t.Error(err)
	}
	if len(entries) == 0 && err == nil {
		t.Fatal("testdata has no entries")
	}
	return entries
}

// Every entry can be read, and nothing untrue is proven about any. Failures in the blind half are reported as a number:
// if the entry were known, someone would write a rule that fits it.
func TestNothingIsProvenInTheFieldThatIsNotSo(t *testing.T) {
	s, err := run(context.Background(), load(t))
	if err != nil {
		t.Fatal(err)
	}
	unseen := 0
	for _, j := range s.all {
		switch {
		case j.Outcome != score.WrongProven:
		case blind(j):
			unseen++
		default:
			t.Errorf("%s: %s/%s is %s: %s", j.entry.Name, j.truth.Pod, j.truth.Container, j.truth.Cause, j.Why)
		}
	}
	if unseen > 0 {
		t.Errorf("%d verdicts of the blind half are wrongly proven", unseen)
	}
}

// The page of incidents lists the open half as it is.
func TestThePageOfIncidentsIsUpToDate(t *testing.T) {
	want, err := os.ReadFile("../../docs/INCIDENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	var have strings.Builder
	if incidents(&have, load(t)); have.String() != string(want) {
		t.Error("docs/INCIDENTS.md is not what the entries say: make generate")
	}
}

// The halves follow from the hash of the names, and neither is empty.
func TestTheHalvesAreSplitByTheHashOfTheName(t *testing.T) {
	halves := map[bool]int{}
	entries := load(t)
	for _, e := range entries {
		odd := sha256.Sum256([]byte(e.Name))[0]&1 == 1
		if e.Blind() != (odd && e.Opened == "") {
			t.Errorf("%s: blind %v", e.Name, e.Blind())
		}
		if e.Opened != "" && !e.Openable() {
			t.Errorf("%s: opened by choice", e.Name)
		}
		halves[e.Blind()]++
	}
	if len(entries) >= 40 && (halves[true] < len(entries)/5 || halves[false] < len(entries)/4) {
		t.Errorf("%d open and %d blind", halves[false], halves[true])
	}
}
