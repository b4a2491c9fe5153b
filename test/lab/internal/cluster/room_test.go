package cluster

import (
	"math"
	"strings"
	"testing"
)

func TestALabIsRefusedOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := checkRoom(dir, 0); err != nil {
		t.Errorf("nothing is needed: %v", err)
	}
	err := checkRoom(dir, math.MaxUint64)
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "make room") {
		t.Errorf("more than any disk has: %v, want an error that names the directory and what to do", err)
	}
	if err := checkRoom(dir+"/none", 0); err == nil {
		t.Error("a directory that does not exist: no error")
	}
}
