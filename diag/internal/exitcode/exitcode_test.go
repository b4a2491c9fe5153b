package exitcode

import (
	"math"
	"testing"
)

func TestCodesAreReadAsToolsPrintThem(t *testing.T) {
	for text, want := range map[string]int32{
		"0": 0, "137": 137, "010": 10, "-1": -1, "-137": 137, "-1073741510": -1073741510, "3221225786": -1073741510,
		"0xC000013A": -1073741510, "2147483647": math.MaxInt32,
	} {
		if got, ok := Parse(text); !ok || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "x", "4294967433", "-9999999999", "-2147483648", "1e3", "0x1FFFFFFFF"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q: %d", text, got)
		}
	}
}
