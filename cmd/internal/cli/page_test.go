package cli

import (
	"strings"
	"testing"
)

// The page of the demo is drawn from its stories: their lanes are finer than what
// the report holds.
func TestThePageIsDrawnFromTheStories(t *testing.T) {
	out, errs, code := run(t, "demo", "--cause", "hash-kubelet-upgrade", "-o", "html")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	for _, want := range []string{">probes</text>", ">kubelet</text>", ">sandbox</text>"} {
		if !strings.Contains(out, want) {
			t.Errorf("the page lacks the lane %s", want)
		}
	}
}
