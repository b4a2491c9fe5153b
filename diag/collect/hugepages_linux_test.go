package collect

import (
	"os"
	"strings"
	"testing"
)

// The advice stays with the addresses when the blocks are freed: the heap that follows is in huge pages.
func TestTheHeapThatFollowsIsInHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this kernel has none")
	}
	hugePages(256<<20, 64<<20)
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(maps)) {
		if strings.HasPrefix(line, "VmFlags:") && strings.Contains(line, " hg") {
			return
		}
	}
	t.Error("no part of the memory is advised to be")
}
