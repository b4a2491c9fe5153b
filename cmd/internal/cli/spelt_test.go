package cli

import (
	"slices"
	"strings"
	"testing"
)

// Forms of kubectl, and numbers below zero, reach the flags' parser as they are meant.
func TestHowArgumentsAreSpelt(t *testing.T) {
	for in, want := range map[string]string{
		"web-0 -v 6":              "web-0 -v=6",
		"web-0 --verbosity 6":     "web-0 --verbosity=6",
		"web-0 -v":                "web-0 -v",
		"web-0 -v -A":             "web-0 -v -A",
		"-n 5 7":                  "-n 5 7",
		"explain 137":             "explain 137",
		"explain -1073741819":     "explain -- -1073741819",
		"explain -o json -1":      "explain -o json -- -1",
		"explain -- -1073741819":  "explain -- -1073741819",
		"analyze x --node -1 y":   "analyze x --node -1 y",
		"explain exit code -1 no": "explain exit code -- -1 no",
	} {
		if got := spelt(strings.Fields(in)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s becomes %q, want %q", in, got, want)
		}
	}
}

func TestTheHintsOfSlips(t *testing.T) {
	for args, want := range map[string][]string{
		"explain -1073741819": {"STATUS_ACCESS_VIOLATION"},
		"explain 300":         {"not recognised", "exit codes are 0 to 255", "300 is neither"},
		"analyze --from x":    {"unknown flag: --from", "analyze takes the path alone", "analyze PATH"},
		"analyze demo -v 1":   {"restart"},
	} {
		out, errs, _ := run(t, strings.Fields(args)...)
		for _, w := range want {
			if !strings.Contains(strings.ToLower(out+errs), strings.ToLower(w)) {
				t.Errorf("%s does not say %q:\n%s%s", args, w, out, errs)
			}
		}
	}
}
