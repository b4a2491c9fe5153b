package cli

import (
	"strings"
	"testing"
)

func TestWhichCauseSomebodyMayHaveMeant(t *testing.T) {
	for typed, want := range map[string]string{
		"oom-n":                 "did you mean oom-node?",
		"OOM-NODE":              "did you mean oom-node?",
		"livenes-probe-failed":  "liveness-probe-failed",
		"liveness-probe-faield": "liveness-probe-failed",
		"hash-kubelet-upgrades": "hash-kubelet-upgrade",
		"evicted":               "evicted-memory",
		"xyzzyxyzzy":            "",
	} {
		hints := causeHints(typed)
		if want == "" && len(hints) > 1 || !strings.Contains(hints[len(hints)-1], want) || !strings.Contains(hints[0], "'explain'") {
			t.Errorf("%q: %q, want %q", typed, hints, want)
		}
	}
}
