package basis

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Codes mean other things on Windows: none is 128 plus a signal.
func TestCodesOfWindows(t *testing.T) {
	type look struct{ chosen, ambiguous, stopped, exception bool }
	for code, want := range map[int32]look{
		0: {chosen: true}, 1: {chosen: true}, 3: {chosen: true}, 259: {chosen: true},
		137: {ambiguous: true}, 139: {ambiguous: true}, 143: {ambiguous: true}, 255: {ambiguous: true}, -1: {ambiguous: true},
		-1073741502: {ambiguous: true},
		-1073741510: {stopped: true}, 1067: {stopped: true}, 0x40010004: {stopped: true},
		-1073741819: {chosen: true, exception: true}, -532462766: {chosen: true, exception: true},
		170: {chosen: true},
	} {
		e := Exit{Known: true, Code: code, Windows: true}
		if got := (look{e.Chosen(), e.Ambiguous(), e.StoppedOnWindows(), e.Exception()}); got != want || e.Signal() != 0 {
			t.Errorf("%d: %+v, signal %d; want %+v", code, got, e.Signal(), want)
		}
	}
	if e := (Exit{Known: true, Code: 137}); e.Signal() != 9 || e.Ambiguous() {
		t.Error("137 is no SIGKILL on Linux any more")
	}
}

// A node that reports Linux is not treated as Windows because of a code that someone chose: nothing of Linux is ruled
// out.
func TestANodeTellsItsSystemBeforeACode(t *testing.T) {
	for _, code := range []int32{256, -1, 1067, 65280, 137} {
		for system, want := range map[string]bool{"linux": false, "windows": true, "": code != 137} {
			f := &Basis{R: &timeline.Restart{From: &timeline.Instance{ExitCode: &code}},
				Node: &timeline.NodeStory{Info: evidence.Node{OS: system}}}
			if got := f.windows(); got != want {
				t.Errorf("%d on %q is of Windows: %t", code, system, got)
			}
		}
	}
}
