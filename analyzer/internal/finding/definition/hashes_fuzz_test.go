package definition

import (
	"fmt"
	"strconv"
	"testing"
)

// The parser returns what was written; anything else is ignored.
func FuzzBothHashes(f *testing.F) {
	f.Add("Container spec hash changed (1559107639 vs 1428860573).. Container will be killed and recreated.")
	f.Add(
		"Killing container with id docker://web:Container spec hash changed (3363766738 vs 1567843711).. Container will be killed and recreated.")
	f.Add("Container a definition changed, will be restarted")
	f.Add("hash changed (1 vs ")
	f.Fuzz(func(t *testing.T, message string) {
		stored, expected, ok := bothHashes(message)
		if !ok {
			if stored != "" || expected != "" {
				t.Errorf("%q: %q and %q without being sure", message, stored, expected)
			}
			return
		}
		a, errA := strconv.ParseUint(stored, 16, 32)
		b, errB := strconv.ParseUint(expected, 16, 32)
		if errA != nil || errB != nil {
			t.Fatalf("%q: %v, %v", message, errA, errB)
		}
		again, expectedAgain, ok := bothHashes(fmt.Sprintf("Container spec hash changed (%d vs %d).", a, b))
		if !ok || again != stored || expectedAgain != expected {
			t.Errorf("%q: %q and %q become %q and %q", message, stored, expected, again, expectedAgain)
		}
	})
}
