package main

import (
	"bytes"
	"context"
	"testing"
)

// sample is how many statuses make test goes through: a few seconds.
const sample = 8000

// Every property is true for a sample. make statuses uses every combination.
func TestThePropertiesHoldOfASample(t *testing.T) {
	found, err := run(context.Background(), 1, sample)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := found.print(&out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	if found.statuses != sample || found.items < sample {
		t.Errorf("%d statuses with %d items: the sample asks for next to nothing", found.statuses, found.items)
	}
}

// The numbering reaches every enumerated combination: its stride divides none of the sizes.
func TestTheCombinationsComeOnceEach(t *testing.T) {
	all := combinations()
	if all < 100_000 || 1_000_003%all == 0 {
		t.Fatalf("%d combinations", all)
	}
	for d, size := range sizes {
		if size < 2 || 1_000_003%size == 0 {
			t.Errorf("choice %d has size %d", d, size)
		}
	}
}

// A failing property is reported: a status whose items were removed is not explained.
func TestWhatIsNotAnsweredIsFound(t *testing.T) {
	var s status
	s[ofNow] = uint8(nowWaits + len(waits)) // terminated, Error 1
	got, err := answer([]status{lawful(s)})
	if err != nil {
		t.Fatal(err)
	}
	if bad := hasItem(got[0]); len(bad) > 0 {
		t.Fatalf("%v", bad)
	}
	got[0].items = nil
	if bad := hasItem(got[0]); len(bad) == 0 {
		t.Error("nothing is said of an end without an item")
	}
}

// shrink keeps only what a violation needs.
func TestAStatusIsMadeSmaller(t *testing.T) {
	s := statusOf(1, 4711)
	if small := shrink(&finding{property: "asked", shape: "no such shape", example: s}); small != s {
		t.Errorf("%s was made %s, which does not violate it", s, small)
	}
}
