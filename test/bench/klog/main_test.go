package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
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
	// Times advance across repetitions: a single stretch, without a jump of the clock.
	for _, want := range []string{"klog: ", " 0 odd lines", " 1 stretches covered", " 0 gaps"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is without %q", out.String(), want)
		}
	}
	if strings.Contains(out.String(), " 0 observations") {
		t.Error(out.String())
	}
}

func TestAMixedLogHasItsShareOfLinesThatMatter(t *testing.T) {
	for _, share := range []int{8, 100} {
		path := filepath.Join(t.TempDir(), "kubelet.log")
		if err := mixed(path, 4<<20, share); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines, met := 0, 0
		for line := range strings.Lines(string(text)) {
			lines++
			if _, ok := kubeletlog.Match(strings.TrimSuffix(line, "\n")); ok {
				met++
			}
		}
		if got := 100 * met / lines; got < share-1 || got > share {
			t.Errorf("%d %% of %d lines matter, want %d", got, lines, share)
		}
	}
}
