package main

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain leaves these tests to the run without the race detector, which make test makes of the packages in WHOLE: one
// goroutine reads and compares seventeen inventories again and again, 140 s under the detector and 13 s without it.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("left to the run without -short")
		os.Exit(0)
	}
	os.Exit(m.Run())
}
