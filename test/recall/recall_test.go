package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryEndThatALogNamesIsAnItemOrCounted(t *testing.T) {
	results, err := all(filepath.Join("..", "corpus", "testdata", "recorded"))
	if err != nil {
		t.Fatal(err)
	}
	ended, found := 0, 0
	for _, r := range results {
		if made := !strings.Contains(r.name, ".tar"); made && r.found+r.unnamed != r.ended {
			t.Errorf("%s: %d ends, %d items, %d counted: %v are neither", r.name,
				r.ended, r.found, r.unnamed, r.missing[:min(3, len(r.missing))])
		}
		ended, found = ended+r.ended-r.unnamed, found+r.found
	}
	if ended < 500 || share(found, ended) < 99 {
		t.Errorf("%d of %d ends that have a name are items", found, ended)
	}
}
