package mention

import (
	"strings"
	"testing"
)

// What is cited is what was written, whoever is spoken to.
func TestWhatIsCitedIsWhatWasWritten(t *testing.T) {
	const talk = "ann: 10:02\n[10:02] ann: your pod cart-0 was OOMKilled, so you lost it\n[10:03] bob: thanks\n"
	if got := read(talk, "chat.txt"); !strings.Contains(got, "your pod cart-0 was OOMKilled, so you lost it") {
		t.Error(got)
	}
}

// A field that says no is no end, whatever stands before its name.
func TestAFieldThatSaysNoIsNoEnd(t *testing.T) {
	for _, field := range []string{"OOMKilled: false", "without OOMKilled", "wasOOMKilled=false", `"isOOMKilled": null`,
		"but OOMKilled is false", "while `OOMKilled` shows false", `and it says "False" for OOM (out of memory)`} {
		if got := read("pod cart-0 exit code 137 "+field, "x.txt"); strings.Contains(got, `"OOMKilled"`) ||
			!strings.Contains(got, `"exitCode":137`) {
			t.Errorf("%s: %s", field, got)
		}
	}
}
