package finding

import (
	"testing"
)

// Codes mean other things on Windows: no number there is 128 and a signal.
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
