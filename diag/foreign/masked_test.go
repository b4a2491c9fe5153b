package foreign

import "testing"

func TestWhatIsAMask(t *testing.T) {
	for value, want := range map[string]bool{
		"***": true, "********": true, "**": false, "***x": false, "": false,
		"[REDACTED]": true, "x-Obfuscated-1": true, "a masked value": true, "<hidden>": true, "<OMITTED>": true,
		"hidden": false, "registry.example/web:1": false, "mask": false,
	} {
		if got := isMask(value); got != want {
			t.Errorf("%q: %t, want %t", value, got, want)
		}
	}
}
