package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLogIsLargeAndReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubelet.log")
	size, err := write(path, 8<<20)
	if err != nil || size < 8<<20 || size > 12<<20 {
		t.Fatalf("%d bytes, %v", size, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != size {
		t.Errorf("%d bytes written, %v bytes there, %v", size, info.Size(), err)
	}
	var out bytes.Buffer
	if err := readOnce(&out, path); err != nil {
		t.Fatal(err)
	}
	// Times go on across repetitions: a single stretch, and no jump of the clock.
	for _, want := range []string{"klog: ", " 0 odd lines", " 1 stretches covered", " 0 gaps"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is without %q", out.String(), want)
		}
	}
	if strings.Contains(out.String(), " 0 observations") {
		t.Error(out.String())
	}
}
