package screen

import (
	"strings"
	"testing"
)

func unframed(text string) string {
	lines := strings.Split(text, "\n")
	Unframe(lines)
	return strings.Join(lines, "\n")
}

func TestAScreenInABox(t *testing.T) {
	got := unframed("┌── Describe(shop/web-0) ──┐\n│   Type     Reason   Age │\n│   Normal   Killing  1m  │\n" +
		"│   Normal   Killing  it w │\n│ ill go for              │\n│   Warning  BackOff  as a │\n│  whole                  │\n└─────────────────────────┘")
	const want = "$ kubectl describe pod web-0 -n shop\n  Type     Reason   Age\n  Normal   Killing  1m\n" +
		"  Normal   Killing  it will go for\n\n  Warning  BackOff  as a whole\n\n"
	if got != want {
		t.Errorf("%q", got)
	}
}

// The columns of such a list stand below each other by characters.
func TestAListOfPodsInABox(t *testing.T) {
	got := unframed("┌──── Pods(shop)[2] ────┐\n│ NAME↑   PF READY STATUS  │\n│ web-0   ●  1/1   Running │\n" +
		"│ web-1   ●  1/1   Running │\n│ web-2   ●  1/1   Running │\n└──┘")
	const want = "$ kubectl get pods -n shop\nNAME    PF READY STATUS\nweb-0   *  1/1   Running\nweb-1   *  1/1   Running\n" +
		"web-2   *  1/1   Running\n"
	if got != want {
		t.Errorf("%q", got)
	}
}
