package safetext

import "testing"

func TestUncoloured(t *testing.T) {
	for in, want := range map[string]string{"\x1b[33mI0512\x1b[0m x": "I0512 x",
		"a\x1b]0;title\x07": "a\x1b]0;title\x07", "\x1b[": "\x1b[", "\x1b[2K\rx": "\rx"} {
		if got := Uncoloured(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
